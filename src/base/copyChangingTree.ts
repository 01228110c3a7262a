import { join } from 'node:path';
import type { Disk, EntryKind } from './disk.ts';
import { attempt, ifThere, leadsNowhere } from './diskErrors.ts';
import { systemCode } from './errors.ts';
import { readChunks, writeFully } from './files.ts';

/**
 * Copies a folder in which others write meanwhile. What is gone before it is read, what may not be read, and what is neither
 * file, link nor folder, is left out. The copy is for a while: nothing of it is synced, and a crash may leave a part. `to` must
 * not exist, and lies outside of `from`. Throws `disk/full`, `disk/denied` or `disk/failed`.
 */
export async function copyChangingTree(disk: Disk, from: string, to: string): Promise<void> {
  const stat = await unlessOutOfReach(from, () => disk.lstat(from));
  const entries = stat && (await unlessOutOfReach(from, () => disk.readDirectory(from)));
  if (stat === undefined || entries === undefined) return;
  // The copy of a folder that is read-only has to take what is in it, and to be removed.
  await attempt(to, 'write', () => disk.makeDirectory(to, (stat.mode & 0o777) | 0o700));
  for (const { name, kind } of entries) await copyEntry[kind](disk, join(from, name), join(to, name));
}

const copyEntry: Readonly<Record<EntryKind, (disk: Disk, from: string, to: string) => Promise<void>>> = {
  directory: copyChangingTree,
  file: copyFile,
  symlink: async (disk, from, to) => {
    const target = await unlessOutOfReach(from, () => disk.readLink(from));
    if (target !== undefined) await attempt(to, 'write', () => disk.symlink(target, to));
  },
  other: async () => undefined,
};

async function copyFile(disk: Disk, from: string, to: string): Promise<void> {
  const stat = await unlessOutOfReach(from, () => disk.lstat(from));
  if (stat?.kind !== 'file') return;
  const source = await unlessOutOfReach(from, () => disk.open(from, 'readItself'));
  if (source === undefined) return;
  try {
    await attempt(to, 'write', async () => {
      const target = await disk.open(to, 'exclusive', stat.mode & 0o777);
      try {
        for await (const chunk of readChunks(source, stat.size)) await writeFully(target, chunk);
      } finally {
        await target.close();
      }
    });
  } finally {
    await source.close();
  }
}

function unlessOutOfReach<T>(path: string, read: () => Promise<T>): Promise<T | undefined> {
  return ifThere(path, read, (error) => leadsNowhere(error) || outOfReach.has(systemCode(error) ?? ''));
}

const outOfReach: ReadonlySet<string> = new Set(['EACCES', 'EPERM', 'ENAMETOOLONG']);
