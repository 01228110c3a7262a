import { join } from 'node:path';
import { defined } from '../../base/defined.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { type CommitOutcome, commitPaths } from '../../git/commit.ts';
import { assertReady, inspectForCommits } from '../../git/repository.ts';
import { type Backlog, backlogSchema } from '../../model/backlog.ts';
import { failure } from '../../model/codes.ts';
import type { Ulid } from '../../model/id.ts';
import { equalJson, type Json } from '../../model/json.ts';
import { type PlanFile, type PlanTexts, planFiles } from '../../model/plan.ts';
import type { WorkTrees } from '../../plans/phases/workTrees.ts';
import { judgeState } from '../../plans/proposals/judgeState.ts';
import { loadPlanFiles } from '../../plans/proposals/planWriter.ts';
import { emitFor, type PlanServices } from '../../plans/services.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { editYaml, readYaml } from '../../yaml/yaml.ts';
import type { Relocations } from '../relocations.ts';
import {
  findSnapshot,
  listSnapshots,
  type Snapshot,
  snapshotFiles,
  snapshotPaths,
  snapshotTexts,
} from './snapshots.ts';

export interface RollbackParts {
  readonly services: PlanServices;
  readonly trees: Pick<WorkTrees, 'withTree' | 'withRepository'>;
  readonly relocations: Pick<Relocations, 'replaceFiles'>;
}

/** A commit that a rollback made in the project. */
interface RollbackCommit {
  readonly commit: string;
  readonly title: string;
}

export interface RolledBack {
  readonly snapshot: Snapshot;
  /** The state before, which leads back; absent if the plan was at the snapshot already. */
  readonly before?: string;
  /** Files that have another text now. */
  readonly files: readonly PlanFile[];
  /** Files that a person saved at the same moment: they stay as saved. */
  readonly kept: readonly PlanFile[];
  /** Why the new state is not committed yet; the next phase of the plan commits it. */
  readonly uncommitted?: string;
}

/**
 * Puts a plan's records back as a commit has them, in one change that a crash leaves whole. The state before is committed
 * first, so a rollback can be rolled back. Messages stay as they are, since others know of them; so do the log of past
 * sessions, child plans and the source. Throws `plan/busy`, `plan/waiting` and `plan/unfinished` if a phase of the plan is
 * not over, `snapshot/unknown`, `snapshot/refused` if the gates refuse the state, and what git refuses. Nothing is changed
 * then.
 */
export function rollBackPlan(
  { services, trees, relocations }: RollbackParts,
  location: PlanLocation,
  to: string,
): Promise<RolledBack> {
  // A person's commit in the project moves HEAD, which work of another plan in the same tree must not see.
  const inTurn = (work: () => Promise<RolledBack>) =>
    trees.withTree(location, 'git-commit-triage', () => trees.withRepository(location, 'git-commit-triage', work));
  return inTurn(() =>
    relocations.replaceFiles(location.id, async (now, replace) => {
      await assertFinished(services, now);
      const snapshot = await findSnapshot(services, now, to);
      const current = await loadPlanFiles(services, now.id);
      const wanted = withMessagesOf(current, await snapshotTexts(services, now, snapshot), now);
      const changes = snapshotFiles
        .map((file) => ({ file, was: current.get(file) ?? null, text: wanted.get(file) ?? null }))
        .filter(({ was, text }) => was !== text);
      if (changes.length === 0) return { snapshot, files: [], kept: [] };
      const asked = { plan: now.id, phase: 'triage', session: services.newUlid() } as const;
      const { findings } = judgeState(asked, current, wanted);
      if (findings.length > 0) {
        throw failure(
          'snapshot/refused',
          now.id,
          `The state of ${snapshot.id.slice(0, 12)} is not valid: ${findings.join('; ')}`,
        );
      }
      assertReady(await inspectForCommits(services.git, now.projectDirectory), now.id);
      const label = snapshot.id.slice(0, 12);
      const commits: RollbackCommit[] = [];
      const commit = async (title: string) => {
        const made = await commitState(services, now, title);
        if (made.outcome === 'committed') commits.push({ commit: made.commit, title });
      };
      await commit(`Record the state of ${nameOf(now)} before it goes back to ${label}`);
      // As that commit has it: filters of git can store another text than the file has.
      const [before] = (await listSnapshots(services, now, 1)).map(({ id }) => id);
      const folder = services.layout.plan(now.id);
      await replace(
        `rollback of ${now.id} to ${label}`,
        changes.map(({ file, ...texts }) => ({ path: join(folder, file), ...texts })),
      );
      const after = await loadPlanFiles(services, now.id);
      const kept = changes.filter(({ file, text }) => (after.get(file) ?? null) !== text).map(({ file }) => file);
      const files = changes.map(({ file }) => file).filter((file) => !kept.includes(file));
      const uncommitted = await commitIfPossible(() => commit(`Put ${nameOf(now)} back as it was at ${label}`));
      const summary = `went back to ${label}: ${plural(files.length, 'file')}`;
      const rollback = { to: snapshot.id, by: services.person, commits };
      emitFor(services, now.id, { type: 'plan.changed', change: 'edited', files, summary, rollback });
      return { snapshot, ...defined({ before, uncommitted }), files, kept };
    }),
  );
}

/** A phase that did not finish could still be applied, to records that are no longer there. */
async function assertFinished(services: PlanServices, { id }: PlanLocation): Promise<void> {
  const { interrupted } = await loadRunState(services, id);
  if (interrupted === undefined) return;
  throw failure('plan/unfinished', id, `The phase ${interrupted.phase} of ${id} was interrupted.`);
}

/** The snapshot, with the messages that the plan has now. */
export function withMessagesOf(current: PlanTexts, wanted: PlanTexts, { id }: PlanLocation): PlanTexts {
  const place = { file: planFiles.backlog, subject: id };
  const [now, then] = [current.get(planFiles.backlog), wanted.get(planFiles.backlog)];
  if (now === undefined || then === undefined) return wanted;
  const read = (text: string): Backlog => readYaml(backlogSchema, text, place).value ?? {};
  const [mine, old] = [read(now), read(then)];
  const edits = (['received', 'dispatched'] as const).flatMap((list) => {
    const [kept, given] = [mine[list] ?? [], old[list] ?? []];
    if (equalJson(kept as Json, given as Json)) return [];
    return [{ op: 'set' as const, path: [list], value: kept as Json }];
  });
  return edits.length === 0 ? wanted : new Map([...wanted, [planFiles.backlog, editYaml(then, edits, place)]]);
}

function commitState(
  { git, newUlid }: Pick<PlanServices, 'git' | 'newUlid'>,
  { id, projectDirectory: directory }: PlanLocation,
  message: string,
): Promise<CommitOutcome> {
  const entry: Ulid = newUlid();
  return commitPaths(git, {
    directory,
    paths: snapshotPaths(id),
    exclude: [],
    message,
    isOwn: true,
    trailers: [
      ['Ravel-Plan', id],
      ['Ravel-Entry', `${entry}/rollback`],
    ],
  });
}

/** The state is changed already, and a later commit of the plan takes it in. */
async function commitIfPossible(commit: () => Promise<void>): Promise<string | undefined> {
  try {
    await commit();
    return undefined;
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return messageOf(error);
  }
}

function nameOf({ id, project }: PlanLocation): string {
  return id === `${project}/project-root` ? project : id.slice(`${project}/project-root/`.length);
}
