import { rejectOnAbort } from '../base/abort.ts';
import type { ArgumentOf, ResultOf } from '../base/callThread.ts';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { listIfThere } from '../base/diskErrors.ts';
import { messageOf } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import { IdleThread } from '../base/idleThread.ts';
import type { Logger } from '../base/log.ts';
import type { KnowledgeFolder } from './entryFiles.ts';
import type { EntryStore, PageOfFolders } from './entryStore.ts';
import type { VaultLayout } from './layout.ts';

/** Given to the thread when it starts. */
export interface EntryThreadOrder {
  readonly root: string;
  readonly version: string;
}

/** What the thread offers. */
export type OfferedEntries = Pick<EntryStore, 'page' | 'namesakes'>;

export interface EntryThreadOptions {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly clock: Clock;
  readonly log: Logger;
  /** The bundle of `entryWorker.ts`; without it there is no thread. */
  readonly program?: string;
  readonly version: string;
  /** From how many files on the thread is used. */
  readonly notesMax?: number;
}

/** As many files are looked at in less time than a thread takes to start. */
const usualNotesMax = 2000;
const idleMs = 10 * 60_000;
/** About 1 kB for each entry; a vault has 200,000 at the most. */
const heapMb = 1024;
/** MiB for young objects: most of what it makes is dropped at once. */
const youngSizeMb = 192;
const limits = { maxOldGenerationSizeMb: heapMb, maxYoungGenerationSizeMb: youngSizeMb };

/** The thread that looks at the entries of a large vault, so that the owner answers others meanwhile. */
export class EntryThread {
  readonly #options: EntryThreadOptions;
  /** If two of them save, one over the other, that does no harm: either text is a cache. */
  readonly #thread: IdleThread<OfferedEntries>;
  /** Known to be: a vault that has shrunk is read right all the same. */
  #isLarge = false;

  constructor(options: EntryThreadOptions) {
    this.#options = options;
    this.#thread = new IdleThread({ clock: options.clock, idleMs, ends: 'by itself' });
  }

  /** What the thread says; undefined for a vault that is small enough to be read here, and if no thread can do it. */
  async ask<Name extends keyof OfferedEntries>(
    name: Name,
    asked: ArgumentOf<OfferedEntries, Name> & Pick<PageOfFolders, 'folders'>,
    signal?: AbortSignal,
  ): Promise<ResultOf<OfferedEntries, Name> | undefined> {
    signal?.throwIfAborted();
    if (!(await this.#isNeeded(asked.folders))) return undefined;
    const { program = '', layout, version } = this.#options;
    const workerData: EntryThreadOrder = { root: layout.root, version };
    const thread = this.#thread.use(program, () => ({ workerData, resourceLimits: limits }));
    try {
      const answer = thread.call(name, asked);
      return await (signal === undefined ? answer : rejectOnAbort(answer, signal));
    } catch (error) {
      signal?.throwIfAborted();
      this.#options.log.warn('no thread could look at the entries, so they are read here', { error: messageOf(error) });
      return undefined;
    } finally {
      this.#thread.release();
    }
  }

  /** Resolves once the thread has saved what it found. */
  stop(): Promise<void> {
    return this.#thread.stop();
  }

  async #isNeeded(folders: readonly KnowledgeFolder[]): Promise<boolean> {
    const { program, disk, layout, notesMax = usualNotesMax } = this.#options;
    if (program === undefined) return false;
    // If a thread was once worth it there is a cache, and no need to count.
    this.#isLarge ||= (await exists(disk, layout.entries)) || (await hasMoreFiles(disk, folders, notesMax));
    return this.#isLarge && (this.#thread.isRunning || (await exists(disk, program)));
  }
}

/** Counts files until there are more than `max`; what cannot be listed counts for nothing. */
export async function hasMoreFiles(
  disk: Pick<Disk, 'readDirectory'>,
  folders: readonly Pick<KnowledgeFolder, 'readFrom'>[],
  max: number,
): Promise<boolean> {
  const pending = folders.map(({ readFrom }) => readFrom);
  let count = 0;
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const folder = next;
    const entries = await listIfThere(disk, folder).catch(() => []);
    for (const { name, kind } of entries) {
      if (kind === 'file') count += 1;
      else if (kind === 'directory' && !name.startsWith('.')) pending.push(`${folder}/${name}`);
    }
    // Folders count as well, so that this ends soon whatever is in them.
    count += 1;
    if (count > max) return true;
  }
  return false;
}
