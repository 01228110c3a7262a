import type { ReceiptEntry } from '../model/receipt.ts';
import type { EntryDifference, ReceiptComparison } from '../model/requests/receipts.ts';
import { type ReceiptSituation, receiptKey } from './receiptKey.ts';

/** What has changed from one situation to another, and so why an answer is asked for again. */
export function compareSituations(before: ReceiptSituation, after: ReceiptSituation): ReceiptComparison {
  const changed = (['question', 'dialogue', 'persona', 'template', 'model', 'expert'] as const).filter(
    (part) => JSON.stringify(before[part]) !== JSON.stringify(after[part]),
  );
  return {
    isSame: receiptKey(before) === receiptKey(after),
    changed,
    entries: [
      ...before.entries.map((entry, place) => changeOf(entry, place, after.entries)),
      ...after.entries
        .filter(({ id }) => !before.entries.some((one) => one.id === id))
        .map((entry): EntryDifference => ({ ...named(entry), change: 'added' })),
    ],
  };
}

function changeOf(entry: ReceiptEntry, place: number, after: readonly ReceiptEntry[]): EntryDifference {
  const at = after.findIndex(({ id }) => id === entry.id);
  const now = after[at];
  if (now === undefined) return { ...named(entry), change: 'removed' };
  if (now.hash !== entry.hash) return { ...named(now), change: 'edited' };
  if (now.path !== entry.path) return { ...named(now), change: 'moved' };
  return { ...named(now), change: at === place ? 'same' : 'reordered' };
}

function named({ id, title, path }: ReceiptEntry): Pick<EntryDifference, 'id' | 'title' | 'path'> {
  return { id, title, path };
}
