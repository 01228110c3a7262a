import type { Git } from './git.ts';
import { resolveCommit } from './repository.ts';
import { diffArgs, exclusions, type Scope, treeOf, withUntracked } from './snapshot.ts';
import { splitNul } from './splitNul.ts';

/** How one file changed, as `git diff --numstat` counts it. */
export interface DiffStat {
  /** Relative to the directory, with `/`. */
  readonly path: string;
  readonly status: 'added' | 'changed' | 'removed';
  /** Lines added and removed; absent for a file that is not text. */
  readonly added?: number;
  readonly removed?: number;
}

/** The directory's work tree against the baseline, untracked files included; sorted by path. */
export async function diffStatsSince(git: Git, scope: Scope): Promise<DiffStat[]> {
  const range = ['--', '.', ...exclusions(scope)];
  const against = await treeOf(git, scope);
  const tracked = await numstat(git, scope.directory, [against, ...range]);
  const untracked = await withUntracked(git, scope, (environment) => numstat(git, scope.directory, range, environment));
  const byPath = new Map([...tracked, ...(untracked ?? [])].map((stats) => [stats.path, stats]));
  return [...byPath.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The same of a tree that is stored instead of the work tree. */
export async function diffStatsBetween(git: Git, scope: Scope, tree: string): Promise<DiffStat[]> {
  return numstat(git, scope.directory, [await treeOf(git, scope), tree, '--', '.', ...exclusions(scope)]);
}

/** What a commit did to the files of the directory. */
export async function diffStatsOfCommit(git: Git, directory: string, commit: string): Promise<DiffStat[]> {
  const against = (await parentOf(git, directory, commit)) ?? (await emptyTree(git, directory));
  return numstat(git, directory, [against, commit, '--', '.']);
}

/** The first parent; undefined for a commit without one. */
export function parentOf(git: Git, directory: string, commit: string): Promise<string | undefined> {
  return resolveCommit(git, directory, `${commit}^`);
}

function emptyTree(git: Git, directory: string): Promise<string> {
  return treeOf(git, { directory, baseline: undefined, exclude: [] });
}

async function numstat(
  git: Git,
  directory: string,
  range: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<DiffStat[]> {
  const run = async (format: string) => {
    const { stdout } = await git.run(directory, [...diffArgs, '--no-renames', format, '-z', ...range], { environment });
    return splitNul(stdout);
  };
  const statuses = await run('--name-status');
  const lines = new Map((await run('--numstat')).map(parseNumbers));
  const stats: DiffStat[] = [];
  for (let at = 0; at + 1 < statuses.length; at += 2) {
    const path = statuses[at + 1] ?? '';
    stats.push({ path, status: statusOf(statuses[at] ?? ''), ...lines.get(path) });
  }
  return stats;
}

function statusOf(letter: string): DiffStat['status'] {
  if (letter.startsWith('A')) return 'added';
  return letter.startsWith('D') ? 'removed' : 'changed';
}

/** `3⇥1⇥path`, with hyphens instead of numbers for a file that is not text. */
function parseNumbers(line: string): [string, Pick<DiffStat, 'added' | 'removed'>] {
  const [added = '', removed = '', ...path] = line.split('\t');
  return [path.join('\t'), added === '-' ? {} : { added: Number(added), removed: Number(removed) }];
}
