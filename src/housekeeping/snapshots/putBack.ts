import { posix } from 'node:path';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import {
  changeTreeEntry,
  type FoundTreeEntry,
  readTreeEntry,
  removeEmptyFolders,
  removeUnfinishedEntries,
  type TreeEntry,
} from '../../base/treeEntries.ts';
import { mebibyte } from '../../base/units.ts';
import { filteredPaths, readStoredEntry } from '../../git/changedEntries.ts';
import { locateRepository } from '../../git/repository.ts';
import { hashOfEntry } from '../../git/status.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import type { RequestParams, RequestResults } from '../../model/protocol.ts';
import {
  isAsLeft,
  keepEntry,
  keptFolder,
  type LeftFile,
  type LeftSource,
  loadLeft,
  readCopy,
  throughFilter,
} from '../../plans/commits/leftSource.ts';
import type { RunLocks } from '../../plans/phases/runLocks.ts';
import type { WorkTrees } from '../../plans/phases/workTrees.ts';
import { emitFor, type PlanServices } from '../../plans/services.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';

export interface PutBackParts {
  readonly services: PlanServices;
  readonly locks: Pick<RunLocks, 'withPlan'>;
  readonly trees: Pick<WorkTrees, 'withTree'>;
}

type PutBackResult = RequestResults['put_back'];
type Asked = Omit<RequestParams<'put_back'>, 'plan'>;

/** Files that are longer stay as they are. */
const bytesMax = 64 * mebibyte;

/**
 * Puts files that a work session changed, and did not finish, back as they were before it, or again as it left them. Only
 * files that are exactly as the session left them, or as an earlier call left them, are touched: all others are refused, each
 * with its reason. What is replaced is kept on the medium first, so a call that is cut short at any point loses nothing, and
 * the next one continues. Throws `plan/busy` while a phase of the plan runs, and `source/notRecorded`.
 */
export function putBackSource(
  { services, locks, trees }: PutBackParts,
  location: PlanLocation,
  asked: Asked,
): Promise<PutBackResult> {
  const { id } = location;
  const work = () => putBack(services, location, asked);
  return locks.withPlan(id, undefined, (stop) => trees.withTree(location, 'git-commit-triage', work, stop));
}

async function putBack(services: PlanServices, location: PlanLocation, asked: Asked): Promise<PutBackResult> {
  const { id: plan, projectDirectory: top } = location;
  const { session, left } = await loadRecord(services, location, asked.session);
  const known = new Map(left.files.map((file) => [file.path, file]));
  const chosen = new Set((asked.paths ?? left.files.map(({ path }) => path)).map((path) => known.get(path) ?? path));
  const refused: { path: string; why: string }[] = [];
  const already: string[] = [];
  const done: string[] = [];
  const files: LeftFile[] = [];
  for (const file of chosen) {
    if (typeof file !== 'string') files.push(file);
    else refused.push({ path: file, why: 'it is not among what the session had changed when it ended' });
  }
  const { prefix } = await locateRepository(services.git, top);
  const reader = { services, top, prefix, left, session: { plan, session } };
  for (const folder of new Set(files.map(({ path }) => posix.dirname(path)))) {
    await removeUnfinishedEntries(services.disk, top, folder);
  }
  for (const round of inRounds(files, asked.to)) {
    const filtered = await filteredPaths(
      services.git,
      top,
      round.map(({ path }) => path),
    );
    const steps: Step[] = [];
    for (const file of round) {
      const step = await decide(reader, file, asked.to, filtered.has(file.path));
      if (step === 'already') {
        already.push(file.path);
        await finishRemoval(services, top, file, asked.to);
      } else if ('why' in step) refused.push({ path: file.path, why: step.why });
      else steps.push(step);
    }
    for (const step of inOrder(steps)) {
      const why = await carryOut(reader, step);
      if (why === undefined) done.push(step.path);
      else refused.push({ path: step.path, why });
    }
  }
  if (done.length > 0) {
    const summary = `put ${plural(done.length, 'file')} of the project back as ${asked.to} session ${session}`;
    emitFor(services, plan, { type: 'plan.changed', change: 'edited', files: [], summary });
  }
  const more = asked.paths === undefined ? left.more : 0;
  return { plan, session, done: done.sort(), already: already.sort(), refused, more };
}

/**
 * What a file was follows from the attributes that git had then: they come back before all other files, and go again after
 * them. So does what is in their way.
 */
function inRounds(files: readonly LeftFile[], to: Asked['to']): readonly (readonly LeftFile[])[] {
  const isOfAttributes = ({ path }: LeftFile) => path.split('/').includes('.gitattributes');
  const attributes = files.filter(isOfAttributes);
  const isInTheWay = ({ path, before }: LeftFile) =>
    before.in === 'nothing' && attributes.some((one) => one.path.startsWith(`${path}/`));
  const first = new Set(files.filter((file) => isOfAttributes(file) || isInTheWay(file)));
  const rounds = [[...first], files.filter((file) => !first.has(file))];
  return (to === 'before' ? rounds : rounds.reverse()).filter(({ length }) => length > 0);
}

/** A call that was cut short can have removed a file, and not the folders that were there for it alone. */
async function finishRemoval(
  { disk }: Pick<PlanServices, 'disk'>,
  top: string,
  { path, before, left }: LeftFile,
  to: Asked['to'],
): Promise<void> {
  const isGone = to === 'before' ? before.in === 'nothing' : left === null;
  if (isGone) await removeEmptyFolders(disk, top, posix.dirname(path));
}

