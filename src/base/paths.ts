import { isAbsolute, relative, sep } from 'node:path';

/** Whether a path is the folder or below it; both absolute. */
export function isWithin(folder: string, path: string): boolean {
  const way = relative(folder, path);
  return way === '' || (!isAbsolute(way) && way.split(sep)[0] !== '..');
}
