import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';

/** Every file, link and folder below `folder`, as text: what a crash or a refusal may be compared by. */
export function listTree(folder: string, below = ''): string[] {
  return readdirSync(join(folder, below))
    .sort()
    .flatMap((name) => {
      const path = below === '' ? name : `${below}/${name}`;
      const stat = lstatSync(join(folder, path));
      if (stat.isSymbolicLink()) return [`${path} -> ${readlinkSync(join(folder, path))}`];
      if (stat.isDirectory()) return [`${path}/`, ...listTree(folder, path)];
      return [`${path}: ${readFileSync(join(folder, path), 'utf8')}`];
    });
}
