import { sha256 } from '../base/files.ts';
import type { AnswerReceipt } from '../model/receipt.ts';

/** What decides what a session is given, and who it is. */
export type ReceiptSituation = Pick<
  AnswerReceipt,
  'expert' | 'question' | 'dialogue' | 'entries' | 'persona' | 'template' | 'model'
>;

/**
 * The same for the same question over the same entries in the same order, with the same persona, prompts and model, and
 * for nothing else: an entry that was edited, one that is new, and one that moved all give another key.
 */
export function receiptKey({
  expert,
  question,
  dialogue,
  entries,
  persona,
  template,
  model,
}: ReceiptSituation): string {
  return sha256(
    JSON.stringify([
      ...[expert, question.trim(), persona, template, model],
      dialogue.map(({ asked, reply }) => [asked, reply]),
      entries.map(({ id, title, path, hash }) => [id, title, path, hash]),
    ]),
  );
}
