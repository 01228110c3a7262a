import type { Git } from './git.ts';
import { literalPathspec } from './pathspec.ts';
import { resolveCommit } from './repository.ts';
import {
  type CommitRange,
  type HistoryCommit,
  logArgs,
  parseTrailers,
  revisionsIn,
  trailerFormat,
  unlessUnborn,
} from './snapshot.ts';
import { splitNul } from './splitNul.ts';

/** A commit with who made it and when. */
export interface DatedCommit extends HistoryCommit {
  /** ISO 8601 in UTC, to the second. */
  readonly at: string;
  readonly author: string;
}

/** A commit by its name or the beginning of it; undefined if there is none of that name. */
export async function showCommit(git: Git, directory: string, revision: string): Promise<DatedCommit | undefined> {
  if (revision.startsWith('-')) return undefined;
  const hash = await resolveCommit(git, directory, revision);
  return hash === undefined ? undefined : (await readCommits(git, directory, ['--max-count=1', hash, '--']))[0];
}

/**
 * The oldest commit in which a line of a file began to match `pattern`, an extended regular expression; undefined if
 * none did. The path is relative to the directory; renames are not followed.
 */
export async function firstCommitWith(
  git: Git,
  directory: string,
  { path, pattern, ...range }: { readonly path: string; readonly pattern: string } & CommitRange,
): Promise<DatedCommit | undefined> {
  const args = ['--pickaxe-regex', `-S${pattern}`, ...revisionsIn(range), '--', literalPathspec(path)];
  return (await unlessUnborn(git, directory, readCommits(git, directory, args))).at(-1);
}

/** Fields that `git log` prints of each commit. */
const fieldCount = 5;
const format = `--format=%H%x00%s%x00%ad%x00%an%x00${trailerFormat}`;

async function readCommits(git: Git, directory: string, args: readonly string[]): Promise<DatedCommit[]> {
  const dates = '--date=format-local:%Y-%m-%dT%H:%M:%SZ';
  // A search for a change would look at what a converter of the repository makes of each file.
  const options = [...logArgs, '--no-textconv', '--no-ext-diff'];
  const { stdout } = await git.run(directory, [...options, dates, format, ...args], { environment: { TZ: 'UTC' } });
  const fields = splitNul(stdout);
  const commits: DatedCommit[] = [];
  for (let from = 0; from + fieldCount <= fields.length; from += fieldCount) {
    const [hash = '', title = '', at = '', author = '', trailers = ''] = fields.slice(from, from + fieldCount);
    commits.push({ hash, title, at, author, trailers: parseTrailers(trailers) });
  }
  return commits;
}
