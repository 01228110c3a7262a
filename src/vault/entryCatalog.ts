import type { Clock } from '../base/clock.ts';
import type { FileStamps, ReadingDisk } from '../base/disk.ts';
import type { EntryPlace, KnowledgeEntry } from './entryFile.ts';
import { knowledgeFolders, type NoteFile, type ProjectPlace, readEntry } from './entryFiles.ts';
import { fitsFilter } from './entryFilter.ts';
import { type EntryList, type EntryListOrder, startAfter } from './entryList.ts';
import type { NameInFolders, Namesakes } from './entryStore.ts';
import { type EntryCache, type EntrySurvey, type FoundNote, surveyEntries } from './entrySurvey.ts';
import type { EntryThread } from './entryThread.ts';
import type { VaultLayout } from './layout.ts';
import { areSameStamps } from './stampedCache.ts';

export interface EntryCatalogPorts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  readonly clock: Pick<Clock, 'wallMs'>;
  /** Absent if no vault is so large that it is needed. */
  readonly thread?: Pick<EntryThread, 'ask'>;
}

/**
 * The entries of a vault and its projects, for one process. It reads a file again only if its stamps differ from the
 * last time, and remembers of each entry only its head, so ten thousand entries cost some megabytes.
 */
export class EntryCatalog {
  readonly #ports: EntryCatalogPorts;
  #known = new Map<string, Known>();

  constructor(ports: EntryCatalogPorts) {
    this.#ports = ports;
  }

  /** The vault's own first, then those of each project; archived ones behind the others of their folder. */
  async survey(plans: readonly ProjectPlace[], signal?: AbortSignal): Promise<EntrySurvey> {
    const { disk, layout, clock } = this.#ports;
    const before = this.#known;
    const known = new Map<string, Known>();
    const cache: EntryCache = {
      get(note, stamps) {
        const last = before.get(note.file);
        if (last === undefined || last.note.readFrom !== note.readFrom || !areSameStamps(last.stamps, stamps))
          return undefined;
        known.set(note.file, last);
        return last.found;
      },
      put: (note, stamps, found) => known.set(note.file, { note, stamps, found }),
    };
    const survey = await surveyEntries({ disk, cache, nowMs: clock.wallMs() }, knowledgeFolders(layout, plans), signal);
    this.#known = known;
    return survey;
  }

  /** A part of all entries, in the order of a survey. Of a large vault only what the page takes is read. */
  async page(plans: readonly ProjectPlace[], order: EntryListOrder, signal?: AbortSignal): Promise<EntryList> {
    const folders = knowledgeFolders(this.#ports.layout, plans);
    const page = await this.#ports.thread?.ask('page', { folders, order }, signal);
    if (page !== undefined) return page;
    const { heads, diagnostics } = await this.survey(plans, signal);
    const fitting = heads.filter((head) => fitsFilter(head, order));
    const start = startAfter(fitting, order.after) + order.from;
    const shown = fitting.slice(start, start + order.limit);
    const more = Math.max(0, fitting.length - start - shown.length);
    return { heads: shown, total: fitting.length, more, isAtMost: false, diagnostics };
  }

  /** What a new entry of this name, in this file, has to be told apart from. */
  async namesakes(
    plans: readonly ProjectPlace[],
    { name, file }: Pick<NameInFolders, 'name' | 'file'>,
  ): Promise<Namesakes> {
    const folders = knowledgeFolders(this.#ports.layout, plans);
    const found = await this.#ports.thread?.ask('namesakes', { folders, name, file });
    if (found !== undefined) return found;
    const { heads, others } = await this.survey(plans);
    return { heads, files: [...heads, ...others.map(({ note }) => note)].map((place) => place.file) };
  }

  /** An entry with its text, as it is on disk now; undefined if it is gone or cannot be read as one any more. */
  async load({ file, project, path, isArchived }: EntryPlace): Promise<KnowledgeEntry | undefined> {
    const readFrom = this.#known.get(file)?.note.readFrom ?? file;
    const parsed = await readEntry(this.#ports.disk, { file, project, path, isArchived, readFrom });
    return parsed?.kind === 'entry' ? parsed.entry : undefined;
  }
}

interface Known {
  readonly note: NoteFile;
  readonly stamps: FileStamps;
  readonly found: FoundNote;
}
