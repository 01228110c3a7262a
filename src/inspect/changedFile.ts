import { isUtf8 } from 'node:buffer';
import { dirname, join } from 'node:path';
import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import { readBeginning } from '../base/files.ts';
import { diffStatsOfCommit, parentOf } from '../git/diffStats.ts';
import { type Blob, readBlob } from '../git/snapshot.ts';
import { failure } from '../model/codes.ts';
import { isReasoningPhase } from '../model/phase.ts';
import { filesStaged } from '../model/phaseFiles.ts';
import type { ChangedText } from '../model/requests/inspect.ts';
import { copiesFolder, readCopy } from '../plans/commits/leftSource.ts';
import type { PlanServices } from '../plans/services.ts';
import { loadBase, loadStaged } from '../plans/transaction.ts';
import { cutText } from './longTexts.ts';
import type { SessionSnapshot } from './sessionSnapshot.ts';
import { commitsOf, seesSource, sourceChanges, sourceScope, stagingOf } from './traces.ts';

export interface FileSide {
  readonly set: string;
  readonly path: string;
  readonly side: 'before' | 'after';
}

/** Larger files are not even read for a look. */
const bytesMax = 16 * 1024 * 1024;

/** One side of a changed file. Only what is among the changes of the set is shown, so that no path leads elsewhere. */
export async function inspectFile(snapshot: SessionSnapshot, wanted: FileSide): Promise<ChangedText> {
  return toText(await readSide(snapshot, wanted));
}

function toText(found: Side): ChangedText {
  if (found === undefined) return { text: '', isThere: false, isBinary: false, isCut: false };
  const { content, kind } = found;
  const special = kind === 'file' ? {} : { kind };
  if (content === 'tooLarge' || content.includes(0) || !isUtf8(content)) {
    return { text: '', isThere: true, isBinary: true, isCut: false, ...special };
  }
  return { ...cutText(content.toString('utf8')), isThere: true, isBinary: false, ...special };
}

type Side = { readonly kind: Blob['kind']; readonly content: Buffer | 'tooLarge' } | undefined;

function readSide(snapshot: SessionSnapshot, wanted: FileSide): Promise<Side> {
  if (wanted.set === 'staged') return stagedSide(snapshot, wanted);
  return wanted.set === 'source' ? sourceSide(snapshot, wanted) : commitSide(snapshot, wanted);
}

async function stagedSide(snapshot: SessionSnapshot, { path, side }: FileSide): Promise<Side> {
  const paths = await stagingOf(snapshot);
  const { phase } = snapshot.at;
  if (paths === undefined || phase === undefined || !isReasoningPhase(phase)) throw unknownFile(snapshot, path);
  const file = filesStaged(phase).find((name) => name === path);
  if (file === undefined) throw unknownFile(snapshot, path);
  const { disk } = snapshot.services;
  const texts = await (side === 'before' ? loadBase(disk, paths, phase) : loadStaged(disk, paths, phase));
  const text = texts.get(file);
  return text === undefined ? undefined : { kind: 'file', content: Buffer.from(text) };
}

async function sourceSide(snapshot: SessionSnapshot, { path, side }: FileSide): Promise<Side> {
  const { services } = snapshot;
  if (!seesSource(snapshot)) throw unknownFile(snapshot, path);
  const scope = sourceScope(snapshot);
  const { files } = await sourceChanges(snapshot);
  if (!files.some((file) => file.path === path)) throw unknownFile(snapshot, path);
  const { directory, baseline } = scope;
  if (side === 'after') return readWorkTree(snapshot, directory, path);
  const copied = await copiedSide(snapshot, path);
  if (copied !== undefined) return copied;
  return baseline === undefined ? undefined : readBlob(services.git, directory, baseline, path);
}

/** A file that was not as committed when work began, as it was then; undefined without a copy. */
async function copiedSide({ services, location, state }: SessionSnapshot, path: string): Promise<Side> {
  const { work } = state.baselines;
  const hash = work?.dirty.find((entry) => entry.path === path)?.hash;
  if (hash === undefined || hash === null || work?.copies === undefined) return undefined;
  const copy = await readCopy(services, copiesFolder(services, location.id, work.copies), hash);
  if (copy === undefined) return undefined;
  const { entry } = copy;
  if (entry.kind === 'symlink') return { kind: 'symlink', content: Buffer.from(entry.target) };
  return { kind: entry.isExecutable ? 'executable' : 'file', content: entry.content };
}

async function commitSide(snapshot: SessionSnapshot, wanted: FileSide): Promise<Side> {
  const { services, location } = snapshot;
  const isOwn = commitsOf(snapshot).some(({ commit }) => commit === wanted.set);
  const found = isOwn ? await readCommitSide(services, location.projectDirectory, wanted) : 'unknown';
  if (found === 'unknown') throw unknownFile(snapshot, wanted.path);
  return found;
}

/** One side of a file that a commit of the project changed; throws `git/unknownCommit` for one that it did not. */
export async function inspectCommitFile(
  services: Pick<PlanServices, 'git'>,
  projectDirectory: string,
  wanted: FileSide,
): Promise<ChangedText> {
  const found = await readCommitSide(services, projectDirectory, wanted);
  if (found === 'unknown') {
    throw failure('git/unknownCommit', wanted.set, `${wanted.path} is not among the changes of ${wanted.set}.`);
  }
  return toText(found);
}

async function readCommitSide(
  { git }: Pick<PlanServices, 'git'>,
  projectDirectory: string,
  { set, path, side }: FileSide,
): Promise<Side | 'unknown'> {
  const changed = await diffStatsOfCommit(git, projectDirectory, set);
  if (!changed.some((file) => file.path === path)) return 'unknown';
  const commit = side === 'after' ? set : await parentOf(git, projectDirectory, set);
  return commit === undefined ? undefined : readBlob(git, projectDirectory, commit, path);
}

/**
 * A link is shown as git sees it: by where it points, and never by what lies there. Nothing is there for git behind a link,
 * or a file, in the place of a folder.
 */
async function readWorkTree({ services: { disk } }: SessionSnapshot, directory: string, path: string): Promise<Side> {
  const file = join(directory, path);
  return ifThere(
    file,
    async () => {
      const folder = join(await disk.realPath(directory), dirname(path));
      if ((await disk.realPath(folder)) !== folder) return undefined;
      if ((await disk.lstat(folder)).kind !== 'directory') return undefined;
      const found = await readBeginning(disk, file, bytesMax);
      if (found === 'symlink') return { kind: 'symlink', content: Buffer.from(await disk.readLink(file)) };
      if (typeof found !== 'object') return undefined;
      const { mode } = await disk.lstat(file);
      const kind = (mode & 0o100) === 0 ? 'file' : 'executable';
      return { kind, content: found.size > bytesMax ? 'tooLarge' : found.bytes };
    },
    leadsNowhere,
  );
}

function unknownFile({ at }: SessionSnapshot, path: string) {
  return failure('session/unknown', at.session, `${path} is not among these changes of session ${at.session}.`);
}
