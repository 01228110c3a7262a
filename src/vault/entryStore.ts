import { nextTurn } from '../base/async.ts';
import type { Disk, FileStamps, ReadingDisk } from '../base/disk.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../base/files.ts';
import { SerialQueue } from '../base/semaphore.ts';
import { entryBytesMax } from '../model/entry.ts';
import type { EntryHead } from './entryFile.ts';
import { type KnowledgeFolder, listNotes, type NoteFile } from './entryFiles.ts';
import { fitsByPlace, fitsFilter, readsFields } from './entryFilter.ts';
import { foldName, namesOfEntry } from './entryIndex.ts';
import { type EntryList, type EntryListOrder, startAfter } from './entryList.ts';
import { type FoundNote, findNote, formatFoundNote, parseFoundNote } from './entrySurvey.ts';
import type { VaultLayout } from './layout.ts';
import { plainNamesOf } from './plainNames.ts';
import { areSameStamps, cacheBytesMax, isSettled, StampedCache } from './stampedCache.ts';

export interface EntryStorePorts {
  readonly disk: ReadingDisk;
  /** Where the cache is saved. */
  readonly saving: Disk;
  readonly layout: VaultLayout;
  /** Of this program; a cache of another one is not used. */
  readonly version: string;
  /** Wall time, as files are stamped with. */
  readonly wallMs: () => number;
}

export interface PageOfFolders {
  readonly folders: readonly KnowledgeFolder[];
  readonly order: EntryListOrder;
}

export interface NameInFolders {
  readonly folders: readonly KnowledgeFolder[];
  readonly name: string;
  /** Absolute path of a file that may come to be. */
  readonly file: string;
}

/** What has a name, and what stands where a file of that name would. */
export interface Namesakes {
  /** Every entry that the name can stand for; an `EntryIndex` of them finds what one of all entries would. */
  readonly heads: readonly EntryHead[];
  /** Files of any kind whose paths begin as that of the new file, without its ending; some others can be among them. */
  readonly files: readonly string[];
}

/** What has to be known of a file: the names of its entry, or all that it says of itself. */
type Wanted = 'names' | 'whole';

/** A file as it was found; `text` is from `formatKnown`, or has names alone. */
interface Stored {
  readonly note: NoteFile;
  readonly stamps: FileStamps;
  readonly text: string;
}

/** Files whose stamps are looked at before others have their turn. */
const stampedAtOnce = 256;
/** Files that are read for a page before it is known whether more are wanted. */
const readAtOnce = 64;
/** The cache is written again once as many files, or a hundredth of all, differ from it. */
const changesMin = 500;
const stampLength = 4;

/**
 * The entries of a large vault, for a thread of its own. A page is read from its files alone; what asks about all files
 * compares their stamps, and keeps what they said in a cache that can be made again at any time.
 */
export class EntryStore {
  readonly #ports: EntryStorePorts;
  #stored: ReadonlyMap<string, Stored> = new Map();
  #saved: StampedCache | undefined;
  #savedCount = 0;
  /** Files that were read since the cache was. */
  #changes = 0;
  /** Whether all files were looked at, and not only those of a page. */
  #isWhole = false;
  readonly #queue = new SerialQueue();

  constructor(ports: EntryStorePorts) {
    this.#ports = ports;
  }

