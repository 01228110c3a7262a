import { basename, dirname, join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { toDiskError } from '../base/diskErrors.ts';
import { systemCode } from '../base/errors.ts';
import { ensureDirectory, exists, isTemporaryName, readTextIfExists, writeAtomic } from '../base/files.ts';

/** Files to make below a folder, by relative path with `/`. The last one is the mark of a whole tree. */
export type Scaffold = ReadonlyMap<string, string>;

/** What may stand in the folder beside the scaffold. */
export interface Expected {
  readonly ignored?: readonly string[];
  readonly emptyFolders?: readonly string[];
}

/**
 * The first thing in `root` that the scaffold would not have put there; undefined when there is none, as after a crash
 * in the middle of `writeScaffold`, whose work may then be completed.
 */
export async function findForeign(
  disk: Disk,
  root: string,
  scaffold: Scaffold,
  expected: Expected = {},
): Promise<string | undefined> {
  const folders = new Set([...foldersOf(scaffold), ...(expected.emptyFolders ?? [])]);
  const pending = [''];
  for (const folder of pending) {
    for (const entry of await readFolder(disk, join(root, folder))) {
      const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
      if (expected.ignored?.includes(path)) continue;
      if (entry.kind === 'directory' && folders.has(path)) pending.push(path);
      else if (entry.kind !== 'file' || !(await isOwn(disk, root, path, scaffold))) return path;
    }
  }
  return undefined;
}

/** Makes the folders, then the files that are not there yet, the last one last; and removes what a crash left. */
export async function writeScaffold(disk: Disk, root: string, scaffold: Scaffold): Promise<void> {
  for (const folder of ['', ...foldersOf(scaffold)]) {
    const path = join(root, folder);
    await ensureDirectory(disk, path);
    // One that a crash left behind was made, yet perhaps never synced.
    await disk.syncDirectory(dirname(path));
    for (const { name } of await disk.readDirectory(path)) {
      const isUnfinished = isTemporaryName(name) && targetOf(folder, name, scaffold) !== undefined;
      if (isUnfinished) await disk.unlink(join(path, name));
    }
  }
  for (const [path, text] of scaffold) {
    if (!(await exists(disk, join(root, path)))) await writeAtomic(disk, join(root, path), text);
  }
}

/** Every folder that a path of the scaffold lies in, parents first. */
function foldersOf(scaffold: Scaffold): Set<string> {
  const folders = new Set<string>();
  for (const path of scaffold.keys()) {
    for (let at = path.indexOf('/'); at > 0; at = path.indexOf('/', at + 1)) folders.add(path.slice(0, at));
  }
  return folders;
}

async function isOwn(disk: Disk, root: string, path: string, scaffold: Scaffold): Promise<boolean> {
  const text = scaffold.get(path);
  if (text !== undefined) return (await readTextIfExists(disk, join(root, path))) === text;
  const folder = dirname(path) === '.' ? '' : dirname(path);
  return isTemporaryName(basename(path)) && targetOf(folder, basename(path), scaffold) !== undefined;
}

/** The file of the scaffold that a temporary name stands for. */
function targetOf(folder: string, temporaryName: string, scaffold: Scaffold): string | undefined {
  const paths = [...scaffold.keys()];
  return paths.find((path) => {
    const parent = dirname(path) === '.' ? '' : dirname(path);
    return parent === folder && temporaryName.startsWith(`.${basename(path)}.`);
  });
}

async function readFolder(disk: Disk, path: string) {
  try {
    return await disk.readDirectory(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return [];
    throw toDiskError(error, path, 'read');
  }
}
