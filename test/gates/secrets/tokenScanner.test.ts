import { expect, test } from 'vitest';
import { findTokens } from '../../../src/gates/secrets/tokenScanner.ts';
import { joined, makeToken } from '../../support/madeSecrets.ts';
import { createRandom } from '../../support/seededRandom.ts';

/** A row of the tables that gets lost takes its own test with it, so what most projects use stands here once more. */
test.each([
  ['AWS access key', 'AK¦IA[upper:16]'],
  ['Google key', 'AI¦za[url:35]'],
  ['Google client secret', 'GOC¦SPX-[url:28]'],
  ['Azure storage account key', 'Account¦Key=[base64:88]'],
  ['DigitalOcean token', 'dop_¦v1_[hex:64]'],
  ['GitHub token', 'gh¦p_[alnum:36]'],
  ['GitHub token', 'gh¦o_[alnum:36]'],
  ['GitHub token', 'gh¦s_[alnum:36]'],
  ['GitHub token', 'github¦_pat_[word:82]'],
  ['GitLab token', 'glp¦at-[url:20]'],
  ['npm token', 'npm¦_[alnum:36]'],
  ['PyPI token', 'py¦pi-[url:150]'],
  ['Docker Hub token', 'dckr¦_pat_[url:27]'],
  ['Slack token', 'xo¦xb-[digits:12]-[digits:12]-[alnum:24]'],
  ['Slack token', 'xo¦xp-[digits:12]-[digits:12]-[digits:12]-[hex:32]'],
  ['Slack webhook', 'hooks.slack.com/¦services/[upper:9]/[upper:11]/[alnum:24]'],
  ['Discord webhook', 'discord.com/api/¦webhooks/[digits:18]/[url:68]'],
  ['Telegram bot token', '[digits:10]:¦AA[url:33]'],
  ['Stripe key', 'sk_¦live_[alnum:24]'],
  ['Stripe key', 'rk_¦live_[alnum:24]'],
  ['Twilio key', 'S¦K[hex:32]'],
  ['Anthropic key', 'sk-¦ant-[url:95]'],
  ['OpenAI key', 'sk-¦proj-[url:48]'],
  ['Hugging Face token', 'hf¦_[alnum:34]'],
])('a token of the service is found, and named: %s %s', (service, shape) => {
  const seed = Number(process.env['RAVEL_SEED'] ?? 11);
  const token = makeToken([service, joined(shape), ''], createRandom(seed));
  expect([...findTokens(` ${token} `)], `seed ${seed}`).toEqual([{ index: 1, value: token, service }]);
});

test('of two formats that fit one place, the longer one is told', () => {
  const random = createRandom(3);
  const token = makeToken(['', joined('glp¦at-[alnum:20].01.[lower:9]'), ''], random);
  expect([...findTokens(token)].map(({ value }) => value)).toEqual([token]);
});

test('the full stop of a sentence belongs to no token', () => {
  const token = makeToken(['', joined('sk_¦org_[alnum:40]'), ''], createRandom(5));
  expect([...findTokens(`It is ${token}.`)].map(({ value }) => value)).toEqual([token]);
});
