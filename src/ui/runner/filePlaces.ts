import { isAbsolute, relative, resolve } from 'node:path';
import type { FilePlace } from '../../model/webview.ts';

/** The folders that a page may name files in. */
export type PlaceRoots = Readonly<Record<FilePlace['root'], string>>;

/**
 * The absolute path of a place; undefined if it is outside of the folders, since a page shows untrusted texts, and they
 * can name files that a person does not want to open.
 */
export function resolvePlace({ root, path }: FilePlace, roots: PlaceRoots): string | undefined {
  if (path.includes('\0')) return undefined;
  const absolute = resolve(roots[root], path);
  const allowed = isAbsolute(path) ? Object.values(roots) : [roots[root]];
  return allowed.some((folder) => isInside(absolute, folder)) ? absolute : undefined;
}

/** Where a path leads once its links are followed; rejects if it leads to nothing. */
export type RealPath = (path: string) => Promise<string>;

/**
 * Whether a path that lies in one of the folders does so in truth: a link in a project leads wherever its author likes, and
 * what is opened through it would be edited there. What is not there leads nowhere.
 */
export async function staysInside(path: string, folders: readonly string[], realPath: RealPath): Promise<boolean> {
  const reallyAt = (place: string) => realPath(place).catch(() => undefined);
  const real = await reallyAt(path);
  if (real === undefined) return true;
  for (const folder of folders) {
    const top = await reallyAt(folder);
    if (top !== undefined && isInside(real, top)) return true;
  }
  return false;
}

function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '' && !way.startsWith('..') && !isAbsolute(way);
}
