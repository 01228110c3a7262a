import { basename, dirname } from 'node:path';
import { isRecord } from '../../base/json.ts';
import { failure } from '../../model/codes.ts';
import type { Edit } from '../../model/edit.ts';
import { type EntryStatus, entryStatuses } from '../../model/entry.ts';
import { type EntryPlace, entrySubject, type KnowledgeEntry } from '../../vault/entryFile.ts';
import { isNotePath, placeInFolder } from '../../vault/entryFiles.ts';
import { parseFrontmatter } from '../../vault/frontmatter.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { type ChangeContext, type EntryChange, jsonOf, placeOf, revised, set } from './entryChange.ts';

/** What an archived entry remembers, so that it comes back as it was. */
const archiveKeys = ['archived-at', 'archived-from', 'archived-status', 'archived-own'] as const;

/** Which paths of a folder are in use, in the form in which names are compared. */
export type TakenPaths = (place: EntryPlace) => boolean;

/**
 * Moves an entry to the archive, where links still find it. Throws `entry/archived` for one that is there. The copy is
 * written before the original is removed. `more` changes its frontmatter, too.
 */
export function archiveEntry(
  layout: VaultLayout,
  entry: KnowledgeEntry,
  reason: string,
  { taken, ...context }: ChangeContext & { readonly taken: TakenPaths },
  more: readonly Edit[] = [],
): EntryChange {
  if (entry.isArchived)
    throw failure('entry/archived', entrySubject(entry), `${entrySubject(entry)} is in the archive already.`);
  const { project, path, fields } = entry;
  const written = frontmatterOf(entry);
  const status = isEntryStatus(written['status']) ? written['status'] : undefined;
  const own = archiveKeys.filter((key) => key in written);
  const edits = [
    set('status', 'archived'),
    set('archived-at', context.today),
    set('archived-from', path),
    status === undefined ? remove('archived-status') : set('archived-status', status),
    // Keys of these names that a person has are theirs.
    ...(own.length === 0
      ? []
      : [set('archived-own', jsonOf(Object.fromEntries(own.map((key) => [key, written[key]]))))]),
    ...more,
  ];
  const to = freePlace((free) => placeInFolder(layout, { project, isArchived: true }, free), path, taken);
  return { title: `Archive ${fields.title}`, reason, files: moved(entry, to, edits, context) };
}

/** Brings an archived entry back to where it was. Throws `entry/notArchived`, or `entry/exists` where its path is in use. */
export function restoreEntry(
  layout: VaultLayout,
  entry: KnowledgeEntry,
  { taken, ...context }: ChangeContext & { readonly taken: TakenPaths },
): EntryChange {
  if (!entry.isArchived)
    throw failure('entry/notArchived', entrySubject(entry), `${entrySubject(entry)} is not in the archive.`);
  const { project, fields } = entry;
  const [from, status] = [fields['archived-from'], fields['archived-status']];
  const path = typeof from === 'string' && isNotePath(from) ? from : entry.path;
  const to = placeInFolder(layout, { project, isArchived: false }, path);
  if (taken(to)) {
    const help = 'Rename or archive the entry that has that path now.';
    throw failure('entry/exists', entrySubject(to), `${entrySubject(to)} is in use.`, { help });
  }
  const own = frontmatterOf(entry)['archived-own'];
  const edits: Edit[] = [
    isEntryStatus(status) ? set('status', status) : remove('status'),
    ...archiveKeys.map((key): Edit => {
      const value = isRecord(own) ? own[key] : undefined;
      return value === undefined ? remove(key) : set(key, jsonOf(value));
    }),
  ];
  return { title: `Restore ${fields.title}`, files: moved(entry, to, edits, context) };
}

function remove(key: string): Edit {
  return { op: 'delete', path: [key] };
}

function moved(entry: KnowledgeEntry, to: EntryPlace, fields: readonly Edit[], context: ChangeContext) {
  const { after } = revised(entry, { fields }, context);
  return [
    { place: to, ...(after !== undefined && { after }) },
    { place: placeOf(entry), before: entry.text },
  ];
}

/** The keys that an entry has, without defaults, so that a restored one has only those that it had. */
function frontmatterOf(entry: KnowledgeEntry): Readonly<Record<string, unknown>> {
  const { data } = parseFrontmatter(entry.text, { file: entry.file, subject: entrySubject(entry) });
  return isRecord(data) ? data : {};
}

function isEntryStatus(value: unknown): value is EntryStatus {
  return entryStatuses.some((status) => status === value);
}

/** The same path, or the first free one with a number behind its name. */
export function freePlace(placeAt: (path: string) => EntryPlace, path: string, taken: TakenPaths): EntryPlace {
  const folder = dirname(path);
  const stem = basename(path, '.md');
  for (let n = 1; ; n++) {
    const name = `${stem}${n === 1 ? '' : `-${n}`}.md`;
    const place = placeAt(folder === '.' ? name : `${folder}/${name}`);
    if (!taken(place)) return place;
  }
}
