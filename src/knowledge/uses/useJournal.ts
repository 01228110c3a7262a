import { dirname } from 'node:path';
import type { Disk } from '../../base/disk.ts';
import { ensureDirectory, writeAtomic } from '../../base/files.ts';
import { createJournal, type Journal, readJournal } from '../../base/journal.ts';
import { encodeLine } from '../../base/ndjson.ts';
import { SerialQueue } from '../../base/semaphore.ts';
import { type EntryUse, type UseSums, useLineSchema } from './entryUse.ts';
import { UseFold } from './foldUses.ts';

/** A journal with more lines is replaced by one line with their sums. */
const linesMax = 5_000;

/** What all uses come to that a journal holds; a missing one holds none. Throws `journal/corrupt`. */
export async function loadUses(disk: Disk, path: string): Promise<{ readonly fold: UseFold; readonly lines: number }> {
  const { records } = await readJournal(disk, path, useLineSchema);
  const fold = new UseFold();
  for (const record of records) fold.add(record);
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
  readonly #queue = new SerialQueue();
  #open: { readonly journal: Journal; readonly fold: UseFold; lines: number } | undefined;

  constructor(disk: Disk, path: string, options: { readonly linesMax?: number } = {}) {
    this.#disk = disk;
    this.#path = path;
    this.#linesMax = options.linesMax ?? linesMax;
  }

  record(use: EntryUse): Promise<void> {
    return this.#queue.run(async () => {
      this.#open ??= await this.#load();
      const open = this.#open;
      if (open.fold.has(use.use)) return;
      await open.journal.append(use);
      open.fold.add(use);
      open.lines += 1;
      if (open.lines > this.#linesMax) await this.#compact();
    });
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

  async #load() {
    await ensureDirectory(this.#disk, dirname(this.#path), 0o700);
    const { fold, lines } = await loadUses(this.#disk, this.#path);
    return { journal: createJournal(this.#disk, this.#path), fold, lines };
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
