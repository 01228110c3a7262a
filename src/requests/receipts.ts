import { defined } from '../base/defined.ts';
import { excerpt } from '../base/text.ts';
import { compareSituations } from '../experts/compareReceipts.ts';
import type { Receipts } from '../experts/receipts.ts';
import { failure } from '../model/codes.ts';
import { isUlid } from '../model/id.ts';
import { expertId } from '../model/namedTarget.ts';
import type { AnswerReceipt } from '../model/receipt.ts';
import type { ReceiptRow, receiptRequests } from '../model/requests/receipts.ts';
import type { HandlersOf } from './handlers.ts';

export const receiptHandlers: HandlersOf<typeof receiptRequests> = {
  async receipts({ receipts }, { expert, entry, limit }) {
    const { records, diagnostics } = await receipts.all();
    const of = expert === undefined ? undefined : expertId(expert);
    const found = records.filter(
      (one) => (of === undefined || one.expert === of) && (entry === undefined || rests(one, entry)),
    );
    return { receipts: found.reverse().slice(0, limit).map(toRow), total: found.length, diagnostics };
  },

  async receipt({ receipts }, { id }) {
    return { receipt: await findReceipt(receipts, id) };
  },

  async compare_receipt({ receipts, situationOf }, { id, other }, signal) {
    const receipt = await findReceipt(receipts, id);
    const after = other === undefined ? await situationOf(receipt, signal) : await findReceipt(receipts, other);
    return compareSituations(receipt, after);
  },
};

/** Whether the answer of a receipt cites an entry of this id, path or title. */
function rests({ citations }: AnswerReceipt, named: string): boolean {
  return citations.some(({ entry, path, title }) => [entry, path, title].includes(named));
}

async function findReceipt(receipts: Receipts, named: string): Promise<AnswerReceipt> {
  const id = named.toUpperCase();
  const receipt = isUlid(id) ? await receipts.load(id) : undefined;
  if (receipt !== undefined) return receipt;
  throw failure('receipt/unknown', named, `There is no receipt ${named} in this vault.`);
}

const questionLengthMax = 200;

function toRow({ id, at, expert, from, question, state, isSupported, usd, citations }: AnswerReceipt): ReceiptRow {
  const cites = [...new Set(citations.map(({ entry }) => entry))];
  const about = { question: excerpt(question, questionLengthMax), state, isSupported, cites };
  return { id, at, expert, from, ...about, ...defined({ usd }) };
}