  /** Files that are not wanted are not read: behind a full page all count as entries that fit. */
  page({ folders, order }: PageOfFolders): Promise<EntryList> {
    // What is passed over, and what does not fit, is looked at as well: that takes the cache.
    if (order.from === 0 && !readsFields(order)) return this.#page(folders, order, (notes) => this.#findNow(notes));
    return this.#queue.run(async () => {
      return this.#page(folders, order, await this.#finder());
    });
  }

  async #page(
    folders: readonly KnowledgeFolder[],
    order: EntryListOrder,
    find: (notes: readonly NoteFile[]) => Promise<readonly (FoundNote | undefined)[]>,
  ): Promise<EntryList> {
    const { from, limit, after } = order;
    const { notes: all, diagnostics } = await this.#list(folders);
    const notes = all.filter((note) => fitsByPlace(note, order));
    const start = startAfter(notes, after);
    const heads: EntryHead[] = [];
    let fitting = 0;
    let at = start;
    for (; at < notes.length && heads.length < limit; at += readAtOnce) {
      const some = notes.slice(at, at + readAtOnce);
      const found = await find(some);
      for (const [n, one] of found.entries()) {
        if (heads.length >= limit) {
          at += n - readAtOnce;
          break;
        }
        diagnostics.push(...(one?.diagnostics ?? []));
        if (one?.head === undefined || !fitsFilter(one.head, order)) continue;
        fitting += 1;
        if (fitting > from) heads.push(one.head);
      }
    }
    const more = Math.max(0, notes.length - at);
    return { heads, total: start + fitting + more, more, isAtMost: start + more > 0, diagnostics };
  }

  /** By the stamps of all files, so that no entry is missed. */
  async namesakes({ folders, name, file }: NameInFolders): Promise<Namesakes> {
    await this.#queue.run(() => this.#refresh(folders));
    const folded = foldName(name);
    // As JSON has it, with the quotes, so that only whole names are found.
    const quoted = JSON.stringify(folded);
    const stem = foldName(file);
    const heads: EntryHead[] = [];
    const files: string[] = [];
    for (const { note, text } of this.#stored.values()) {
      if (foldName(note.file).startsWith(stem)) files.push(note.file);
      if (!text.slice(0, namesEnd(text)).includes(quoted)) continue;
      const found = hasNamesAlone(text) ? await findNote(this.#ports.disk, note) : foundOf({ note, text });
      if (found?.head !== undefined) heads.push(found.head);
    }
    void this.#saveSoon();
    return { heads, files };
  }

  /** Resolves once what was found is saved. */
  stop(): Promise<void> {
    return this.#queue.run(() => this.#save());
  }

  /** Once the answer has left: a command ends soon after it, and waits only some seconds. */
  async #saveSoon(): Promise<void> {
    await nextTurn();
    await this.#queue.run(() => this.#save());
  }

  /** If much of what was found is new. */
  async #save(): Promise<void> {
    const isPart = !this.#isWhole && this.#stored.size < this.#savedCount;
    if (isPart || this.#changes < Math.max(changesMin, this.#stored.size / 100)) return;
    const { saving, layout, version } = this.#ports;
    const cache = StampedCache.empty();
    for (const [key, { stamps, text }] of this.#stored) if (stamps.length > 0) cache.put(key, stamps, text);
    this.#changes = 0;
    try {
      await ensureDirectory(saving, layout.cache);
      await writeAtomic(saving, layout.entries, cache.format(version));
    } catch {
      // The answers were given; without the cache the next ones take longer.
    }
  }

  async #list(folders: readonly KnowledgeFolder[]): Promise<{ notes: NoteFile[]; diagnostics: Diagnostic[] }> {
    const notes: NoteFile[] = [];
    const diagnostics: Diagnostic[] = [];
    for (const folder of folders) {
      const listed = await listNotes(this.#ports.disk, folder);
      for (const note of listed.notes) notes.push(note);
      diagnostics.push(...listed.diagnostics);
    }
    return { notes, diagnostics };
  }

  #findNow(notes: readonly NoteFile[]): Promise<readonly (FoundNote | undefined)[]> {
    return Promise.all(notes.map((note) => findNote(this.#ports.disk, note)));
  }

  /** Finds by the cache what did not change, and keeps what did. */
  async #finder(): Promise<(notes: readonly NoteFile[]) => Promise<readonly (FoundNote | undefined)[]>> {
    await this.#load();
    const startMs = this.#ports.wallMs();
    const stored = new Map(this.#stored);
    return async (notes) => {
      const found = await this.#look(notes, startMs, stored, 'whole');
      this.#stored = stored;
      return found.map((one) => one && foundOf(one));
    };
  }

  async #refresh(folders: readonly KnowledgeFolder[]): Promise<void> {
    await this.#load();
    const startMs = this.#ports.wallMs();
    const { notes } = await this.#list(folders);
    const stored = new Map<string, Stored>();
    for (let at = 0; at < notes.length; at += stampedAtOnce) {
      await nextTurn();
      await this.#look(notes.slice(at, at + stampedAtOnce), startMs, stored, 'names');
    }
    this.#stored = stored;
    this.#isWhole = true;
    // All of it that still holds is in `stored`.
    this.#saved = StampedCache.empty();
  }

  async #load(): Promise<void> {
    if (this.#saved !== undefined) return;
    const { disk, layout, version } = this.#ports;
    try {
      const text = await readTextIfExists(disk, layout.entries, { bytesMax: cacheBytesMax });
      this.#saved = text === undefined ? StampedCache.empty() : StampedCache.parse(text, version);
      this.#savedCount = this.#saved.size;
    } catch {
      // A cache that cannot be read counts as an empty one.
      this.#saved = StampedCache.empty();
    }
  }

  /** What these files are, put into `stored`; undefined for one that is gone. */
  async #look(
    notes: readonly NoteFile[],
    startMs: number,
    stored: Map<string, Stored>,
    wanted: Wanted,
  ): Promise<readonly (Stored | undefined)[]> {
    const { disk } = this.#ports;
    // Before anything is read: what changes in between has other stamps the next time.
    const stamps = Float64Array.from(await disk.stampEach(notes.map(({ readFrom }) => readFrom)));
    const looked: (Stored | undefined)[] = [];
    for (const [n, note] of notes.entries()) {
      const own = stamps.subarray(n * stampLength, (n + 1) * stampLength);
      const key = JSON.stringify(note.file);
      const one = this.#known(key, note, own, wanted) ?? (await this.#read(note, own, startMs, wanted));
      if (one !== undefined) stored.set(key, one);
      looked.push(one);
    }
    return looked;
  }

  #known(key: string, note: NoteFile, stamps: FileStamps, wanted: Wanted): Stored | undefined {
    const isEnough = (text: string) => wanted === 'names' || !hasNamesAlone(text);
    const last = this.#stored.get(key);
    const isSame = last?.note.readFrom === note.readFrom && areSameStamps(last.stamps, stamps);
    if (last !== undefined && isSame && isEnough(last.text)) return last;
    const text = this.#saved?.get(key, stamps);
    return text === undefined || !isEnough(text) ? undefined : { note, stamps, text };
  }

  async #read(note: NoteFile, stamps: FileStamps, startMs: number, wanted: Wanted): Promise<Stored | undefined> {
    const names = wanted === 'names' ? await this.#plainNames(note) : undefined;
    const found = names === undefined ? await findNote(this.#ports.disk, note) : undefined;
    const text = names === undefined ? found && formatKnown(found) : formatNames(names);
    if (text === undefined) return undefined;
    this.#changes += 1;
    // A file that can still change without a trace in its stamps is read again the next time.
    return { note, stamps: isSettled(stamps, startMs) ? stamps : [], text };
  }

  /** Undefined for a file that has to be read whole to know them. */
  async #plainNames(note: NoteFile): Promise<readonly string[] | undefined> {
    try {
      const text = await readTextIfExists(this.#ports.disk, note.readFrom, { bytesMax: entryBytesMax });
      return text === undefined ? undefined : plainNamesOf(text, note);
    } catch (error) {
      // What is wrong with the file is found where it is read whole.
      if (!isRavelError(error)) throw error;
      return undefined;
    }
  }
}

/** The folded names of an entry, a line separator that JSON escapes, and what was found. */
function formatKnown(found: FoundNote): string {
  const names = found.head === undefined ? [] : [...new Set(namesOfEntry(found.head).map(foldName))];
  return `${formatNames(names)}${formatFoundNote(found)}`;
}

function formatNames(names: readonly string[]): string {
  return `${JSON.stringify(names)}\t`;
}

function hasNamesAlone(text: string): boolean {
  return text.endsWith('\t');
}

function namesEnd(text: string): number {
  return text.indexOf('\t');
}

function foundOf({ note, text }: Pick<Stored, 'note' | 'text'>): FoundNote {
  return parseFoundNote(text.slice(namesEnd(text) + 1), note);
}
