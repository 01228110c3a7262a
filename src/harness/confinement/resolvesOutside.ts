import { isAbsolute, join, sep } from 'node:path';
import type { ReadingDisk } from '../../base/disk.ts';
import { isWithin } from '../../base/paths.ts';

/** As many as Linux follows. */
const linksMax = 40;

/**
 * Whether a path leads to something without passing through any of `folders`. Who may change those decides where any other
 * path leads, and each command follows it again: a link of a home into a project could become one to a key.
 */
export async function resolvesOutside(disk: ReadingDisk, path: string, folders: readonly string[]): Promise<boolean> {
  let links = 0;
  let at: string = sep;
  const rest = path.split(sep);
  try {
    for (let part = rest.shift(); part !== undefined; part = rest.shift()) {
      const next = join(at, part);
      if (folders.some((folder) => isWithin(folder, next))) return false;
      const { kind } = await disk.lstat(next);
      if (kind !== 'symlink') {
        at = next;
        continue;
      }
      links += 1;
      if (links > linksMax) return false;
      const target = await disk.readLink(next);
      rest.unshift(...target.split(sep));
      if (isAbsolute(target)) at = sep;
    }
    return true;
  } catch {
    // What is not there yet can be made to lead anywhere.
    return false;
  }
}
