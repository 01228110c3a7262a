import { join, relative } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';
import { isWithin } from '../../base/paths.ts';
import type { Mount } from './sandboxLayout.ts';

/**
 * Which mount below a folder that commands may change leads to another place than its path says, as a sentence;
 * undefined if none does. The sandbox would open that place to them.
 */
export async function findStrayMount(
  disk: ReadingDisk,
  mounts: readonly Mount[],
  writable: readonly string[],
): Promise<string | undefined> {
  const real = (path: string) => disk.realPath(path).catch(() => undefined);
  for (const { path } of mounts) {
    const folder = writable.findLast((one) => isWithin(one, path));
    if (folder === undefined) continue;
    const [top, found] = await Promise.all([real(folder), real(path)]);
    if (top === undefined || found === undefined) continue;
    if (found !== join(top, relative(folder, path))) return `${path} leads to ${found} through a symbolic link.`;
  }
  return undefined;
}
