import { join, resolve } from 'node:path';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { exists } from '../base/files.ts';
import { failure } from '../model/codes.ts';
import { type Git, type GitRunOptions, gitText } from './git.ts';

/** What a person can have left half done in a repository. */
export type RepositoryOperation = 'rebase' | 'merge' | 'cherry-pick' | 'revert' | 'bisect';

/** The repository around a directory, and in what state it is. */
export interface Repository {
  /** Top of the work tree, absolute, symlinks resolved. */
  readonly root: string;
  /** Path of the directory below the root: '' or 'a/b/'. */
  readonly prefix: string;
  /** Of this work tree, absolute. */
  readonly gitDirectory: string;
  /** Full hash; undefined while there are no commits. */
  readonly head?: string;
  /** Full hash of that commit's tree. */
  readonly tree?: string;
  /** Short name; undefined on a detached head. */
  readonly branch?: string;
  readonly operation?: RepositoryOperation;
  /** Whether a name and an address are configured; what git would guess from the host does not count. */
  readonly hasIdentity: boolean;
}

/** Rejects with `git/notARepository` if there is none, or only a bare one. */
export async function inspectRepository(git: Git, directory: string): Promise<Repository> {
  // Each is a process of its own; none needs the answer of another.
  const [state, knowsAuthor, knowsCommitter] = await Promise.all([
    readState(git, directory),
    knowsIdentity(git, directory, 'AUTHOR'),
    knowsIdentity(git, directory, 'COMMITTER'),
  ]);
  return { ...state, hasIdentity: knowsAuthor && knowsCommitter };
}

/**
 * As `inspectRepository`, but asks who commits only until git knows it: should it forget, it refuses the commit itself,
 * and is asked again from then on.
 */
export async function inspectForCommits(git: Git, directory: string): Promise<Repository> {
  if (git.identified.has(directory)) return { ...(await readState(git, directory)), hasIdentity: true };
  const repository = await inspectRepository(git, directory);
  if (repository.hasIdentity) git.identified.add(directory);
  return repository;
}

/** All but who commits, for which git is asked separately. Rejects as `inspectRepository`. */
export async function readState(git: Git, directory: string): Promise<RepositoryState> {
  const place = await readPlaceAndHead(git, directory);
  const operation = await findOperation(git.disk, place.gitDirectory);
  return { ...place, ...defined({ operation }) };
}

/** Throws `git/operationInProgress`, `git/detachedHead` or `git/noIdentity`, in this order: a rebase detaches the head. */
export function assertReady(repository: Repository, subject: string): void {
  if (repository.operation !== undefined) {
    const message = `A ${repository.operation} is in progress in ${repository.root}.`;
    throw failure('git/operationInProgress', subject, message);
  }
  if (repository.branch === undefined) {
    throw failure('git/detachedHead', subject, `No branch is checked out in ${repository.root}.`);
  }
  if (!repository.hasIdentity) {
    throw failure('git/noIdentity', subject, `git does not know who commits in ${repository.root}.`);
  }
}

export type RepositoryPlace = Pick<Repository, 'root' | 'prefix' | 'gitDirectory'>;

export type RepositoryState = Omit<Repository, 'hasIdentity'>;

const places = ['--show-toplevel', '--show-prefix', '--absolute-git-dir'];
const questions = [...places, 'HEAD^{commit}', 'HEAD^{tree}'];

/** One process if it can be, since every phase asks: if there is a commit, and no folder has a newline in its name. */
async function readPlaceAndHead(git: Git, directory: string): Promise<Omit<RepositoryState, 'operation'>> {
  const args = ['rev-parse', ...questions, '--symbolic-full-name', 'HEAD'];
  const { stdout, code } = await git.run(directory, args, { okCodes: [0, 128] });
  const lines = stdout.toString('utf8').split('\n');
  const [root = '', prefix = '', gitDirectory = '', head = '', tree = '', name = ''] = lines;
  if (code === 0 && lines.length === questions.length + 2) {
    const branch = name === 'HEAD' ? {} : { branch: shortName(name) };
    return { root, prefix, gitDirectory, head, tree, ...branch };
  }
  const place = await locateRepository(git, directory);
  const [last, branch] = await Promise.all([readHead(git, directory), readBranch(git, directory)]);
  const [oneHead, oneTree] = last === undefined ? [] : await answers(git, directory, [[last], [`${last}^{tree}`]]);
  return { ...place, ...defined({ head: oneHead, tree: oneTree, branch }) };
}

