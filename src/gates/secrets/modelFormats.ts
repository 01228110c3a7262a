import type { TokenFormat } from './tokenFormat.ts';

const openAi = 'https://platform.openai.com/docs/api-reference/authentication';
const anthropic = 'https://docs.anthropic.com/en/api/overview';
const huggingFace = 'https://huggingface.co/docs/hub/security-tokens';
const langSmith =
  'https://docs.smith.langchain.com/administration/how_to_guides/organization_management/create_account_api_key';
const langfuse = 'https://langfuse.com/docs/api-and-data-platform/features/public-api';

/** Models, and what is built around them. */
export const modelFormats: readonly TokenFormat[] = [
  ['Anthropic key', 'sk-ant-[url:20-300]', anthropic],
  ['OpenAI key', 'sk-proj-[url:20-300]', openAi],
  ['OpenAI key', 'sk-svcacct-[url:20-300]', openAi],
  ['OpenAI key', 'sk-admin-[url:20-300]', openAi],
  ['OpenAI key', 'sk-None-[url:20-300]', openAi],
  ['OpenAI key', 'sk-[alnum:20-100]', openAi],
  ['OpenRouter key', 'sk-or-v1-[hex:64]', 'https://openrouter.ai/docs/api-reference/authentication'],
  ['Langfuse key', 'sk-lf-[uuid:36]', langfuse],
  ['LangSmith key', 'lsv2_pt_[hex:32]_[hex:10]', langSmith],
  ['LangSmith key', 'lsv2_sk_[hex:32]_[hex:10]', langSmith],
  ['xAI key', 'xai-[alnum:70-90]', 'https://docs.x.ai/docs/tutorial'],
  ['Groq key', 'gsk_[alnum:48-60]', 'https://console.groq.com/docs/quickstart'],
  ['Perplexity key', 'pplx-[alnum:44-60]', 'https://docs.perplexity.ai/getting-started/quickstart'],
  ['Replicate token', 'r8_[url:34-42]', 'https://replicate.com/docs/topics/security/api-tokens'],
  ['Hugging Face token', 'hf_[alnum:30-60]', huggingFace],
  ['Hugging Face token', 'api_org_[alnum:30-60]', huggingFace],
  ['Pinecone key', 'pcsk_[word:40-100]', 'https://docs.pinecone.io/guides/projects/manage-api-keys'],
  ['Voyage key', 'pa-[url:43]', 'https://docs.voyageai.com/docs/api-key-and-installation'],
  ['Tavily key', 'tvly-[url:30-60]', 'https://docs.tavily.com/documentation/quickstart'],
  ['Firecrawl key', 'fc-[hex:32]', 'https://docs.firecrawl.dev/introduction'],
  ['ElevenLabs key', 'sk_[hex:48]', 'https://elevenlabs.io/docs/api-reference/authentication'],
  ['Fireworks key', 'fw_[alnum:22-32]', 'https://docs.fireworks.ai/api-reference/introduction'],
  ['Together key', 'tgp_v1_[url:43]', 'https://docs.together.ai/docs/quickstart'],
  ['NVIDIA key', 'nvapi-[url:60-70]', 'https://docs.api.nvidia.com/nim/reference/llm-apis'],
  ['Cerebras key', 'csk-[alnum:40-56]', 'https://inference-docs.cerebras.ai/quickstart'],
  ['Anyscale key', 'esecret_[alnum:26-40]', 'https://docs.anyscale.com/'],
  ['E2B key', 'e2b_[hex:40]', 'https://e2b.dev/docs/api-key'],
  ['Jina key', 'jina_[url:50-70]', 'https://jina.ai/api-dashboard/key-manager'],
  ['Cursor key', 'key_[hex:64]', 'https://cursor.com/docs/account/teams/admin-api'],
  ['Cursor key', 'crsr_[hex:64]', 'https://cursor.com/docs/account/teams/admin-api'],
  ['LlamaCloud key', 'llx-[alnum:44-60]', 'https://docs.cloud.llamaindex.ai/llamacloud/getting_started/api_key'],
  ['Exa key', 'exa-[uuid:36]', 'https://docs.exa.ai/reference/getting-started'],
  ['Weights & Biases key', 'wandb_v1_[url:40-100]', 'https://docs.wandb.ai/quickstart'],
];

const keyFiles = 'https://www.rfc-editor.org/rfc/rfc7468';

/** Signed tokens, and how files of private keys begin; of these nothing but the shape is looked at. */
export const signedFormats: readonly TokenFormat[] = [
  ['signed web token', 'eyJ[url:8-4000].eyJ[url:8-8000].[url:10-2000]', 'https://www.rfc-editor.org/rfc/rfc7519'],
];

/** Cut in two, so that this file does not begin as a key does. */
const [begin, end] = ['-----BEGIN ', 'PRIVATE KEY'];
const keyHeaders = ['', 'RSA ', 'DSA ', 'EC ', 'OPENSSH ', 'ENCRYPTED ', 'ED25519 ', 'ANY ', 'PGP '].map(
  (kind) => `${begin}${kind}${end}`,
);

export const keyFileFormats: readonly TokenFormat[] = [
  ...keyHeaders.map((header): TokenFormat => ['private key', `${header}-----`, keyFiles]),
  ...keyHeaders.map((header): TokenFormat => ['private key', `${header} BLOCK-----`, keyFiles]),
  // As a Kubernetes configuration has them.
  ...keyHeaders.map((header): TokenFormat => ['private key', inBase64(header), keyFiles]),
  ['private key', `${begin.slice(1)}SSH2 ENCRYPTED ${end} ----`, 'https://www.rfc-editor.org/rfc/rfc4716'],
  [
    'private key',
    `PuTTY-User-${'Key'}-File-[digits:1]:`,
    'https://the.earth.li/~sgtatham/putty/latest/htmldoc/AppendixC.html',
  ],
  ['private key', `minisign ${'encrypted'} secret key`, 'https://jedisct1.github.io/minisign/'],
];

/** The characters of base64 that the text alone decides, whatever follows it. */
function inBase64(text: string): string {
  return Buffer.from(text)
    .toString('base64')
    .slice(0, Math.floor(text.length / 3) * 4);
}
