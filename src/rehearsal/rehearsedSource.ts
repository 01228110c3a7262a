import { diffStatsBetween, diffStatsOfCommit } from '../git/diffStats.ts';
import { type Git, gitText } from '../git/git.ts';
import { readHead } from '../git/repository.ts';
import { diffBetween } from '../git/snapshot.ts';
import { splitNul } from '../git/splitNul.ts';
import { storeWorkTree } from '../git/storeWorkTree.ts';
import type { RehearsedCommit, RehearsedSource } from '../model/rehearsal.ts';

/** The copied repository as it was before the plan ran. */
export interface CopiedRepository {
  readonly top: string;
  /** Folders that belong to Ravel and not to the source, from the top. */
  readonly exclude: readonly string[];
  /** The work tree, as a tree of git. */
  readonly tree: string;
  /** The commit; absent before the first one. */
  readonly head?: string;
}

/** What has become of the source since: against the work tree as it was, so that earlier changes are not among it. */
export async function readSource(git: Git, { top, exclude, tree, head }: CopiedRepository): Promise<RehearsedSource> {
  const now = await storeWorkTree(git, top);
  const scope = { directory: top, baseline: tree, exclude };
  const files = await diffStatsBetween(git, scope, now);
  const patch = await diffBetween(git, scope, now);
  return { files, patch, commits: await commitsSince(git, top, head) };
}

async function commitsSince(git: Git, top: string, head: string | undefined): Promise<RehearsedCommit[]> {
  if ((await readHead(git, top)) === undefined) return [];
  const range = head === undefined ? ['HEAD'] : [`${head}..HEAD`];
  const format = ['--reverse', '--no-show-signature', '--no-color', '--encoding=UTF-8', '-z', '--format=%H%n%B'];
  const text = await gitText(git, top, ['-c', 'log.follow=false', 'log', ...format, ...range]);
  const commits: RehearsedCommit[] = [];
  for (const entry of splitNul(Buffer.from(text))) {
    const end = entry.indexOf('\n');
    const commit = entry.slice(0, end);
    const stats = await diffStatsOfCommit(git, top, commit);
    commits.push({
      commit,
      message: withoutRavelTrailers(entry.slice(end + 1).trim()),
      paths: stats.map(({ path }) => path),
    });
  }
  return commits;
}

/** Ravel's own trailers are for finding its commits again and tell a reader nothing; those of a person stay. */
function withoutRavelTrailers(message: string): string {
  const lines = message.split('\n');
  while (/^Ravel-[A-Za-z-]+: /.test(lines.at(-1) ?? '')) lines.pop();
  return lines.join('\n').trim();
}
