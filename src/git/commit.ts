import { posix } from 'node:path';
import { assert } from '../base/assert.ts';
import { isRavelError } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { ConfinedHooks } from './confinedHooks.ts';
import { afterOutput, type Git, gitText } from './git.ts';
import { assertHooksAccepted, type CommitPlaces, hooksOfCommit, readCommitPlaces, readHooks } from './hooks.ts';
import { assertPathspec, isBelow, isExclusion, plainPath } from './pathspec.ts';
import {
  assertReady,
  locateRepository,
  type RepositoryPlace,
  type RepositoryState,
  readHead,
  readState,
} from './repository.ts';
import { syncCommit } from './repositorySync.ts';
import { splitNul } from './splitNul.ts';
import { assertReviewed, type Review } from './stagedDiff.ts';
import { parseStatus, type StatusEntry, statusArgs } from './status.ts';
import { waitForIndex, withTemporaryIndex } from './temporaryIndex.ts';

export interface CommitRequest {
  readonly directory: string;
  /** Pathspecs relative to the directory; exclusions among them narrow the others. */
  readonly paths: readonly string[];
  /** Literal paths relative to the directory; each keeps itself and all below it out. */
  readonly exclude: readonly string[];
  readonly message: string;
  readonly trailers: readonly (readonly [key: string, value: string])[];
  /** Looks at exactly what would be committed, and can refuse it with `gate/secretInCommit`. */
  readonly review?: Review;
  /** The identity to commit with if git has none configured; without it such a commit fails with `git/noIdentity`. */
  readonly fallbackIdentity?: Identity;
  /**
   * The paths are Ravel's to keep: the person's index follows the last commit at all of them that differ, even if a
   * crash or a lock cut an earlier commit off from it. Elsewhere such a difference may be what a person staged.
   */
  readonly isOwn?: boolean;
}

export interface Identity {
  readonly name: string;
  readonly email: string;
}

export interface CommittedOutcome {
  readonly outcome: 'committed';
  /** Full hash. */
  readonly commit: string;
  readonly title: string;
  /** Whether HEAD named it as soon as it was made: a hook may have put another one on it. */
  readonly isLast: boolean;
  /** All that the commit changed, relative to the directory: `../` leads to what a hook added outside. */
  readonly paths: readonly string[];
  /** Pathspecs that matched nothing; the others went in. */
  readonly unmatched: readonly string[];
}

export type CommitOutcome =
  | CommittedOutcome
  /** Everything that was named is as the last commit has it. */
  | { readonly outcome: 'nothing' }
  /** There is nothing to commit, and these pathspecs match nothing at all. */
  | { readonly outcome: 'unmatched'; readonly paths: readonly string[] };

/**
 * Commits the work tree's content of exactly the named paths, through an index of our own: what the person staged
 * stays staged, and stays out. Hooks run. Rejects with what `assertReady` throws, `git/badPathspec`, `git/hookRefused`,
 * `git/unaccepted`,
 * `git/indexLocked` or `git/headMoved`; nothing is committed then, unless the message says so.
 */
export async function commitPaths(git: Git, request: CommitRequest): Promise<CommitOutcome> {
  const { directory } = request;
  assert(request.message.trim() !== '', 'a commit needs a message');
  for (const spec of request.paths) assertPathspec(spec, directory);
  const repository = await readState(git, directory);
  // Whether git knows who commits it says itself when it commits.
  assertReady({ ...repository, hasIdentity: true }, directory);
  const { change, unmatched } = await selectPaths(git, repository, request);
  const place = { git, repository, directory };
  const made =
    change.there.length + change.gone.length === 0
      ? undefined
      : await withTemporaryIndex(git, repository.gitDirectory, (indexFile) =>
          commitThrough(place, { GIT_INDEX_FILE: indexFile }, change, request),
        );
  if (made !== undefined) return { outcome: 'committed', ...made, unmatched };
  return unmatched.length === 0 ? { outcome: 'nothing' } : { outcome: 'unmatched', paths: unmatched };
}

/**
 * Makes the person's index agree with the last commit at exactly the paths that this one changed; without it their next
 * commit would revert ours. For what a crash or a lock left between a commit and this step.
 */
