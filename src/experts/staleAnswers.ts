import { join } from 'node:path';
import { isRavelError } from '../base/errors.ts';
import { readTextIfExists, sha256 } from '../base/files.ts';
import type { MessageSender } from '../model/message.ts';
import { person } from '../model/person.ts';
import type { AnswerReceipt, CitedPassage } from '../model/receipt.ts';
import { ignoreRefusal, sendReply } from '../model/reply.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import type { Receipts } from './receipts.ts';

export interface StaleAnswersParts {
  readonly ports: VaultPorts;
  readonly receipts: Receipts;
  readonly actors: MessageSender;
}

/**
 * Tells plans, each once, of which of their answers an entry was edited or removed that the answer cites. Returns how
 * many answers that were. Cut short at any moment, it continues the next time.
 */
export async function reportStaleAnswers(parts: StaleAnswersParts, signal: AbortSignal): Promise<number> {
  let told = 0;
  for (const receipt of (await parts.receipts.all()).records) {
    signal.throwIfAborted();
    if (receipt.from === person || receipt.isStaleTold === true) continue;
    const changed = await firstChanged(parts.ports, receipt);
    if (changed === undefined) continue;
    await tell(parts, receipt, changed);
    told += 1;
  }
  return told;
}

async function tell(
  { receipts, actors }: StaleAnswersParts,
  receipt: AnswerReceipt,
  { title, path }: CitedPassage,
): Promise<void> {
  const { id: re, from: to, expert: by } = receipt;
  const text = `The answer rests on “${title}” (${path}), which has changed since. Ask again if it matters.`;
  // A plan that takes nothing any more need not know.
  await sendReply(actors, { re, to, by, about: 'stale', text }).catch(ignoreRefusal);
  await receipts.save({ ...receipt, isStaleTold: true });
}

async function firstChanged(
  { disk, layout }: VaultPorts,
  { citations }: AnswerReceipt,
): Promise<CitedPassage | undefined> {
  for (const cited of citations) {
    const text = await readTextIfExists(disk, join(layout.root, cited.path)).catch((error: unknown) => {
      if (!isRavelError(error)) throw error;
      // What cannot be read is no longer what was cited.
      return undefined;
    });
    if (text === undefined || sha256(text) !== cited.hash) return cited;
  }
  return undefined;
}
