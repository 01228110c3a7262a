import { dirname, join, resolve } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import { failure } from '../model/codes.ts';

/** Where git may find a repository from a directory, by the files that say so. */
export interface RepositoryFiles {
  /** Git directories, absolute: the nearest first, each followed by the one whose settings it shares. */
  readonly gitDirectories: readonly string[];
  /** The text of each configuration file of theirs, by its absolute path. */
  readonly configurations: ReadonlyMap<string, string>;
}

/**
 * Files of a git directory, each with the text by which it means to git what its absence does. While hooks run in a
 * sandbox, Ravel puts them where there are none (`plans/commits/standIns.ts`).
 */
export const textsOfAbsence: ReadonlyMap<string, string> = new Map([
  ['commondir', '.\n'],
  ['config', ''],
  ['config.worktree', ''],
]);

/** Bytes of a configuration file that are read. */
const configurationBytesMax = 4 * 1024 * 1024;
/** Bytes of a file that holds one path, such as `.git` of a working tree. */
export const pointerBytesMax = 64 * 1024;

/**
 * Every repository that git could take for that of a directory, and not only the nearest: which one it takes depends on
 * whether it is sound, which may change in between. Throws `git/failed` for a configuration of more than 4 MiB.
 */
export async function findRepositoryFiles(disk: Disk, directory: string): Promise<RepositoryFiles> {
  const from = (await ifThere(directory, () => disk.realPath(directory), leadsNowhere)) ?? directory;
  const found = await Promise.all(foldersUpFrom(from).map((folder) => gitDirectoriesIn(disk, folder)));
  const gitDirectories = [...new Set(found.flat())];
  const files = gitDirectories.flatMap((folder) => [join(folder, 'config'), join(folder, 'config.worktree')]);
  const texts = await Promise.all(files.map((file) => readSmall(disk, file, configurationBytesMax)));
  const configurations = new Map<string, string>();
  for (const [at, file] of files.entries()) {
    const text = texts[at];
    if (text !== undefined) configurations.set(file, text);
  }
  return { gitDirectories, configurations };
}

function foldersUpFrom(directory: string): string[] {
  const folders = [directory];
  for (let at = directory; dirname(at) !== at; at = dirname(at)) folders.push(dirname(at));
  return folders;
}

async function gitDirectoriesIn(disk: Disk, folder: string): Promise<string[]> {
  const [link, bare] = await Promise.all([
    statOf(disk, join(folder, '.git')),
    // A folder that is a git directory itself; git takes it if it is older than `safe.bareRepository`.
    statOf(disk, join(folder, 'HEAD')),
  ]);
  const found: string[] = [];
  if (link?.kind === 'directory') found.push(join(folder, '.git'));
  if (link?.kind === 'file') {
    const text = await readSmall(disk, join(folder, '.git'), pointerBytesMax);
    const target = /^gitdir: ?([^\r\n]+)/.exec(text ?? '')?.[1];
    if (target !== undefined) found.push(resolve(folder, target));
  }
  if (bare?.kind === 'file') found.push(folder);
  const shared = await Promise.all(found.map((place) => commonDirectory(disk, place)));
  return found.flatMap((place, at) => [place, shared[at]].filter((folder) => folder !== undefined));
}

/**
 * Of a work tree that was added with `git worktree`: the git directory of the first one, which holds the settings and the
 * branches. Undefined elsewhere.
 */
export async function commonDirectory(disk: Disk, gitDirectory: string): Promise<string | undefined> {
  const text = await readSmall(disk, join(gitDirectory, 'commondir'), pointerBytesMax);
  const target = text?.replace(/\r?\n$/, '') ?? '';
  return target === '' ? undefined : resolve(gitDirectory, target);
}

function statOf(disk: Disk, path: string) {
  return ifThere(path, () => disk.stat(path), leadsNowhere);
}

async function readSmall(disk: Disk, path: string, bytesMax: number): Promise<string | undefined> {
  const stat = await statOf(disk, path);
  // Reading a pipe would block; git itself would block as well, but it is ended.
  if (stat === undefined || stat.kind === 'directory') return undefined;
  if (stat.kind !== 'file' || stat.size > bytesMax) {
    throw failure('git/failed', path, `${path} is not a file of at most ${bytesMax} bytes, so git was not started.`);
  }
  // Bytes that are not valid UTF-8 stay distinct.
  return (await ifThere(path, () => disk.readFile(path)))?.toString('latin1');
}
