import { sha256 } from '../base/files.ts';
import type { Expert } from '../model/expert.ts';
import type { QualifiedId } from '../model/id.ts';
import type { DialogueTurn } from '../model/receipt.ts';
import type { Settings } from '../model/settings.ts';
import type { PromptHashes } from './promptHashes.ts';
import type { ReceiptSituation } from './receiptKey.ts';
import { type RetrievalPorts, type RetrievedEntry, retrieveEntries } from './retrieveEntries.ts';

export interface SituationPorts extends RetrievalPorts {
  readonly settings: Settings;
  readonly prompts: PromptHashes;
}

/** What an expert is asked. */
export interface AskedNow {
  readonly actor: QualifiedId;
  readonly expert: Expert;
  readonly question: string;
  readonly dialogue: readonly DialogueTurn[];
}

/** The entries that a session would be given now, and all else that decides its answer. */
export async function situationNow(
  ports: SituationPorts,
  { actor, expert, question, dialogue }: AskedNow,
  signal: AbortSignal,
): Promise<{ readonly entries: readonly RetrievedEntry[]; readonly situation: ReceiptSituation }> {
  const query = [question, ...dialogue.flatMap(({ asked, reply }) => [asked, reply])].join('\n');
  const { entries } = await retrieveEntries(ports, expert, query, signal);
  const situation = {
    ...{ expert: actor, question, dialogue },
    entries: entries.map(({ id, title, path, hash }) => ({ id, title, path, hash })),
    persona: sha256(expert.persona),
    template: await ports.prompts.of(expert),
    model: modelOf(ports.settings, expert),
  };
  return { entries, situation };
}

/** The harness, and the model as it was wished for. */
function modelOf({ run, harnesses }: Settings, { model }: Expert): string {
  const own = harnesses[run.harness];
  const models: Readonly<Record<string, string | undefined>> = 'models' in own ? own.models : {};
  return [run.harness, model ?? models['answer'] ?? models['default']].filter(Boolean).join(' ');
}
