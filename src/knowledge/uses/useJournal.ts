import { dirname } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { ensureDirectory, writeAtomic } from '../../base/files.ts';
import { createJournal, type Journal, readJournal } from '../../base/journal.ts';
import { encodeLine } from '../../base/ndjson.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { type EntryUse, type UseSums, useLineSchema } from './entryUse.ts';
import { UseFold } from './foldUses.ts';
import { UsesAside } from './usesAside.ts';

interface OpenJournal {
  readonly journal: Journal;
  readonly fold: UseFold;
  lines: number;
}

/** A journal with more lines is replaced by one line with their sums. */
const linesMax = 5_000;

/**
 * What all uses come to that a journal holds, with those that wait for an owner in the folder `aside`; a missing one holds
 * none. Throws `journal/corrupt`.
 */
export async function loadUses(
  disk: Disk,
  path: string,
  aside?: string,
): Promise<{ readonly fold: UseFold; readonly lines: number }> {
  // First: an owner removes them once they are in the journal.
  const waiting = aside === undefined ? [] : await new UsesAside(disk, aside).load();
  const { records } = await readJournal(disk, path, useLineSchema);
  const fold = new UseFold();
  for (const record of records) fold.add(record);
  for (const use of waiting) fold.add(use);
  return { fold, lines: records.length };
}

/**
 * The uses of entries, in `runtime/knowledge/uses.jsonl`. A use is on the medium once `record` resolves, and counts once
 * however often it is recorded. The file is read at the first use, and has one writer: the owner of the vault.
 */
export class UseJournal {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #linesMax: number;
  readonly #aside: UsesAside | undefined;
  readonly #queue = new SerialQueue();
  #open: OpenJournal | undefined;

  /** `aside` is the folder of uses that were noted while there was no owner. */
  constructor(disk: Disk, path: string, options: { readonly linesMax?: number; readonly aside?: string } = {}) {
    this.#disk = disk;
    this.#path = path;
    this.#linesMax = options.linesMax ?? linesMax;
    this.#aside = options.aside === undefined ? undefined : new UsesAside(disk, options.aside);
  }

  record(use: EntryUse): Promise<void> {
    return this.#queue.run(async () => {
      this.#open ??= await this.#load();
      await this.#add(this.#open, use);
      if (this.#open.lines > this.#linesMax) await this.#compact();
    });
  }

  /** Notes a use in a process that does not own the vault; the next owner takes it in. Its id has to be a ULID. */
  async noteAside(use: EntryUse): Promise<void> {
    await this.#aside?.note(use);
  }

  /** What the uses of an entry under all of these names come to; undefined if there are none. */
  of(names: readonly string[]): Promise<UseSums | undefined> {
    return this.#queue.run(async () => {
      this.#open ??= await this.#load();
      return this.#open.fold.of(names);
    });
  }

  stop(): Promise<void> {
    return this.#queue.run(async () => {
      const open = this.#open;
      this.#open = undefined;
      await open?.journal.close();
    });
  }

  async #load(): Promise<OpenJournal> {
    await ensureDirectory(this.#disk, dirname(this.#path), 0o700);
    const { fold, lines } = await loadUses(this.#disk, this.#path);
    const open = { journal: createJournal(this.#disk, this.#path), fold, lines };
    const waiting = (await this.#aside?.load()) ?? [];
    for (const use of waiting) await this.#add(open, use);
    await this.#aside?.remove(waiting);
    return open;
  }

  async #add(open: OpenJournal, use: EntryUse): Promise<void> {
    if (open.fold.has(use.use)) return;
    await open.journal.append(use);
    open.fold.add(use);
    open.lines += 1;
  }

  /** At each moment the file holds all lines, or the one line that says the same. */
  async #compact(): Promise<void> {
    const open = this.#open;
    if (open === undefined) return;
    this.#open = undefined;
    await open.journal.close();
    await writeAtomic(this.#disk, this.#path, encodeLine(open.fold.carried()), { permissions: 0o600 });
  }
}
