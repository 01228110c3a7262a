import { join } from 'node:path';
import { isRavelError } from '../base/errors.ts';
import { readTextIfExists, sha256 } from '../base/files.ts';
import type { QualifiedId } from '../model/id.ts';
import type { MessageSender } from '../model/message.ts';
import { person } from '../model/person.ts';
import { type AnswerReceipt, type Asker, askersOf, type CitedPassage } from '../model/receipt.ts';
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
    const plans = askersOf(receipt).filter(({ from }) => from !== person);
    if (plans.length === 0 || receipt.isStaleTold === true) continue;
    const changed = await firstChanged(parts.ports, receipt);
    if (changed === undefined) continue;
    for (const asker of plans) await tell(parts, receipt.expert, asker, changed);
    const isTold = ({ id, from }: Asker) => from === person || plans.some((plan) => plan.id === id);
    // Another plan can have been given it meanwhile.
    await parts.receipts.change(receipt.id, (now) => ({ ...now, isStaleTold: askersOf(now).every(isTold) }));
    told += plans.length;
  }
  return told;
}

async function tell(
  { actors }: StaleAnswersParts,
  by: QualifiedId,
  { id: re, from: to }: Asker,
  { title, path }: CitedPassage,
): Promise<void> {
  const text = `The answer rests on “${title}” (${path}), which has changed since. Ask again if it matters.`;
  // A plan that takes nothing any more need not know.
  await sendReply(actors, { re, to, by, about: 'stale', text }).catch(ignoreRefusal);
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
