import { join } from 'node:path';
import type { Disk } from './disk.ts';
import { attempt, ifThere } from './diskErrors.ts';
import { ensureDirectory } from './files.ts';
import { createJournal, type Journal, readJournal, readRange } from './journal.ts';
import { parseJson } from './json.ts';
import { listNumbers, numberedFile } from './numberedFiles.ts';
import { SerialQueue } from './semaphore.ts';

/** A longer journal becomes a part: what is read of it is then read by the mebibyte. */
const partBytes = 1024 * 1024;

/** Where the earlier parts of a journal are, as `000001.jsonl` and so on. */
export function partsFolder(path: string): string {
  return path.replace(/\.jsonl$/, '.parts');
}

/** As `createJournal`; once it is longer than a part it goes on in a new file, and what it has until then is a part. */
export function createDividedJournal(disk: Disk, path: string, bytesMax = partBytes): Journal {
  const queue = new SerialQueue();
  let journal = createJournal(disk, path);
  return {
    append: (value) =>
      queue.run(async () => {
        const begin = await journal.append(value);
        if (begin <= bytesMax) return begin;
        // The record is durable already: what happens to its file now says nothing against it.
        await journal.close().catch(() => undefined);
        journal = createJournal(disk, path);
        // A journal that cannot be divided now is divided after the next record.
        await divideJournal(disk, path).catch(() => undefined);
        return begin;
      }),
    close: () => queue.run(() => journal.close()),
  };
}

/**
 * Makes the journal's current file a part, by a rename: no record is in two files, or in none. The journal must not be
 * open.
 */
export async function divideJournal(disk: Disk, path: string): Promise<void> {
  const folder = partsFolder(path);
  await ensureDirectory(disk, folder);
  const part = numberedFile(folder, ((await listNumbers(disk, folder)).at(-1) ?? 0) + 1);
  await attempt(path, 'write', () => disk.renameIf(path, part, (now) => now === undefined));
  for (const changed of [folder, join(folder, '..')]) await attempt(path, 'write', () => disk.syncDirectory(changed));
}

/** Given the records of a part, the newest part first: whether the reader needs none of the parts before it. */
export type IsEnough = (records: readonly unknown[]) => boolean;

/** Given the first record of a part: whether all of the part is newer than what the reader wants. */
export type IsTooNew = (first: unknown) => boolean;

/** Reads after which the parts are returned as they are, although the newest one was divided meanwhile. */
const readsMax = 5;

/**
 * The records of a journal and of its parts, the oldest first, but of no part before the first that is enough, and of none
 * that is too new, of which no more than the beginning is read. Throws `journal/corrupt` for a bad line in what is read.
 */
export async function readDividedJournal(
  disk: Disk,
  path: string,
  isEnough: IsEnough = () => false,
  isTooNew?: IsTooNew,
): Promise<unknown[]> {
  const read = async (file: string) => {
    const isLeftOut = isTooNew?.(await firstRecord(disk, file));
    return isLeftOut ? [] : (await readJournal(disk, file)).records;
  };
  for (let reads = 1; ; reads++) {
    const inode = await inodeOf(disk, path);
    const found = [await read(path)];
    const folder = partsFolder(path);
    for (const number of (await listNumbers(disk, folder)).reverse()) {
      if (isEnough(found[0] ?? [])) break;
      found.unshift(await read(numberedFile(folder, number)));
    }
    // If it became a part meanwhile, its records were read twice, or those of its successor not at all.
    if (reads === readsMax || (await inodeOf(disk, path)) === inode) return found.flat();
  }
}

/** Bytes at the beginning of a part that are read. */
const beginningBytes = 64 * 1024;

/** Undefined if the beginning of the file has no whole record, or a bad one, which reading the whole file reports. */
async function firstRecord(disk: Disk, path: string): Promise<unknown> {
  const file = await ifThere(path, () => disk.open(path, 'read'));
  if (file === undefined) return undefined;
  try {
    const size = Math.min(await file.size(), beginningBytes);
    const beginning = size === 0 ? Buffer.alloc(0) : await readRange(file, 0, size);
    return parseJson(beginning.subarray(0, Math.max(0, beginning.indexOf('\n'))).toString('utf8'));
  } finally {
    await file.close();
  }
}

async function inodeOf(disk: Disk, path: string): Promise<number | undefined> {
  return (await ifThere(path, () => disk.lstat(path)))?.inode;
}
