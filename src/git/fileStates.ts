import type { Git } from './git.ts';
import { literalPathspec } from './pathspec.ts';
import { type CommitRange, logArgs, revisionsIn, unlessUnborn } from './snapshot.ts';
import { splitNul } from './splitNul.ts';

/** Files as one commit has them. */
export interface FileState {
  readonly commit: string;
  /** When it was made, as in the commit. */
  readonly at: string;
  readonly title: string;
  /** Ids of their contents, in the order of the files; undefined for one that is not there. */
  readonly ids: readonly (string | undefined)[];
}

/**
 * The commits that changed one of the files, newest first, at most `limit`, with what they made of all of them. Paths are
 * relative to the directory and hold no line end.
 */
export async function fileStates(
  git: Git,
  directory: string,
  { paths, limit, ...range }: CommitRange & { readonly paths: readonly string[]; readonly limit: number },
): Promise<FileState[]> {
  const format = ['--format=%H%x00%cI%x00%s', `--max-count=${limit}`];
  const specs = paths.map((path) => literalPathspec(path));
  const log = async () => {
    const { stdout } = await git.run(directory, [...logArgs, ...format, ...revisionsIn(range), '--', ...specs]);
    const fields = splitNul(stdout);
    return Array.from({ length: Math.floor(fields.length / 3) }, (_none, n) => fields.slice(3 * n, 3 * n + 3));
  };
  const commits = await unlessUnborn(git, directory, log());
  if (commits.length === 0) return [];
  const names = commits.flatMap(([commit]) => paths.map((path) => `${commit}:./${path}\n`));
  const { stdout } = await git.run(directory, ['cat-file', '--batch-check=%(objecttype) %(objectname)'], {
    stdin: names.join(''),
  });
  const found = stdout.toString('utf8').split('\n');
  return commits.map(([commit = '', at = '', title = ''], n) => ({
    ...{ commit, at, title },
    ids: paths.map((_path, m) => /^blob ([0-9a-f]+)$/.exec(found[n * paths.length + m] ?? '')?.[1]),
  }));
}
