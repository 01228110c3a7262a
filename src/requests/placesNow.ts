import { join } from 'node:path';
import { exists } from '../base/files.ts';
import type { AnswerReceipt } from '../model/receipt.ts';
import type { EntryPlaceNow } from '../model/requests/receipts.ts';
import { type EntryHead, entryPathInVault } from '../vault/entryFile.ts';
import type { ReadingPorts } from '../vault/vaultPorts.ts';

/** Where each entry is now that a receipt names: found by its id, then by the path that it had. */
export async function placesNow(
  { disk, layout }: ReadingPorts,
  { entries, citations }: AnswerReceipt,
  heads: readonly EntryHead[],
): Promise<readonly EntryPlaceNow[]> {
  const named = new Map([
    ...citations.map(({ entry, path }) => [path, entry] as const),
    ...entries.map(({ id, path }) => [path, id] as const),
  ]);
  const byId = new Map<string, EntryHead>(
    heads.flatMap((head) => (head.fields.id === undefined ? [] : [[head.fields.id, head] as const])),
  );
  const byPath = new Map(heads.map((head) => [entryPathInVault(head), head]));
  // An archived entry without an id, by where it was.
  const archived = heads.filter(({ isArchived }) => isArchived);
  const byFormerPath = new Map(archived.map((head) => [entryPathInVault({ ...head, isArchived: false }), head]));
  const places: EntryPlaceNow[] = [];
  for (const [path, id] of named) {
    const head = byId.get(id) ?? byPath.get(path);
    if (head !== undefined) {
      places.push(placeOf(path, head));
    } else if (await exists(disk, join(layout.root, path))) {
      // A plain note, or a file that cannot be read as an entry any more.
      places.push({ path, state: 'same', now: path });
    } else {
      const former = byFormerPath.get(path);
      places.push(former === undefined ? { path, state: 'gone' } : placeOf(path, former));
    }
  }
  return places;
}

function placeOf(path: string, head: EntryHead): EntryPlaceNow {
  const now = entryPathInVault(head);
  return { path, now, state: head.isArchived ? 'archived' : now === path ? 'same' : 'moved' };
}
