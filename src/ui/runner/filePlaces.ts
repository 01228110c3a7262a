import { isAbsolute, relative, resolve } from 'node:path';
import type { FilePlace } from '../../model/webview.ts';

/** The folders that a page may name files in. */
export type PlaceRoots = Readonly<Record<FilePlace['root'], string>>;

/**
 * The absolute path of a place; undefined where it lies in none of the folders, since a page shows texts that nobody
 * vouches for, and what they name is not always what a person wants to open.
 */
export function resolvePlace({ root, path }: FilePlace, roots: PlaceRoots): string | undefined {
  if (path.includes('\0')) return undefined;
  const absolute = resolve(roots[root], path);
  const allowed = isAbsolute(path) ? Object.values(roots) : [roots[root]];
  return allowed.some((folder) => isInside(absolute, folder)) ? absolute : undefined;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
