import type { Clock } from '../base/clock.ts';
import type { FileStamps, ReadingDisk } from '../base/disk.ts';
import type { EntryPlace, KnowledgeEntry } from './entryFile.ts';
import { knowledgeFolders, type NoteFile, type ProjectPlace, readEntry } from './entryFiles.ts';
import { type EntryCache, type EntrySurvey, type FoundNote, surveyEntries } from './entrySurvey.ts';
import type { VaultLayout } from './layout.ts';
import { areSameStamps } from './stampedCache.ts';

export interface EntryCatalogPorts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  readonly clock: Pick<Clock, 'wallMs'>;
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
