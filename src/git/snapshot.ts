import { posix } from 'node:path';
import { isRavelError } from '../base/errors.ts';
import { withoutEnd } from '../base/text.ts';
import { failure } from '../model/codes.ts';
import { type Git, gitText } from './git.ts';
import { isBelow, literalExclusion } from './pathspec.ts';
import { locateRepository, readHead } from './repository.ts';
import { splitNul } from './splitNul.ts';
import { readStatus, type StatusEntry } from './status.ts';
import { withTemporaryIndex } from './temporaryIndex.ts';

/** What of the work tree to look at; most public functions take its fields one by one. */
export interface Scope {
  readonly directory: string;
  /** Commit to compare with; undefined compares with nothing at all, as before a first commit. */
  readonly baseline: string | undefined;
  /** Literal paths relative to the directory; each leaves out itself and all below it. */
  readonly exclude: readonly string[];
}

/** Bytes of a diff that are kept; the rest is cut and its length reported. */
const diffBytesMax = 1024 * 1024;

/**
 * Unified diff of the directory's work tree against the baseline, then that of untracked files; paths are relative to
 * the directory, binary files are only named. Longer than a mebibyte, it is cut, and ends with lines that say so and
 * name the files whose changes are missing. Neither the person's index nor any file is touched, and the content of
 * untracked files is not stored.
 */
export async function diffSince(
  git: Git,
  directory: string,
  baseline: string | undefined,
  exclude: readonly string[],
): Promise<string> {
  const scope = { directory, baseline, exclude };
  const against = await treeOf(git, scope);
  const tracked = await diffPart(git, scope, { against, environment: {}, bytesMax: diffBytesMax });
  const added = await withUntracked(git, scope, (environment) =>
    diffPart(git, scope, { environment, bytesMax: diffBytesMax - tracked.bytes }),
  );
  if (added === undefined) return cutNotice(tracked.text, tracked.missing);
  return cutNotice(tracked.text + added.text, [...tracked.missing, ...added.missing]);
}

/** The same between the baseline and a tree that is stored. */
export async function diffBetween(git: Git, scope: Scope, tree: string): Promise<string> {
  const against = `${await treeOf(git, scope)}..${tree}`;
  const { text, missing } = await diffPart(git, scope, { against, environment: {}, bytesMax: diffBytesMax });
  return cutNotice(text, missing);
}

/**
 * Lends the environment in which `git diff` shows the untracked files, and them alone, as added; undefined if there
 * are none.
 */
