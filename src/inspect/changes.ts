import { defined } from '../base/defined.ts';
import { diffStatsOfCommit } from '../git/diffStats.ts';
import { isReasoningPhase } from '../model/phase.ts';
import { filesStaged } from '../model/phaseFiles.ts';
import type { ChangedFile, ChangeSet, ChangesPage } from '../model/requests/inspect.ts';
import { describeLeft } from '../plans/commits/leftSource.ts';
import type { PlanServices } from '../plans/services.ts';
import { loadBase, loadStaged } from '../plans/transaction.ts';
import { inspectClaims } from './claims.ts';
import type { SessionSnapshot } from './sessionSnapshot.ts';
import { commitsOf, type MadeCommit, seesSource, sourceChanges, stagingOf } from './traces.ts';

/** The most files of one set that a page lists. */
const filesMax = 2000;

/** What a session changed or wants to change, as far as it is still there to be seen. */
export async function inspectChanges(snapshot: SessionSnapshot): Promise<ChangesPage> {
  const { services, location, records, at } = snapshot;
  const made = commitsOf(snapshot).map((one) => commitChanges(services, location.projectDirectory, one));
  const sets = [...(await stagedChanges(snapshot)), ...(await changesOfSource(snapshot)), ...(await Promise.all(made))];
  const ended = records.findLast(({ session }) => session === at.session)?.endedAt;
  const rollbacks = snapshot.rollbacks.filter(({ endedAt }) => ended !== undefined && endedAt >= ended);
  return {
    ...at,
    ...defined({ left: await leftFiles(snapshot) }),
    sets,
    ...(rollbacks.length > 0 && { rollbacks }),
    ...(await inspectClaims(snapshot)),
  };
}

/** What can be put back of work that did not finish; nothing while another phase of the plan is at it. */
async function leftFiles(snapshot: SessionSnapshot): Promise<ChangesPage['left']> {
  const { services, location, state, at } = snapshot;
  if (at.session !== state.workSession || state.running !== undefined || !seesSource(snapshot)) return undefined;
  return describeLeft(services, location, at.session, state.baselines.work);
}

async function stagedChanges(snapshot: SessionSnapshot): Promise<ChangeSet[]> {
  const paths = await stagingOf(snapshot);
  const { phase } = snapshot.at;
  if (paths === undefined || phase === undefined || !isReasoningPhase(phase)) return [];
  const { disk } = snapshot.services;
  const base = await loadBase(disk, paths, phase);
  const staged = await loadStaged(disk, paths, phase);
  const files = filesStaged(phase).flatMap((path) => compareTexts(path, base.get(path), staged.get(path)));
  return [{ set: 'staged', kind: 'staged', title: 'Files of the plan', files, fileCount: files.length }];
}

async function changesOfSource(snapshot: SessionSnapshot): Promise<ChangeSet[]> {
  if (!seesSource(snapshot)) return [];
  const { files, earlierCount } = await sourceChanges(snapshot);
  const earlier = earlierCount === 0 ? {} : { earlierCount };
  return [{ set: 'source', kind: 'source', title: 'Files of the project', ...firstOf(files), ...earlier }];
}

/** What a commit of a project changed. */
export async function commitChanges(
  { git }: Pick<PlanServices, 'git'>,
  projectDirectory: string,
  { commit, title }: MadeCommit,
): Promise<ChangeSet> {
  const files = await diffStatsOfCommit(git, projectDirectory, commit);
  return { set: commit, kind: 'commit', title, ...firstOf(files) };
}

function firstOf(files: readonly ChangedFile[]): Pick<ChangeSet, 'files' | 'fileCount'> {
  return { files: files.slice(0, filesMax), fileCount: files.length };
}

/** Lines are counted regardless of their place: a line that only moved is not a change. */
function compareTexts(path: string, before: string | undefined, after: string | undefined): ChangedFile[] {
  if (before === after) return [];
  const status = before === undefined ? 'added' : after === undefined ? 'removed' : 'changed';
  const old = linesOf(before);
  const now = linesOf(after);
  return [{ path, status, added: countMissing(now, old), removed: countMissing(old, now) }];
}

function linesOf(text = ''): string[] {
  return text === '' ? [] : text.replace(/\n$/, '').split('\n');
}

function countMissing(lines: readonly string[], others: readonly string[]): number {
  const left = new Map<string, number>();
  for (const line of others) left.set(line, (left.get(line) ?? 0) + 1);
  let missing = 0;
  for (const line of lines) {
    const count = left.get(line) ?? 0;
    if (count === 0) missing += 1;
    else left.set(line, count - 1);
  }
  return missing;
}
