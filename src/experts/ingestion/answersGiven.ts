import type { QualifiedId } from '../../model/id.ts';
import { type AnswerReceipt, askersOf } from '../../model/receipt.ts';
import type { Receipts } from '../receipts.ts';

/** The answers of experts that a plan was given, from a session or from a receipt. */
export async function answersGivenTo(
  receipts: Pick<Receipts, 'all'>,
  plan: QualifiedId,
): Promise<readonly AnswerReceipt[]> {
  const { records } = await receipts.all();
  return records.filter((receipt) => askersOf(receipt).some(({ from }) => from === plan));
}

/** What an answer told its asker. */
export function textsOfAnswer({ answer, citations }: AnswerReceipt): readonly string[] {
  return [answer, ...citations.map(({ passage }) => passage)];
}

/** What is told of a statement that repeats an answer. */
export const repeatsAnswer = 'The plan had been told it in an answer, so it proves nothing new.';