async function loadRecord(
  services: PlanServices,
  { id: plan }: PlanLocation,
  asked: string | undefined,
): Promise<{ readonly session: Ulid; readonly left: LeftSource }> {
  const { workSession, running } = await loadRunState(services, plan);
  if (running !== undefined) throw failure('plan/busy', plan, `The phase ${running.phase} of ${plan} is running.`);
  if (workSession === undefined || (asked !== undefined && asked !== workSession)) {
    const what = asked === undefined ? `${plan} has had no work session` : `${asked} is not the newest work of ${plan}`;
    throw failure('source/notRecorded', plan, `${what}, so nothing of it can be put back.`);
  }
  const left = await loadLeft(services, plan, workSession);
  if (left !== undefined) return { session: workSession, left };
  const message = `Nothing is recorded of how session ${workSession} left the source: it finished its work, or the record could not be written.`;
  throw failure('source/notRecorded', plan, message);
}

interface Reader {
  readonly services: Pick<PlanServices, 'disk' | 'layout' | 'git'>;
  readonly top: string;
  /** Of the project in its repository. */
  readonly prefix: string;
  readonly left: LeftSource;
  readonly session: { readonly plan: PlanLocation['id']; readonly session: Ulid };
}

/** A file that is to change. */
interface Step {
  readonly path: string;
  readonly seen: FoundTreeEntry | undefined;
  readonly next: TreeEntry | undefined;
  readonly mode?: number | undefined;
  /** Whether `seen` is the session's, and is to be kept. */
  readonly keeps: boolean;
}

interface Refusal {
  readonly why: string;
}

async function decide(
  reader: Reader,
  file: LeftFile,
  to: Asked['to'],
  isFiltered: boolean,
): Promise<Step | Refusal | 'already'> {
  const { services, top } = reader;
  const { path } = file;
  const found = await readTreeEntry(services.disk, { top, path }, bytesMax);
  if (found === 'tooLarge') return { why: `it is larger than ${bytesMax / mebibyte} MiB` };
  if (found === 'other') return { why: 'it is neither a file nor a link' };
  // Of a folder in its place nothing is known: what is in it has paths of its own.
  const seen = found === 'directory' ? undefined : found;
  const now = found === 'directory' ? 'directory' : seen === undefined ? null : hashOfEntry(seen.entry);
  const before = await entryBefore(reader, file, isFiltered);
  if (to === 'before') {
    if (!('why' in before) && isNow(before.entry, now)) return 'already';
    if (!isAsLeft(file, now)) return { why: 'it was changed after the session had ended' };
    if ('why' in before) return before;
    return { path, seen, next: before.entry, mode: before.mode, keeps: true };
  }
  if (isAsLeft(file, now)) return 'already';
  if ('why' in before) return before;
  if (!isNow(before.entry, now)) return { why: 'it was changed after it had been put back' };
  if (file.left === null || file.left === 'directory') return { path, seen, next: undefined, keeps: false };
  const kept = await readCopy(services, keptFolder(services, reader.session.plan, reader.session.session), file.left);
  if (kept === undefined) return { why: 'what the session left there is not kept' };
  return { path, seen, next: kept.entry, mode: file.mode, keeps: false };
}

/** A folder in the place of nothing is the place of other paths. */
function isNow(entry: TreeEntry | undefined, now: string | null): boolean {
  return entry === undefined ? now === null || now === 'directory' : hashOfEntry(entry) === now;
}

interface Before {
  readonly entry: TreeEntry | undefined;
  readonly mode?: number;
}

async function entryBefore(
  { services, top, prefix, left }: Reader,
  { path, before }: LeftFile,
  isFiltered: boolean,
): Promise<Before | Refusal> {
  switch (before.in) {
    case 'nothing':
      return { entry: undefined };
    case 'unknown':
      return { why: before.why };
    case 'copy': {
      const copy = left.copies === undefined ? undefined : await readCopy(services, left.copies, before.hash);
      return copy ?? { why: 'it was not as committed when work began, and no copy of it was kept' };
    }
    case 'commit':
      if (isFiltered) return { why: throughFilter };
      try {
        return { entry: await readStoredEntry(services.git, { directory: top, prefix }, path, before) };
      } catch (error) {
        if (!isRavelError(error)) throw error;
        return { why: `git could not read what it was: ${messageOf(error)}` };
      }
  }
}

/**
 * What goes away first, the deepest paths before those above them: a folder can be where a file was, and a file where a folder
 * was.
 */
function inOrder(steps: readonly Step[]): Step[] {
  const depth = ({ path }: Step) => path.split('/').length;
  return steps.toSorted((a, b) => {
    if ((a.next === undefined) !== (b.next === undefined)) return a.next === undefined ? -1 : 1;
    return a.next === undefined ? depth(b) - depth(a) : depth(a) - depth(b);
  });
}

/** Resolves to the reason why the file stays as it is. */
async function carryOut({ services, top, session }: Reader, step: Step): Promise<string | undefined> {
  const { disk } = services;
  const { path, seen, next, mode } = step;
  try {
    if (step.keeps && seen !== undefined) {
      await keepEntry(services, keptFolder(services, session.plan, session.session), seen.entry, seen.mode);
    }
    if (next !== undefined && seen === undefined) {
      await removeEmptyFolders(disk, top, path);
      const now = await readTreeEntry(disk, { top, path }, 0);
      if (now === 'directory') return 'a folder is in its place, and not empty';
    }
    await changeTreeEntry(disk, { top, path, seen: seen?.entry, next, mode });
    if (next === undefined) await removeEmptyFolders(disk, top, posix.dirname(path));
    return undefined;
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return messageOf(error);
  }
}
