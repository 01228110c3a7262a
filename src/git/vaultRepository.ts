import { dirname } from 'node:path';
import { type CommitOutcome, commitPaths } from './commit.ts';
import type { Git } from './git.ts';
import { literalPathspec } from './pathspec.ts';
import { syncNewRepository } from './repositorySync.ts';
import { splitNul } from './splitNul.ts';

/** Makes a repository of the directory, and the directory itself, with the branch `main`; one that is there stays as it is. */
export async function initRepository(git: Git, directory: string): Promise<void> {
  await git.run(dirname(directory), ['init', '--quiet', '--initial-branch=main', '--', directory]);
  await syncNewRepository(git.disk, directory);
}

/** The identity for a vault whose owner never told git a name; a person's own identity always goes first. */
const fallbackIdentity = { name: 'Ravel', email: 'ravel@localhost' };

/** Files below a folder of the vault that nothing ignores and its index does not have, relative to the vault. */
export async function untrackedPaths(git: Git, directory: string, below: string): Promise<string[]> {
  const args = ['ls-files', '--others', '--exclude-standard', '-z', '--', literalPathspec(below)];
  return splitNul((await git.run(directory, args)).stdout);
}

/**
 * Commits exactly these paths of the vault (literal, relative to it), whatever else is staged or dirty there. Run again
 * after a crash that came right behind the commit, it refreshes the index, which lacks what is in it.
 */
export function commitOwnPaths(
  git: Git,
  directory: string,
  paths: readonly string[],
  message: string,
): Promise<CommitOutcome> {
  const request = { directory, paths: paths.map(literalPathspec), exclude: [], message, trailers: [], isOwn: true };
  return commitPaths(git, { ...request, fallbackIdentity });
}
