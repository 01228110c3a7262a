import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import type { Disk, FileStat } from './disk.ts';
import { changedMeanwhile } from './diskErrors.ts';
import { systemCode } from './errors.ts';

/** Whether a file with this content is as a caller saw it; undefined for no file. */
export type Seen = (bytes: Buffer | undefined) => boolean;

/**
 * Renames `from` over `path`, but only if `path` is still as the caller saw it; otherwise throws
 * `yaml/changedMeanwhile`, and both keep their names and contents. Another program can save the file at any moment: the
 * last look at it and the rename are one step, and the replaced file keeps a second name until it is known to be what
 * the caller saw. What a program wrote into it after that look is put back. Only another file that is renamed to `path`
 * in the microseconds between that look and the rename can still be lost. `name` is the second name, in the same folder.
 * Errors are the system's own.
 */
export async function replaceSeen(
  disk: Disk,
  from: string,
  path: string,
  isSeen: Seen,
  name = besideName(path),
): Promise<void> {
  const kept = await keep(disk, path, name);
  try {
    const own = await disk.lstat(from);
    const found = await readBoth(disk, kept ?? path);
    if (!isSeen(found?.bytes)) throw changedMeanwhile(path);
    if (!(await disk.renameIf(from, path, (now) => isSameFile(now, found?.stat)))) throw changedMeanwhile(path);
    if (kept === undefined || isSeen(await disk.readFile(kept))) return;
    await bringBack(disk, { from, path, kept, own });
    throw changedMeanwhile(path);
  } finally {
    // A stale file does no harm.
    if (kept !== undefined) await disk.unlink(kept).catch(() => undefined);
  }
}

function besideName(path: string): string {
  return `.${basename(path)}.${randomBytes(6).toString('hex')}.tmp`;
}

/** A second name for the file; undefined if there is none, or on a file system without hard links. */
async function keep(disk: Disk, path: string, name: string): Promise<string | undefined> {
  const kept = join(dirname(path), name);
  try {
    await disk.link(path, kept);
    return kept;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    // The last look is all there is then.
    return undefined;
  }
}

/** The stamps first: what is written while it is read makes them differ. */
async function readBoth(
  disk: Disk,
  path: string,
): Promise<{ readonly stat: FileStat; readonly bytes: Buffer } | undefined> {
  try {
    const stat = await disk.lstat(path);
    return { stat, bytes: await disk.readFile(path) };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

/** A second name changes neither. */
export function isSameFile(now: FileStat | undefined, then: FileStat | undefined): boolean {
  if (now === undefined || then === undefined) return now === then;
  return now.inode === then.inode && now.size === then.size && now.mtimeMs === then.mtimeMs;
}

interface Replaced {
  readonly from: string;
  readonly path: string;
  readonly kept: string;
  readonly own: FileStat;
}

/** Puts the replaced file back, unless `path` was saved once more: that save takes precedence. */
async function bringBack(disk: Disk, { from, path, kept, own }: Replaced): Promise<void> {
  // On the medium before the other name: that `from` is gone can mean that the replacement was made.
  await disk.link(path, from);
  await disk.syncDirectory(dirname(path));
  await disk.renameIf(kept, path, (now) => isSameFile(now, own));
  await disk.syncDirectory(dirname(path));
}