export async function withUntracked<T>(
  git: Git,
  scope: Scope,
  use: (environment: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T | undefined> {
  const untracked = await untrackedNames(git, scope);
  if (untracked.length === 0) return undefined;
  const place = await locateRepository(git, scope.directory);
  return withTemporaryIndex(git, place.gitDirectory, async (indexFile) => {
    const environment = { GIT_INDEX_FILE: indexFile };
    const stdin = Buffer.from(untracked.map((path) => `${path}\0`).join(''), 'latin1');
    const add = ['-c', 'core.sparseCheckout=false', '-c', 'advice.addEmbeddedRepo=false', '--literal-pathspecs', 'add'];
    const args = [...add, '--intent-to-add', '--pathspec-from-file=-', '--pathspec-file-nul'];
    await git.run(scope.directory, args, { environment, stdin });
    return use(environment);
  });
}

/** Paths of the directory that differ from the baseline, untracked ones included; sorted. */
export async function changedPaths(
  git: Git,
  directory: string,
  baseline: string | undefined,
  exclude: readonly string[],
): Promise<string[]> {
  const scope = { directory, baseline, exclude };
  const against = await treeOf(git, scope);
  const args = [...diffArgs, '--no-renames', '--name-only', '-z', against, '--', '.', ...exclusions(scope)];
  const { stdout } = await git.run(scope.directory, args);
  const untracked = (await untrackedNames(git, scope)).map((path) => Buffer.from(path, 'latin1').toString('utf8'));
  return [...new Set([...splitNul(stdout), ...untracked])].sort();
}

/** Files of a `--stat` that are listed; of the others only their number is given. */
const statusLinesMax = 500;

/** For a prompt: what changed since the baseline, in figures, and what is not committed, line by line. */
export async function treeSnapshot(
  git: Git,
  directory: string,
  baseline: string | undefined,
  exclude: readonly string[],
): Promise<string> {
  const scope = { directory, baseline, exclude };
  const against = await treeOf(git, scope);
  const stat = [...diffArgs, '--find-renames', '--stat=120', `--stat-count=${statusLinesMax}`];
  const figures = await gitText(git, scope.directory, [...stat, against, '--', '.', ...exclusions(scope)]);
  const lines = (await readStatus(git, scope.directory)).filter((entry) => !isBelow(entry.path, scope.exclude));
  const since = scope.baseline === undefined ? 'Since the beginning' : `Since ${scope.baseline.slice(0, 12)}`;
  const rest = lines.length > statusLinesMax ? [`... and ${lines.length - statusLinesMax} more`] : [];
  return [
    `${since} (tracked files):`,
    figures === '' ? 'no changes' : figures,
    '',
    'Not committed:',
    ...(lines.length === 0 ? ['nothing, the work tree is clean'] : lines.slice(0, statusLinesMax).map(statusLine)),
    ...rest,
    '',
  ].join('\n');
}

export interface HistoryCommit {
  /** Full hash. */
  readonly hash: string;
  readonly title: string;
  /** Values in the order of the message; of one key the last is the one that code wrote. */
  readonly trailers: Readonly<Record<string, readonly string[]>>;
}

export interface GitLogOptions {
  /** Only commits that touch the directory. */
  readonly belowDirectory?: boolean;
}

/** Commits after `baseline` (all when undefined), oldest first; of the whole repository unless told otherwise. */
export async function commitsSince(
  git: Git,
  directory: string,
  baseline: string | undefined,
  options: GitLogOptions = {},
): Promise<HistoryCommit[]> {
  const paths = options.belowDirectory === true ? ['--', '.'] : ['--'];
  return unlessUnborn(git, directory, readLog(git, directory, ['--reverse', ...rangeFrom(baseline), ...paths]));
}

/**
 * The newest commit whose last trailer of this key has the value. Only the last counts: the words of a session stand above
 * what code appends, and can claim anything.
 */
export async function findByTrailer(
  git: Git,
  directory: string,
  trailer: readonly [key: string, value: string],
  range: CommitRange = {},
): Promise<HistoryCommit | undefined> {
  return (await commitsWithTrailer(git, directory, trailer, range))[0];
}

/** Commits of HEAD, or up to another one; without those that are in the history of `after`. */
export interface CommitRange {
  readonly after?: string | undefined;
  readonly upTo?: string | undefined;
}

export function revisionsIn({ after, upTo = 'HEAD' }: CommitRange): string[] {
  return after === undefined ? [upTo] : [upTo, `^${after}`];
}

/** All such commits, newest first. */
export async function commitsWithTrailer(
  git: Git,
  directory: string,
  [key, value]: readonly [key: string, value: string],
  range: CommitRange = {},
): Promise<HistoryCommit[]> {
  const args = ['--fixed-strings', `--grep=${key}: ${value}`, ...revisionsIn(range), '--'];
  const commits = await unlessUnborn(git, directory, readLog(git, directory, args));
  return commits.filter((commit) => lastTrailer(commit, key) === value);
}

export function lastTrailer(commit: HistoryCommit, key: string): string | undefined {
  return Object.hasOwn(commit.trailers, key) ? commit.trailers[key]?.at(-1) : undefined;
}

/** Content of a file in a commit, as text; undefined if there is no such file. The path is relative to the directory. */
export async function showFile(git: Git, directory: string, commit: string, path: string): Promise<string | undefined> {
  const [text] = await showFiles(git, directory, commit, [path]);
  return text;
}

/** The same of several files, in their order, in one process. */
export async function showFiles(
  git: Git,
  directory: string,
  commit: string,
  paths: readonly string[],
): Promise<(string | undefined)[]> {
  if (paths.some((path) => path.includes('\n'))) {
    const blobs = await Promise.all(paths.map((path) => readBlob(git, directory, commit, path)));
    return blobs.map((blob) => blob?.content.toString('utf8'));
  }
  const named = paths.map((path) => `${commit}:./${withoutEnd(posix.normalize(path), '/')}`);
  const stdin = [`${commit}^{commit}`, ...named].map((name) => `${name}\n`).join('');
  const { stdout } = await git.run(directory, ['cat-file', '--batch'], { stdin });
  const [found, ...files] = parseBatch(stdout, named.length + 1);
  if (found === undefined) throw failure('git/failed', directory, `There is no commit ${commit} in the repository.`);
  return files.map((file) => (file?.type === 'blob' ? file.content.toString('utf8') : undefined));
}

/** What `git cat-file --batch` prints for each name; undefined for what is not there. */
function parseBatch(output: Buffer, count: number): ({ type: string; content: Buffer } | undefined)[] {
  const objects: ({ type: string; content: Buffer } | undefined)[] = [];
  for (let at = 0; objects.length < count; ) {
    const end = output.indexOf('\n', at);
    const [, type, size] = /^[0-9a-f]+ (\w+) (\d+)$/.exec(output.toString('latin1', at, end)) ?? [];
    const begin = end + 1;
    objects.push(type === undefined ? undefined : { type, content: output.subarray(begin, begin + Number(size)) });
    at = type === undefined ? begin : begin + Number(size) + 1;
  }
  return objects;
}

export interface Blob {
  readonly kind: 'file' | 'executable' | 'symlink';
  /** Byte for byte; of a symlink its target. */
  readonly content: Buffer;
}

const kindsByMode: Readonly<Record<string, Blob['kind']>> = { '100755': 'executable', '120000': 'symlink' };

/** Of one file, with what kind of file it is. */
export async function readBlob(git: Git, directory: string, commit: string, path: string): Promise<Blob | undefined> {
  const listing = await gitText(git, directory, ['ls-tree', '-z', commit, '--', withoutEnd(path, '/')]);
  const [, mode = '', type, hash] = /^(\d+) (\w+) ([0-9a-f]+)\t/.exec(listing) ?? [];
  if (type !== 'blob' || hash === undefined) return undefined;
  const { stdout: content } = await git.run(directory, ['cat-file', 'blob', hash]);
  return { kind: kindsByMode[mode] ?? 'file', content };
}

/** Every setting of a person that would change the form of a diff is answered here. */
export const diffArgs: readonly string[] = [
  ...['-c', 'core.quotePath=false', '-c', 'diff.suppressBlankEmpty=false'],
  ...['-c', 'diff.context=3', '-c', 'diff.interHunkContext=0'],
  ...['diff', '--no-color', '--no-ext-diff', '--no-textconv', '--relative'],
  ...['--src-prefix=a/', '--dst-prefix=b/', '--submodule=short', '-O/dev/null'],
  // To look for changes inside a submodule, git would run there, with settings that were not checked.
  '--ignore-submodules=dirty',
];

export function exclusions(scope: Scope): string[] {
  return scope.exclude.map(literalExclusion);
}

/** The baseline, or the tree that holds nothing, under the name that this repository's hash gives it. */
export function treeOf(git: Git, scope: Scope): Promise<string> {
  if (scope.baseline !== undefined) return Promise.resolve(scope.baseline);
  return gitText(git, scope.directory, ['hash-object', '-t', 'tree', '--stdin'], { stdin: '' });
}

/** As byte strings (latin1), so that git finds every one of them again. What ends in `/` is a repository of its own. */
export async function untrackedNames(git: Git, scope: Scope): Promise<string[]> {
  const { stdout } = await git.run(scope.directory, ['ls-files', '--others', '--exclude-standard', '-z']);
  const exclude = scope.exclude.map((path) => Buffer.from(path, 'utf8').toString('latin1'));
  return splitNul(stdout, 'latin1').filter((path) => !path.endsWith('/') && !isBelow(path, exclude));
}

interface DiffPart {
  readonly text: string;
  readonly bytes: number;
  /** Files whose changes are not in the text, or not wholly. */
  readonly missing: readonly string[];
}

interface DiffRequest {
  /** Compared with the index when undefined. */
  readonly against?: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly bytesMax: number;
}

async function diffPart(git: Git, scope: Scope, request: DiffRequest): Promise<DiffPart> {
  const { environment } = request;
  const range = [...(request.against === undefined ? [] : [request.against]), '--', '.', ...exclusions(scope)];
  const args = [...diffArgs, '--find-renames'];
  const bytesMax = Math.max(0, request.bytesMax);
  const { stdout, cut } = await git.run(scope.directory, [...args, '--patch', ...range], {
    environment,
    cutBytes: bytesMax,
  });
  if (!cut) return { text: stdout.toString('utf8'), bytes: stdout.length, missing: [] };
  const whole = stdout.subarray(0, stdout.lastIndexOf('\n') + 1);
  const text = whole.toString('utf8');
  // No line of a change starts like this, so these are the files; the last of them is the one that was cut.
  const begun = text.match(/^diff --git /gm)?.length ?? 0;
  const names = await git.run(scope.directory, [...args, '--name-only', '-z', ...range], { environment });
  return { text, bytes: bytesMax, missing: splitNul(names.stdout).slice(Math.max(0, begun - 1)) };
}

/** Missing files that are listed. */
const missingNamesMax = 100;

function cutNotice(text: string, missing: readonly string[]): string {
  if (missing.length === 0) return text;
  const names = missing.slice(0, missingNamesMax).map((path) => `  ${readable(path)}`);
  const more = missing.length > missingNamesMax ? [`  ... and ${missing.length - missingNamesMax} more`] : [];
  return [`${text}[cut at ${diffBytesMax} bytes; not or not wholly shown:`, ...names, ...more, ']', ''].join('\n');
}

function statusLine(entry: StatusEntry): string {
  const from = entry.from === undefined ? '' : `${readable(entry.from)} -> `;
  return `${entry.letters} ${from}${readable(entry.path)}`;
}

/** A path on one line. */
function readable(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what needs quoting
  return /[\u0000-\u001f\u007f"\\]/.test(path) ? JSON.stringify(path) : path;
}

function rangeFrom(baseline: string | undefined): string[] {
  return baseline === undefined ? ['HEAD'] : ['HEAD', `^${baseline}`];
}

const unitSeparator = '\x1f';
/** What git is to print of a commit's trailers, for `parseTrailers`. */
export const trailerFormat = '%(trailers:only,unfold,separator=%x1f)';
const format = `--format=%H%x00%s%x00${trailerFormat}`;

/** Commits as fields between NUL characters, whatever a person's settings of `git log` are. */
export const logArgs: readonly string[] = [
  ...['-c', 'log.follow=false', 'log', '-z', '--no-show-signature', '--no-color', '--encoding=UTF-8'],
];

async function readLog(git: Git, directory: string, args: readonly string[]): Promise<HistoryCommit[]> {
  const { stdout } = await git.run(directory, [...logArgs, format, ...args]);
  const fields = splitNul(stdout);
  const commits: HistoryCommit[] = [];
  for (let at = 0; at + 2 < fields.length; at += 3) {
    commits.push({
      hash: fields[at] ?? '',
      title: fields[at + 1] ?? '',
      trailers: parseTrailers(fields[at + 2] ?? ''),
    });
  }
  return commits;
}

/** Nothing before the first commit, where git fails. HEAD is looked for only then: nearly always there is one. */
export async function unlessUnborn<T>(git: Git, directory: string, commits: Promise<T[]>): Promise<T[]> {
  try {
    return await commits;
  } catch (error) {
    if (!isRavelError(error, 'git/failed') || (await readHead(git, directory)) !== undefined) throw error;
    return [];
  }
}

export function parseTrailers(text: string): Record<string, string[]> {
  const trailers: Record<string, string[]> = Object.create(null);
  for (const line of text.split(unitSeparator)) {
    const colon = line.indexOf(':');
    if (colon <= 0) continue;
    const key = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    const known = trailers[key];
    if (known === undefined) trailers[key] = [value];
    else known.push(value);
  }
  return trailers;
}

/** The files of a folder that git keeps, relative to it; none if it is not in a repository or git refuses. */
export async function trackedPaths(git: Git, directory: string): Promise<readonly string[]> {
  try {
    const { stdout } = await git.run(directory, ['ls-files', '-z']);
    return splitNul(stdout);
  } catch (error) {
    // Without them a name that several files have may be taken for one of them; no call ends for that.
    if (!isRavelError(error)) throw error;
    return [];
  }
}