export async function refreshIndex(git: Git, directory: string, commit: string): Promise<void> {
  const place = await locateRepository(git, directory);
  await refresh(git, place, await listCommit(git, place.root, commit));
}

/** Paths that a commit changed against its first parent, relative to the directory. */
export async function pathsOfCommit(git: Git, directory: string, commit: string): Promise<string[]> {
  const prefix = await gitText(git, directory, ['rev-parse', '--show-prefix']);
  const output = await listCommit(git, directory, commit);
  return splitNul(output).map((path) => fromPrefix(prefix, path));
}

/** The message with the trailers as its last paragraph, joined to trailers that stand there already. */
export function appendTrailers(message: string, trailers: CommitRequest['trailers']): string {
  const text = message.replace(/\r\n?/g, '\n').trim();
  if (trailers.length === 0) return `${text}\n`;
  const lines = trailers.map(([key, value]) => {
    assert(/^[A-Za-z0-9-]+$/.test(key) && !/[\r\n]/.test(value), `not a trailer: ${key}`);
    return `${key}: ${value}`;
  });
  const paragraphs = text.split(/\n\s*\n/);
  const last = paragraphs.length > 1 ? (paragraphs.at(-1) ?? '') : '';
  const isBlock = last !== '' && last.split('\n').every((line) => /^([A-Za-z0-9-]+: ?\S|\s+\S)/.test(line));
  return `${text}${isBlock ? '\n' : '\n\n'}${lines.join('\n')}\n`;
}

/** Byte strings, from the repository's root. */
interface Change {
  readonly there: readonly string[];
  readonly gone: readonly string[];
}

interface Place {
  readonly git: Git;
  readonly repository: RepositoryState;
  readonly directory: string;
}

