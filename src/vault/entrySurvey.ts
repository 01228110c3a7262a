import type { FileStamps, ReadingDisk } from '../base/disk.ts';
import type { Diagnostic } from '../base/errors.ts';
import type { EntryHead, ParsedEntry } from './entryFile.ts';
import { type KnowledgeFolder, listNotes, type NoteFile, readEntry } from './entryFiles.ts';
import { isSettled, type StampedCache } from './stampedCache.ts';

/** All entries of some folders at one time, without their texts. */
export interface EntrySurvey {
  /** In the order of the folders and of the paths in each. */
  readonly heads: readonly EntryHead[];
  /** Files that are not entries: plain notes, and what cannot be read. */
  readonly others: readonly OtherNote[];
  readonly diagnostics: readonly Diagnostic[];
}

export interface OtherNote {
  readonly note: NoteFile;
  readonly kind: 'note' | 'broken';
}

/** What a file was found to be. */
export interface FoundNote {
  readonly kind: ParsedEntry['kind'];
  readonly head?: EntryHead;
  readonly diagnostics: readonly Diagnostic[];
}

/** Remembers what files were found to be, as long as their stamps stay. */
export interface EntryCache {
  get(note: NoteFile, stamps: FileStamps): FoundNote | undefined;
  put(note: NoteFile, stamps: FileStamps, found: FoundNote): void;
}

export interface SurveyPorts {
  readonly disk: ReadingDisk;
  readonly cache: EntryCache;
  /** Wall time, as files are stamped with. */
  readonly nowMs: number;
}

/** Files looked at together. More gains nothing, and entries can be large. */
const filesAtOnce = 32;

/** Reads the entries of these folders; a file that is as it was before is not read again. */
export async function surveyEntries(
  { disk, cache, nowMs }: SurveyPorts,
  folders: readonly KnowledgeFolder[],
  signal?: AbortSignal,
): Promise<EntrySurvey> {
  const heads: EntryHead[] = [];
  const others: OtherNote[] = [];
  const diagnostics: Diagnostic[] = [];
  for (const folder of folders) {
    const listed = await listNotes(disk, folder);
    diagnostics.push(...listed.diagnostics);
    for (let at = 0; at < listed.notes.length; at += filesAtOnce) {
      signal?.throwIfAborted();
      const notes = listed.notes.slice(at, at + filesAtOnce);
      // Before anything is read: what changes in between has other stamps the next time.
      const stamps = Array.from(await disk.stampEach(notes.map(({ readFrom }) => readFrom)));
      const found = await Promise.all(notes.map((note, n) => findOnce(note, stamps.slice(n * 4, n * 4 + 4))));
      for (const [n, note] of notes.entries()) add(note, found[n]);
    }
  }
  return { heads, others, diagnostics };

  async function findOnce(note: NoteFile, stamps: FileStamps): Promise<FoundNote | undefined> {
    const known = cache.get(note, stamps);
    if (known !== undefined) return known;
    const read = await findNote(disk, note);
    if (read === undefined) return undefined;
    const found = copyOf(read);
    if (isSettled(stamps, nowMs)) cache.put(note, stamps, found);
    return found;
  }

  function add(note: NoteFile, found: FoundNote | undefined): void {
    if (found === undefined) return;
    diagnostics.push(...found.diagnostics);
    if (found.head !== undefined) heads.push(found.head);
    else if (found.kind !== 'entry') others.push({ note, kind: found.kind });
  }
}

/** Keeps them in a cache of all that is known of files. */
export function entriesInCache(cache: StampedCache): EntryCache {
  // A key has no line end, and a file can be named with one.
  const keyOf = ({ file }: NoteFile) => `entry ${JSON.stringify(file)}`;
  return {
    get(note, stamps) {
      const known = cache.get(keyOf(note), stamps);
      return known === undefined ? undefined : parseFoundNote(known, note);
    },
    put: (note, stamps, found) => cache.put(keyOf(note), stamps, formatFoundNote(found)),
  };
}

/** On one line, without what the place of the file tells. */
export function formatFoundNote({ kind, head, diagnostics }: FoundNote): string {
  if (head === undefined) return JSON.stringify({ kind, diagnostics });
  const { file: _file, project: _project, path: _path, isArchived: _isArchived, ...own } = head;
  return JSON.stringify({ kind, head: own, ...(diagnostics.length > 0 && { diagnostics }) });
}

/** From what `formatFoundNote` made of the file in this place. */
export function parseFoundNote(text: string, { file, project, path, isArchived }: NoteFile): FoundNote {
  const { kind, head, diagnostics = [] } = JSON.parse(text);
  return { kind, ...(head !== undefined && { head: { file, project, path, isArchived, ...head } }), diagnostics };
}

/**
 * What a file is now; undefined if it is gone. Parts of a text keep the whole of it in memory: `copyOf` is for what is kept
 * for long.
 */
export async function findNote(disk: ReadingDisk, note: NoteFile): Promise<FoundNote | undefined> {
  const parsed = await readEntry(disk, note);
  if (parsed === undefined) return undefined;
  if (parsed.kind !== 'entry') return { kind: parsed.kind, diagnostics: parsed.diagnostics };
  const { text: _text, body: _body, sections: _sections, ...head } = parsed.entry;
  return { kind: 'entry', head, diagnostics: parsed.diagnostics };
}

function copyOf(found: FoundNote): FoundNote {
  return JSON.parse(JSON.stringify(found));
}
