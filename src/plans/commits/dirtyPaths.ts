import type { Git } from '../../git/git.ts';
import { changedPaths } from '../../git/snapshot.ts';
import { hashPaths, readStatus } from '../../git/status.ts';
import type { WorkBaseline } from '../../vault/runState.ts';

/**
 * Paths that were dirty before work began and have another content now. One that was committed since is settled: a
 * session cannot commit, so a person has said what is meant. One that is merely clean again lost what a person wrote.
 */
export async function pathsChangedTwice(git: Git, directory: string, baseline: WorkBaseline): Promise<string[]> {
  const now = await hashPaths(
    git,
    directory,
    baseline.dirty.map((entry) => entry.path),
  );
  const changed = baseline.dirty.filter((entry) => now.get(entry.path) !== entry.hash).map((entry) => entry.path);
  if (changed.length === 0) return [];
  const stillDirty = await dirtyPaths(git, directory);
  const sinceBaseline = new Set(await changedPaths(git, directory, baseline.commit, []));
  return changed.filter((path) => stillDirty.has(path) || !sinceBaseline.has(path));
}

/** Paths that were dirty before work began and are so still: a person's, and in no commit of the work. */
export async function pathsLeftOut(git: Git, directory: string, baseline: WorkBaseline): Promise<string[]> {
  if (baseline.dirty.length === 0) return [];
  const stillDirty = await dirtyPaths(git, directory);
  return baseline.dirty.map((entry) => entry.path).filter((path) => stillDirty.has(path));
}

/** Every path with a difference between the last commit, the index and the work tree; of a rename both, for its old path is a deletion. */
export async function dirtyPaths(git: Git, directory: string, knownPrefix?: string): Promise<Set<string>> {
  const status = await readStatus(git, directory, knownPrefix);
  const paths = status.flatMap(({ path, from, letters }) =>
    from !== undefined && letters.includes('R') ? [path, from] : [path],
  );
  return new Set(paths.sort());
}