/** Inside this file paths from the repository's root are byte strings (latin1), so that no file name is mangled. */
function bytes(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

function joinNul(paths: readonly string[]): string {
  return paths.map((path) => `${path}\0`).join('');
}

async function selectPaths(git: Git, repository: RepositoryState, request: CommitRequest) {
  const { directory } = request;
  const exclusions = request.paths.filter(isExclusion);
  const named = request.paths.filter((spec) => !isExclusion(spec));
  const positive = named.length === 0 ? ['.'] : named;
  const entries = await changedEntries(git, directory, [...positive, ...exclusions]);
  const inside = (path: string) => bytes(posix.join(repository.prefix, path));
  const isChanged = (spec: string) => {
    const path = plainPath(spec);
    return path !== undefined && entries.some((entry) => isBelow(entry.path, [inside(path)]));
  };
  const unclear = positive.filter((spec) => !isChanged(spec));
  // What several found together does not say of a pattern among them that it found something.
  const mayBeChanged = (spec: string) => exclusions.length > 0 || (entries.length > 0 && plainPath(spec) === undefined);
  const isAnswered = positive.length === 1 && entries.length > 0;
  const unmatched = isAnswered ? [] : await matchlessAmong(git, directory, unclear, mayBeChanged);
  const excluded = request.exclude.map(inside);
  const kept = entries.filter((entry) => !entry.repository && !isBelow(entry.path, excluded));
  const conflict = kept.find((entry) => entry.kind === 'unmerged');
  if (conflict !== undefined) {
    const message = `${Buffer.from(conflict.path, 'latin1').toString()} has an unresolved conflict.`;
    throw failure('git/operationInProgress', directory, message, { help: 'Resolve the conflict, then try again.' });
  }
  for (const entry of kept) {
    assert(entry.path.startsWith(bytes(repository.prefix)), `a pathspec left its directory: ${entry.path}`);
  }
  const ignored = await ignoredPaths(git, repository.root, kept);
  const found = kept.filter((entry) => !ignored.has(entry.path));
  const there = new Set(found.filter((entry) => !isGone(entry)).map((entry) => entry.path));
  const gone = found.filter(isGone).map((entry) => entry.path);
  return { change: { there: [...there], gone }, unmatched };
}

/** A file that the person took out of the index alone has an untracked entry too, and is there as well as gone. */
function isGone(entry: StatusEntry): boolean {
  return entry.letters.includes('D');
}

async function changedEntries(git: Git, directory: string, specs: readonly string[]): Promise<StatusEntry[]> {
  const { stdout } = await git.run(directory, [...statusArgs, '--no-renames', '--', ...specs]);
  return parseStatus(splitNul(stdout, 'latin1'));
}

/** Those that match no file of the index, and no change where there may be one that was not found with the others. */
async function matchlessAmong(
  git: Git,
  directory: string,
  specs: readonly string[],
  mayBeChanged: (spec: string) => boolean,
): Promise<string[]> {
  const list = async (some: readonly string[]) => {
    const { stdout } = await git.run(directory, ['ls-files', '-z', '--', ...some]);
    return splitNul(stdout, 'latin1');
  };
  const plain = specs.filter((spec) => plainPath(spec) !== undefined);
  const listed = plain.length > 1 ? await list(plain) : [];
  const isListed = async (spec: string) => {
    const path = plain.length > 1 ? plainPath(spec) : undefined;
    return path === undefined ? (await list([spec])).length > 0 : listed.some((file) => isBelow(file, [bytes(path)]));
  };
  const matchless: string[] = [];
  for (const spec of specs) {
    if (await isListed(spec)) continue;
    if (mayBeChanged(spec) && (await changedEntries(git, directory, [spec])).length > 0) continue;
    matchless.push(spec);
  }
  return matchless;
}

/** What a person forced into the index against .gitignore is theirs to commit. */
async function ignoredPaths(git: Git, root: string, entries: readonly StatusEntry[]): Promise<Set<string>> {
  const added = entries.filter((entry) => entry.letters.startsWith('A') || entry.letters === '.A');
  if (added.length === 0) return new Set();
  const stdin = Buffer.from(joinNul(added.map((entry) => entry.path)), 'latin1');
  const { stdout } = await git.run(root, ['check-ignore', '--no-index', '-z', '--stdin'], { stdin, okCodes: [0, 1] });
  return new Set(splitNul(stdout, 'latin1'));
}

type Environment = Readonly<Record<string, string>>;

async function commitThrough(
  place: Place,
  environment: Environment,
  change: Change,
  request: CommitRequest,
): Promise<Omit<CommittedOutcome, 'outcome' | 'unmatched'> | undefined> {
  const { git, repository } = place;
  await loadHead(place, environment);
  await applyChange(place, environment, change);
  const kept = Buffer.from(request.isOwn === true ? joinNul([...change.gone, ...change.there]) : '', 'latin1');
  const tree = await changedTree(place, environment);
  if (tree === undefined) {
    await refresh(git, repository, kept);
    return undefined;
  }
  if (request.review !== undefined) {
    const { head } = repository;
    await assertReviewed({ git, directory: request.directory, head, environment }, request.review);
  }
  const places = await assertHeadStands(place);
  await runCommit(place, environment, request, places);
  const { commit, title, isLast, paths } = await findOurCommit(place, environment, tree);
  await refreshAfter(place, commit, Buffer.concat([paths, kept]));
  return {
    commit,
    title,
    isLast,
    paths: splitNul(paths).map((path) => fromPrefix(repository.prefix, path)),
  };
}

/**
 * Fills our index with the last commit. `--index-output` starts from the person's index, and so keeps what is known of
 * unchanged files, and which files a sparse checkout leaves out; theirs is locked for the moment and not written.
 */
async function loadHead({ git, repository }: Place, environment: Environment): Promise<void> {
  if (repository.head === undefined) {
    await git.run(repository.root, ['read-tree', '--empty'], { environment });
    return;
  }
  const output = `--index-output=${environment['GIT_INDEX_FILE']}`;
  const args = ['read-tree', '--reset', output, repository.head];
  await waitForIndex(git, () => git.run(repository.root, args));
}

/** Not `git add`: it takes pathspecs, refuses a path that is gone from both sides, and skips a sparse checkout. */
async function applyChange({ git, repository }: Place, environment: Environment, change: Change): Promise<void> {
  const update = async (options: readonly string[], paths: readonly string[]) => {
    if (paths.length === 0) return;
    const args = ['update-index', ...options, '-z', '--stdin'];
    await git.run(repository.root, args, { environment, stdin: Buffer.from(joinNul(paths), 'latin1') });
  };
  // What is gone goes first: if a link took a folder's place, git would not look at a path below it. `--replace`
  // is for a folder that took a file's place when only a path below it was named.
  await update(['--force-remove'], change.gone);
  await update(['--add', '--remove', '--replace'], change.there);
}

/** The tree of what our index holds; undefined if it is that of the last commit. */
async function changedTree({ git, repository }: Place, environment: Environment): Promise<string | undefined> {
  const tree = await gitText(git, repository.root, ['write-tree'], { environment });
  if (repository.tree !== undefined) return tree === repository.tree ? undefined : tree;
  const { stdout } = await git.run(repository.root, ['ls-files', '-z'], { environment });
  return stdout.length === 0 ? undefined : tree;
}

/**
 * From here on git itself refuses when the branch moves, but for the instant before it reads HEAD. If hooks are confined,
 * the same process says where they are.
 */
async function assertHeadStands({ git, repository, directory }: Place): Promise<CommitPlaces | undefined> {
  const asksForHooks = git.confineHooks !== undefined && repository.head !== undefined;
  const places = asksForHooks ? await readCommitPlaces(git, repository.root) : undefined;
  const head = places?.head ?? (await readHead(git, directory));
  if (head === repository.head) return places;
  throw failure('git/headMoved', directory, 'The branch moved while a commit was prepared; nothing was committed.', {
    help: 'Another commit was made at the same moment. Run the phase again.',
  });
}

async function runCommit(
  place: Place,
  environment: Environment,
  request: CommitRequest,
  places: CommitPlaces | undefined,
): Promise<void> {
  const { git, repository } = place;
  await assertHooksAccepted(git, repository.root);
  const hooks = git.confineHooks === undefined ? undefined : await hooksOfCommit(git, repository, places);
  const confined = hooks === undefined ? undefined : await git.confineHooks?.(hooks);
  try {
    await commitWith(place, environment, request, confined);
  } catch (error) {
    const { fallbackIdentity } = request;
    if (fallbackIdentity === undefined || !isRavelError(error, 'git/noIdentity')) throw error;
    await commitWith(place, { ...environment, ...identityEnvironment(fallbackIdentity) }, request, confined);
  } finally {
    await confined?.end();
  }
}

/** git itself runs outside of the sandbox: what signs a commit is the person's. */
async function commitWith(
  { git, repository, directory }: Place,
  environment: Environment,
  request: CommitRequest,
  confined: ConfinedHooks | undefined,
): Promise<void> {
  const args = [
    ...(confined === undefined ? [] : ['-c', `core.hooksPath=${confined.folder}`]),
    // A person's own guess-free identity.
    ...['-c', 'user.useConfigOnly=true', '-c', 'i18n.commitEncoding=UTF-8'],
    // `whitespace` keeps lines that start with #.
    ...['commit', '--quiet', '--no-status', '--cleanup=whitespace', '--file=-'],
  ];
  const stdin = appendTrailers(request.message, request.trailers);
  const run = { environment, stdin, okCodes: [0, 1], hooks: true };
  const { code, stderr } = await git.run(repository.root, args, run);
  if (code === 0) return;
  const title = request.message.trim().split('\n')[0];
  if (await hasRefusingHook(git, repository.root)) {
    const where = confined === undefined ? '' : ' It ran in a sandbox, without your home folder.';
    const message = `A hook refused the commit "${title}".${where}${afterOutput(stderr)}`;
    throw failure('git/hookRefused', directory, message, confined === undefined ? {} : { help: helpInSandbox });
  }
  throw failure('git/failed', directory, `git did not make the commit "${title}".${afterOutput(stderr)}`);
}

const helpInSandbox =
  'Read the output of the hook, fix the problem, then retry. If it needs the network, set sandbox.network to "open" in daemon.toml. If it needs your home folder, make the commit yourself and retry, or set sandbox.commands to "off".';

async function hasRefusingHook(git: Git, root: string): Promise<boolean> {
  const refusing = ['pre-commit', 'prepare-commit-msg', 'commit-msg'];
  return (await readHooks(git, root)).some(({ name }) => refusing.includes(name));
}

interface OurCommit {
  readonly commit: string;
  readonly title: string;
  readonly isLast: boolean;
  /** All that it changed, from the repository's root, each with a NUL behind it. */
  readonly paths: Buffer;
}

/**
 * The commit that follows the head we read. One more may stand on it already (a post-commit hook's, a person's); but
 * when it is not ours, ours came after a foreign one and has undone it. `tree` is what our index held before the hooks.
 */
async function findOurCommit(place: Place, environment: Environment, tree: string): Promise<OurCommit> {
  const { git, repository, directory } = place;
  const last = await readLast(place);
  if (last?.parent === repository.head && last?.tree === tree) return { ...last, isLast: true };
  // A hook changed what was committed, or something stands on our commit.
  const range = repository.head === undefined ? ['HEAD'] : ['HEAD', `^${repository.head}`];
  const after = ['rev-list', '--first-parent', '--reverse', '--parents', '--format=%T %s', ...range];
  const [listed, left] = await Promise.all([
    gitText(git, repository.root, after),
    gitText(git, repository.root, ['write-tree'], { environment }),
  ]);
  // Two lines for each commit: "commit", its hash and its parents; then what the format asks for.
  const [header = '', line = ''] = listed.split('\n');
  const [, commit, parent] = header.split(' ');
  if (commit !== undefined && parent === repository.head && line.startsWith(`${left} `)) {
    const paths = await listCommit(git, repository.root, commit);
    return { commit, title: line.slice(left.length + 1), isLast: commit === last?.commit, paths };
  }
  const message = `A commit was made, but another program committed to ${repository.branch} just before it, and this commit may undo that one.`;
  throw failure('git/headMoved', directory, message);
}

/** The commit that HEAD names now, and what it changed: most often ours, in one process. */
async function readLast({ git, repository }: Place) {
  const { stdout } = await git.run(repository.root, [...listing, '--always', '--pretty=format:%H %P%x00%T %s', 'HEAD']);
  const [header, line] = [stdout.indexOf(0), stdout.indexOf('\n')];
  if (header < 0 || line < header) return undefined;
  const [commit = '', parent = ''] = stdout.toString('utf8', 0, header).split(' ');
  const [tree = '', ...title] = stdout.toString('utf8', header + 1, line).split(' ');
  const paths = stdout.subarray(line + 1);
  return { commit, parent: parent === '' ? undefined : parent, tree, title: title.join(' '), paths };
}

const listing = ['diff-tree', '-r', '--root', '--no-renames', '--name-only', '-z'];

function listCommit(git: Git, directory: string, commit: string): Promise<Buffer> {
  return git.run(directory, [...listing, '--no-commit-id', commit]).then(({ stdout }) => stdout);
}

async function refreshAfter({ git, repository, directory }: Place, commit: string, paths: Buffer): Promise<void> {
  try {
    await refresh(git, repository, paths);
  } catch (error) {
    if (!isRavelError(error, 'git/indexLocked')) throw error;
    const message = `The commit ${commit} was made, but the index is locked and still shows the files as they were.`;
    throw failure('git/indexLocked', directory, message, { cause: error });
  }
}

/** Paths as git lists them from the root, each with a NUL behind it. */
async function refresh(git: Git, place: RepositoryPlace, paths: Buffer): Promise<void> {
  if (paths.length === 0) return;
  const args = ['--literal-pathspecs', 'reset', '--quiet', '--pathspec-from-file=-', '--pathspec-file-nul'];
  await waitForIndex(git, () => git.run(place.root, args, { stdin: paths }));
  await syncCommit(git.disk, place);
}

function fromPrefix(prefix: string, path: string): string {
  return prefix === '' ? path : posix.relative(prefix, path);
}

function identityEnvironment(identity: Identity): Environment {
  return {
    GIT_AUTHOR_NAME: identity.name,
    GIT_AUTHOR_EMAIL: identity.email,
    GIT_COMMITTER_NAME: identity.name,
    GIT_COMMITTER_EMAIL: identity.email,
  };
}