export async function locateRepository(git: Git, directory: string): Promise<RepositoryPlace> {
  const [root = '', prefix = '', gitDirectory = ''] = await answers(
    git,
    directory,
    places.map((place) => [place]),
  );
  return { root, prefix, gitDirectory };
}

/** What all working trees of the repository around a directory share: the git directory of the first one, absolute. */
export async function readCommonDirectory(git: Git, directory: string): Promise<string> {
  const found = await gitText(git, directory, ['rev-parse', '--git-common-dir']);
  // Git answers from where it is, which is never behind a link.
  return resolve(await git.disk.realPath(directory), found);
}

/** What `git rev-parse` says to each question, in one process if it can be; each has an answer of one path. */
export async function answers(
  git: Git,
  directory: string,
  asked: readonly (readonly string[])[],
  options?: GitRunOptions,
): Promise<readonly string[]> {
  const ask = (what: readonly string[]) => gitText(git, directory, ['rev-parse', ...what], options);
  const lines = (await ask(asked.flat())).split('\n');
  // A newline in a folder's name looks like the next answer.
  return lines.length === asked.length ? lines : Promise.all(asked.map(ask));
}

/** Full hash of the commit that HEAD names; undefined while there is none. */
export function readHead(git: Git, directory: string): Promise<string | undefined> {
  return resolveCommit(git, directory, 'HEAD');
}

/** Full hash of the commit that a revision names; undefined if it names none. It may not begin with a hyphen. */
export async function resolveCommit(git: Git, directory: string, revision: string): Promise<string | undefined> {
  const hash = await gitText(git, directory, ['rev-parse', '--verify', '--quiet', `${revision}^{commit}`], {
    okCodes: [0, 1],
  });
  return hash === '' ? undefined : hash;
}

/** Whether a commit is the other, or one of those before it; both have to be there. */
export async function isInHistoryOf(git: Git, directory: string, commit: string, later: string): Promise<boolean> {
  const { code } = await git.run(directory, ['merge-base', '--is-ancestor', commit, later], { okCodes: [0, 1] });
  return code === 0;
}

/** Short name of the branch that is checked out; undefined on a detached head. */
export async function readBranch(git: Git, directory: string): Promise<string | undefined> {
  const ref = await gitText(git, directory, ['symbolic-ref', '--quiet', 'HEAD'], { okCodes: [0, 1] });
  return ref === '' ? undefined : shortName(ref);
}

function shortName(ref: string): string {
  return ref.replace(/^refs\/heads\//, '');
}

/** Traces that an operation leaves in the git directory; the first that is there counts. */
const traces: readonly (readonly [string, RepositoryOperation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply', 'rebase'],
  ['MERGE_HEAD', 'merge'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  // Between two picks of a series only this folder is left.
  ['sequencer', 'cherry-pick'],
  ['BISECT_LOG', 'bisect'],
];

async function findOperation(disk: Disk, gitDirectory: string): Promise<RepositoryOperation | undefined> {
  for (const [name, operation] of traces) {
    if (await exists(disk, join(gitDirectory, name))) return operation;
  }
  return undefined;
}

async function knowsIdentity(git: Git, directory: string, role: 'AUTHOR' | 'COMMITTER'): Promise<boolean> {
  const args = ['-c', 'user.useConfigOnly=true', 'var', `GIT_${role}_IDENT`];
  const { code } = await git.run(directory, args, { okCodes: [0, 128] });
  return code === 0;
}
