import { decodeName, isNoUtf8, toSystemPath } from '../base/fileNames.ts';
import type { TreeEntry } from '../base/treeEntries.ts';
import type { Git } from './git.ts';
import { type Blob, diffArgs, exclusions, type Scope, treeOf, untrackedNames } from './snapshot.ts';
import { splitNul } from './splitNul.ts';

/** What a tree of git has at a path. */
export interface StoredEntry {
  readonly kind: Blob['kind'];
  /** Of the object that holds its content. */
  readonly id: string;
}

/** A path of the work tree that is not as in the baseline. */
export interface ChangedEntry {
  /** Relative to the directory, with `/`, as `decodeName` has it: also one that is not valid UTF-8 is found again. */
  readonly path: string;
  /** As in the baseline; absent if it has nothing there. */
  readonly before?: StoredEntry;
}

/** All of them but submodules, sorted by path; untracked files included, and none that git ignores. */
export async function changedEntries(git: Git, scope: Scope): Promise<ChangedEntry[]> {
  const against = await treeOf(git, scope);
  const range = ['--raw', '--no-abbrev', '-z', against, '--', '.', ...exclusions(scope)];
  const { stdout } = await git.run(scope.directory, [...diffArgs, '--no-renames', ...range]);
  const untracked = (await untrackedNames(git, scope)).map((path) => ({ path: exactName(path) }));
  const tracked = parseRaw(splitNul(stdout, 'latin1'));
  // What is in the baseline and in no index is in both lists.
  const byPath = new Map<string, ChangedEntry>([...untracked, ...tracked].map((entry) => [entry.path, entry]));
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

const kinds: Readonly<Record<string, Blob['kind']>> = {
  '100644': 'file',
  '100755': 'executable',
  '120000': 'symlink',
};

/** Two fields for each path: `:100644 100755 <id> <id> M`, and the path. */
function parseRaw(fields: readonly string[]): ChangedEntry[] {
  const entries: ChangedEntry[] = [];
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = '', newMode, id = ''] = (fields[at] ?? '').slice(1).split(' ');
    if (oldMode === submodule || newMode === submodule) continue;
    const kind = kinds[oldMode];
    const path = exactName(fields[at + 1] ?? '');
    entries.push(kind === undefined ? { path } : { path, before: { kind, id } });
  }
  return entries;
}

const submodule = '160000';

function exactName(latin1: string): string {
  return decodeName(Buffer.from(latin1, 'latin1'));
}

/** Those of the paths whose content git hands to a program of the repository or the person, such as git-lfs. */
export async function filteredPaths(git: Git, directory: string, paths: readonly string[]): Promise<Set<string>> {
  if (paths.length === 0) return new Set();
  const stdin = Buffer.concat(paths.map((path) => Buffer.concat([Buffer.from(toSystemPath(path)), Buffer.of(0)])));
  const { stdout } = await git.run(directory, ['check-attr', '-z', '--stdin', 'filter'], { stdin });
  const fields = splitNul(stdout, 'latin1');
  const filtered = new Set<string>();
  for (let at = 0; at + 2 < fields.length; at += 3) {
    const value = fields[at + 2];
    if (value !== 'unspecified' && value !== 'unset') filtered.add(exactName(fields[at] ?? ''));
  }
  return filtered;
}

/**
 * What a stored entry is in the work tree, with the line ends that the settings of the path ask for. `prefix` is where the
 * directory lies in its work tree: '' or 'a/b/'.
 */
export async function readStoredEntry(
  git: Git,
  { directory, prefix }: { readonly directory: string; readonly prefix: string },
  path: string,
  { kind, id }: StoredEntry,
): Promise<TreeEntry> {
  // No argument can name a path that is not valid UTF-8; such a path has no settings of its own.
  const asInTree = kind === 'symlink' || isNoUtf8(path) ? ['blob'] : ['--filters', `--path=${prefix}${path}`];
  const { stdout: content } = await git.run(directory, ['cat-file', ...asInTree, id]);
  if (kind === 'symlink') return { kind, target: decodeName(content) };
  return { kind: 'file', content, isExecutable: kind === 'executable' };
}
