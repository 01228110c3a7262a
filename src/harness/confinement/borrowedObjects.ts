import { basename, join, resolve } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';

/** Bytes of an `alternates` file that are read. */
const bytesMax = 64 * 1024;
/** As far as git follows them itself. */
const depthMax = 5;

/** Folders from which a repository borrows objects, as after `git clone --shared`: git reads nothing without them. */
export async function borrowedObjects(disk: ReadingDisk, commonDirectory: string): Promise<string[]> {
  const found = new Set<string>();
  let folders = [join(commonDirectory, 'objects')];
  for (let depth = 0; depth < depthMax && folders.length > 0; depth++) {
    const named = (await Promise.all(folders.map((folder) => namedBy(disk, folder)))).flat();
    const real = await Promise.all(named.map((path) => disk.realPath(path).catch(() => undefined)));
    // Only a folder named `objects` counts: another path could be listed just to make it visible to commands.
    folders = real.filter((path) => path !== undefined && basename(path) === 'objects' && !found.has(path)) as string[];
    for (const folder of folders) found.add(folder);
  }
  return [...found];
}

async function namedBy(disk: ReadingDisk, folder: string): Promise<string[]> {
  const [bytes] = await disk.readEach([join(folder, 'info', 'alternates')], bytesMax);
  const lines = (bytes?.toString('utf8') ?? '').split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => resolve(folder, line));
}
