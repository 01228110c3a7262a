import { defined } from '../../base/defined.ts';
import { failure } from '../../model/codes.ts';
import {
  type Confidence,
  type EntryStatus,
  entrySchemaName,
  entryTitleProblem,
  knowledgeAxes,
  uncategorizedFolder,
} from '../../model/entry.ts';
import type { Json } from '../../model/json.ts';
import { entrySubject } from '../../vault/entryFile.ts';
import { isNotePath, placeInFolder } from '../../vault/entryFiles.ts';
import type { EntryIndex } from '../../vault/entryIndex.ts';
import { formatEntryText } from '../../vault/entryText.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { freePlace, type TakenPaths } from './archiveEntry.ts';
import type { ChangeContext, EntryChange } from './entryChange.ts';

/** An entry that is not in a file yet. */
export interface NewEntry {
  readonly title: string;
  readonly body: string;
  /** Empty for the vault itself. */
  readonly project: string;
  /** Folder below `knowledge/`, with `/`; in the vault it begins with an axis. Empty for `knowledge/` of a project. */
  readonly folder: string;
  readonly kind?: string | undefined;
  readonly tags?: readonly string[] | undefined;
  readonly aliases?: readonly string[] | undefined;
  readonly topic?: string | undefined;
  readonly confidence: Confidence;
  readonly status: EntryStatus;
  readonly origins?:
    | readonly { readonly project: string; readonly date: string; readonly context?: string }[]
    | undefined;
  readonly source?: string | undefined;
  readonly sourceSession?: string | undefined;
  /** Of what a plan learned: its candidate, who took it in, and when. */
  readonly ingested?: { readonly id: string; readonly by?: string | undefined; readonly at: string } | undefined;
}

/** Longest name of a file of an entry, in UTF-16 units; three bytes of each still fit in a name. */
const stemLengthMax = 70;

/** Longest name of a folder, in bytes. */
const partBytesMax = 255;

/** Names that Windows keeps for devices, and the name of a list of a folder's entries. */
const reservedNames = /^(?:con|prn|aux|nul|com\d|lpt\d|index)$/;

/** A new file for an entry. Throws `entry/exists` if the vault or project has the title, and `entry/badFolder`. */
export function addEntry(
  layout: VaultLayout,
  index: EntryIndex,
  entry: NewEntry,
  { today, newUlid, taken }: ChangeContext & { readonly taken: TakenPaths },
): EntryChange {
  const { title, project, folder, body } = entry;
  const problem = entryTitleProblem(title) ?? folderProblem(project, folder);
  if (problem !== undefined) throw failure('entry/badFolder', title, `The entry cannot be added: ${problem}.`);
  const same = index.find(title, { project }).find((head) => head.project === project && !head.isArchived);
  if (same !== undefined)
    throw failure('entry/exists', entrySubject(same), `${entrySubject(same)} has this title already.`);
  const path = `${stemPath(entry)}.md`;
  const place = freePlace((free) => placeInFolder(layout, { project, isArchived: false }, free), path, taken);
  const {
    kind,
    topic,
    confidence,
    status,
    source,
    sourceSession,
    ingested,
    tags = [],
    aliases = [],
    origins = [],
  } = entry;
  const fields = defined({
    ...{ schema: entrySchemaName, id: newUlid(), title: title.trim() },
    aliases: someOf(aliases),
    kind,
    tags: someOf(tags),
    topic,
    ...{ confidence, status, depth: 1, version: 1, created: today },
    origins: someOf(origins.map((origin) => ({ ...origin }))),
    source,
    'source-session': sourceSession,
    'absorbed-by': ingested?.by,
    'absorbed-at': ingested?.by === undefined ? undefined : ingested.at,
    'ingestion-event-id': ingested?.id,
  }) as Readonly<Record<string, Json>>;
  return { title: `Add ${title.trim()}`, files: [{ place, after: formatEntryText(fields, body) }] };
}

/** Absolute path of the file that a new entry would have, without its ending; one with a number begins like it. */
export function usualStem(layout: VaultLayout, entry: Pick<NewEntry, 'title' | 'project' | 'folder'>): string {
  return placeInFolder(layout, { project: entry.project, isArchived: false }, stemPath(entry)).file;
}

function stemPath({ title, folder }: Pick<NewEntry, 'title' | 'folder'>): string {
  const stem = fileStem(title);
  return folder === '' ? stem : `${folder}/${stem}`;
}

/**
 * The name of a file for a title, without its ending: its letters and digits in lower case, each other run a hyphen.
 * Letters of every script stay, in one Unicode form; `entry` where there are none.
 */
export function fileStem(title: string): string {
  const words = title
    .normalize('NFC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '');
  const short = [...words].reduce(
    (text, character) => (text.length + character.length > stemLengthMax ? text : text + character),
    '',
  );
  const stem = short.replace(/-$/, '') || 'entry';
  return reservedNames.test(stem) ? `${stem}-entry` : stem;
}

/** Why a folder cannot hold entries, as a clause; undefined if it can. */
function folderProblem(project: string, folder: string): string | undefined {
  const parts = folder === '' ? [] : folder.split('/');
  if (parts.some((part) => part.startsWith('.') || /^$|[\\:*?"<>|\p{Cc}\p{Surrogate}]|[. ]$/u.test(part))) {
    return `"${folder}" is not a folder below knowledge/`;
  }
  const bad = parts.find((part) => reservedNames.test(part.toLowerCase()) || Buffer.byteLength(part) > partBytesMax);
  if (bad !== undefined) return `a folder cannot have the name "${bad}" on every system`;
  if (!isNotePath(`${folder}/entry.md`.replace(/^\//, ''))) return `"${folder}" is too deep; no entry is found there`;
  const [first = ''] = parts;
  const isAxis = first === uncategorizedFolder || knowledgeAxes.some((axis) => axis === first);
  if (project !== '' || isAxis) return undefined;
  return `a folder of the vault's knowledge/ begins with ${[...knowledgeAxes, uncategorizedFolder].join(', ')}`;
}

function someOf<T>(items: readonly T[]): readonly T[] | undefined {
  return items.length === 0 ? undefined : items;
}
