import { defined } from '../base/defined.ts';
import { excerpt } from '../base/text.ts';
import { compareSituations } from '../experts/compareReceipts.ts';
import type { Receipts } from '../experts/receipts.ts';
import { failure } from '../model/codes.ts';
import { isUlid } from '../model/id.ts';
import { expertId } from '../model/namedTarget.ts';
import type { AnswerReceipt } from '../model/receipt.ts';
import type { ReceiptRow, receiptRequests } from '../model/requests/receipts.ts';
import { entryPathInVault } from '../vault/entryFile.ts';
import type { HandlersOf, Knowledge } from './handlers.ts';

export const receiptHandlers: HandlersOf<typeof receiptRequests> = {
  async receipts({ receipts, knowledge }, { expert, entry, limit }, signal) {
    const { records, diagnostics } = await receipts.all();
    const of = expert === undefined ? undefined : expertId(expert);
    const names = entry === undefined ? undefined : await namesInReceipts(knowledge, entry, signal);
    const found = records.filter(
      (one) => (of === undefined || one.expert === of) && (names === undefined || rests(one, names)),
    );
    return { receipts: found.reverse().slice(0, limit).map(receiptRow), total: found.length, diagnostics };
  },

  async receipt({ receipts, knowledge, services }, { id }, signal) {
    const receipt = await findReceipt(receipts, id);
    const { heads } = await (await knowledge.base()).survey(signal);
    const { placesNow } = await import('./placesNow.ts');
    return { receipt, places: await placesNow(services, receipt, heads) };
  },

  async compare_receipt({ receipts, situationOf }, { id, other }, signal) {
    const receipt = await findReceipt(receipts, id);
    const after = other === undefined ? await situationOf(receipt, signal) : await findReceipt(receipts, other);
    return compareSituations(receipt, after);
  },
};

/**
 * By what receipts can have cited an entry: the name that is asked for, also of an entry that is gone, and the id and the
 * paths of the one that the vault finds by it. An entry is cited by its path until it has an id.
 */
async function namesInReceipts({ base }: Knowledge, named: string, signal: AbortSignal): Promise<ReadonlySet<string>> {
  const { index } = await (await base()).survey(signal);
  const known = index.find(named).flatMap((head) => [
    ...(head.fields.id === undefined ? [] : [head.fields.id]),
    entryPathInVault(head),
    // Where an archived entry was when it was cited.
    entryPathInVault({ ...head, isArchived: false }),
  ]);
  return new Set([named, ...known]);
}

function rests({ citations }: AnswerReceipt, names: ReadonlySet<string>): boolean {
  return citations.some(({ entry, path, title }) => [entry, path, title].some((name) => names.has(name)));
}

async function findReceipt(receipts: Receipts, named: string): Promise<AnswerReceipt> {
  const id = named.toUpperCase();
  const receipt = isUlid(id) ? await receipts.load(id) : undefined;
  if (receipt !== undefined) return receipt;
  throw failure('receipt/unknown', named, `There is no receipt ${named} in this vault.`);
}

const questionLengthMax = 200;

/** A receipt in a list. */
export function receiptRow({
  id,
  at,
  expert,
  from,
  question,
  state,
  isSupported,
  usd,
  citations,
}: AnswerReceipt): ReceiptRow {
  const cites = [...new Set(citations.map(({ entry }) => entry))];
  const about = { question: excerpt(question, questionLengthMax), state, isSupported, cites };
  return { id, at, expert, from, ...about, ...defined({ usd }) };
}
