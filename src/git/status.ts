import { join } from 'node:path';
import type { Disk, FileStat } from '../base/disk.ts';
import { isAbsent } from '../base/diskErrors.ts';
import { hashFile, sha256 } from '../base/files.ts';
import type { TreeEntry } from '../base/treeEntries.ts';
import { failure } from '../model/codes.ts';
import { type Git, gitText } from './git.ts';
import { splitNul } from './splitNul.ts';

/** One path that differs between the last commit, the person's index and the work tree. */
export interface StatusEntry {
  /** Relative to the directory that was asked for, with `/`. A repository inside the repository ends in `/`. */
  readonly path: string;
  readonly kind: 'tracked' | 'untracked' | 'unmerged';
  /** Two letters as `git status --short` shows them: index, then work tree; `.` for no change, `??` untracked. */
  readonly letters: string;
  /** The old path of a rename or copy. */
  readonly from?: string;
  /** A submodule, or an untracked repository of its own. */
  readonly repository: boolean;
}

/**
 * What `git status` says of the directory and all below it; ignored files are left out. `knownPrefix` is where the
 * directory lies below the root of its repository, as `Repository` has it; git is asked for it if it is needed.
 */
export async function readStatus(git: Git, directory: string, knownPrefix?: string): Promise<StatusEntry[]> {
  const { stdout } = await git.run(directory, [...statusArgs, '--renames', '--', '.']);
  const entries = parseStatus(splitNul(stdout));
  if (entries.length === 0) return [];
  const prefix = knownPrefix ?? (await gitText(git, directory, ['rev-parse', '--show-prefix']));
  return entries.map((entry) => ({
    ...entry,
    path: belowPrefix(entry.path, prefix),
    ...(entry.from === undefined ? {} : { from: belowPrefix(entry.from, prefix) }),
  }));
}

/**
 * Compares a submodule by its commit only: to look for changes inside, git would run there, with settings that were not
 * checked.
 */
export const statusArgs: readonly string[] = [
  ...['status', '--porcelain=v2', '-z', '--untracked-files=all', '--ignore-submodules=dirty'],
];

/** Fields of `git status --porcelain=v2 -z` as entries; paths as they come, from the repository's root. */
export function parseStatus(fields: readonly string[]): StatusEntry[] {
  const entries: StatusEntry[] = [];
  for (let at = 0; at < fields.length; at++) {
    const field = fields[at] ?? '';
    if (field.startsWith('1 ')) entries.push(trackedEntry(field, 8));
    if (field.startsWith('u ')) entries.push({ ...trackedEntry(field, 10), kind: 'unmerged' });
    if (field.startsWith('? ')) entries.push(untrackedEntry(field.slice(2)));
    if (field.startsWith('2 ')) {
      entries.push({ ...trackedEntry(field, 9), from: fields[at + 1] ?? '' });
      at++;
    }
  }
  return entries;
}

/**
 * What is in the work tree at each path, as an opaque text that changes with the bytes, the kind and the executable
 * bit; null if nothing is. Filters of git play no part. Paths are relative to the directory.
 */
export async function hashPaths(
  git: Git,
  directory: string,
  paths: readonly string[],
): Promise<Map<string, string | null>> {
  const hashes = new Map<string, string | null>();
  for (const path of paths) hashes.set(path, await hashPath(git.disk, join(directory, path)));
  return hashes;
}

function belowPrefix(path: string, prefix: string): string {
  return path.startsWith(prefix) ? path.slice(prefix.length) : path;
}

/** `blanks` spaces stand before the path, which may hold spaces itself. */
function trackedEntry(field: string, blanks: number): StatusEntry {
  const parts = field.split(' ');
  return {
    path: parts.slice(blanks).join(' '),
    kind: 'tracked',
    letters: parts[1] ?? '',
    repository: parts.slice(2, blanks).includes('160000'),
  };
}

function untrackedEntry(path: string): StatusEntry {
  return { path, kind: 'untracked', letters: '??', repository: path.endsWith('/') };
}

/** What `hashPaths` says of a path that holds this. */
export function hashOfEntry(entry: TreeEntry): string {
  if (entry.kind === 'symlink') return `symlink:${sha256(entry.target)}`;
  return `${entry.isExecutable ? 'program' : 'file'}:${sha256(entry.content)}`;
}

async function hashPath(disk: Disk, path: string): Promise<string | null> {
  try {
    const stat = await disk.lstat(path);
    if (stat.kind === 'symlink') return `symlink:${sha256(await disk.readLink(path))}`;
    if (stat.kind !== 'file') return stat.kind;
    return `${isExecutable(stat) ? 'program' : 'file'}:${await hashFile(disk, path)}`;
  } catch (error) {
    // ENOTDIR: a file stands where a folder on the way was.
    if (isAbsent(error)) return null;
    throw failure('disk/failed', path, `${path} could not be read.`, { cause: error });
  }
}

function isExecutable(stat: FileStat): boolean {
  return (stat.mode & 0o111) !== 0;
}
