import { join } from 'node:path';
import type { Disk, EntryKind } from './disk.ts';
import { ifThere, toDiskError } from './diskErrors.ts';
import { writeFully } from './files.ts';

/**
 * Copies a folder in which others write meanwhile. What is gone before it is read is left out, as is what is neither file,
 * link nor folder. The copy is for a while: nothing of it is synced, and a crash may leave a part. `to` must not exist.
 * Throws `disk/full`, `disk/denied` or `disk/failed`.
 */
export async function copyChangingTree(disk: Disk, from: string, to: string): Promise<void> {
  const stat = await ifThere(from, () => disk.lstat(from));
  if (stat === undefined) return;
  const entries = await ifThere(from, () => disk.readDirectory(from));
  if (entries === undefined) return;
  await write(to, () => disk.makeDirectory(to, stat.mode & 0o777));
  for (const { name, kind } of entries) await copyEntry[kind](disk, join(from, name), join(to, name));
}

const copyEntry: Readonly<Record<EntryKind, (disk: Disk, from: string, to: string) => Promise<void>>> = {
  directory: copyChangingTree,
  file: copyFile,
  symlink: async (disk, from, to) => {
    const target = await ifThere(from, () => disk.readLink(from));
    if (target !== undefined) await write(to, () => disk.symlink(target, to));
  },
  other: async () => undefined,
};

async function copyFile(disk: Disk, from: string, to: string): Promise<void> {
  const stat = await ifThere(from, () => disk.lstat(from));
  const bytes = stat?.kind === 'file' ? await ifThere(from, () => disk.readFile(from)) : undefined;
  if (stat === undefined || bytes === undefined) return;
  await write(to, async () => {
    const file = await disk.open(to, 'exclusive', stat.mode & 0o777);
    try {
      await writeFully(file, bytes);
    } finally {
      await file.close();
    }
  });
}

async function write<T>(path: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw toDiskError(error, path, 'write');
  }
}
