import { messageOf } from '../../base/errors.ts';
import { exists } from '../../base/files.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { PlanFile } from '../../model/plan.ts';
import { recordOrigins } from '../origins.ts';
import { emitFor, type PlanServices, type PlanWriterPorts } from '../services.ts';
import type { StagingPaths } from '../transaction.ts';
import {
  assertPlanThere,
  type CopyOutcome,
  dropIntent,
  type FileChange,
  loadIntent,
  recordIntent,
  rollBack,
  rollForward,
} from './copyBack.ts';
import { type ApplyJob, type ApplyQuestion, conflictQuestion, planMerge } from './plannedMerge.ts';
import { withPlanLock } from './planWriter.ts';

export type ApplyResult =
  | { readonly outcome: 'applied'; readonly files: readonly PlanFile[]; readonly personEdited: readonly PlanFile[] }
  | ApplyQuestion;

/**
 * Takes an accepted proposal into the plan's folder: merged with what a person changed meanwhile, judged once more as
 * merged, journalled, copied. Nothing is changed when it ends in a question. When the disk refuses, everything is put
 * back and the refusal is thrown.
 */
export async function applyPhase(services: PlanServices, job: ApplyJob): Promise<ApplyResult> {
  const { plan } = job.transaction;
  return withPlanLock(services, plan, async () => {
    await assertPlanThere(services, plan);
    const planned = await planMerge(services, job);
    for (const event of planned.events) emitFor(services, plan, event);
    if (planned.outcome === 'question') return planned;
    await recordIntent(services, job.paths, planned.changes);
    const copied = await copy(services, job, planned.changes);
    if (copied !== undefined) return copied;
    return {
      outcome: 'applied',
      files: planned.changes.map((change) => change.file),
      personEdited: planned.personEdited,
    };
  });
}

/** Finishes (or undoes) a copy-back that a crash cut short; undefined when none had begun. */
export async function resumeCopyBack(services: PlanServices, job: ApplyJob): Promise<ApplyResult | undefined> {
  const changes = await loadIntent(services, job.paths);
  if (changes === undefined) return undefined;
  const { plan } = job.transaction;
  return withPlanLock(services, plan, async () => {
    await assertPlanThere(services, plan);
    const copied = await copy(services, job, changes);
    if (copied !== undefined) return copied;
    return { outcome: 'applied', files: changes.map((change) => change.file), personEdited: [] };
  });
}

/** Takes back what a copy-back that was never finished had copied; nothing if none had begun, or the plan is gone. */
export async function undoCopyBack(ports: PlanWriterPorts, plan: QualifiedId, paths: StagingPaths): Promise<void> {
  const changes = await loadIntent(ports, paths);
  if (changes === undefined || !(await exists(ports.disk, ports.layout.plan(plan)))) return;
  await withPlanLock(ports, plan, () => rollBack(ports, plan, changes));
  await dropIntent(ports, paths);
}

async function copy(
  services: PlanServices,
  job: ApplyJob,
  changes: readonly FileChange[],
): Promise<ApplyQuestion | undefined> {
  const { plan } = job.transaction;
  try {
    const copied = await rollForward(services, plan, changes);
    if (copied.outcome === 'finished') {
      await recordOrigins(services, plan, { by: 'session', session: job.transaction.session }, changes);
      return undefined;
    }
    await dropIntent(services, job.paths);
    return await askAbout(services, job, copied);
  } catch (error) {
    await undo(services, job, changes);
    throw error;
  }
}

/** The same question as a next try would ask; if that finds none any more, what this try met. */
async function askAbout(
  services: PlanWriterPorts & Pick<PlanServices, 'git' | 'adapters'>,
  job: ApplyJob,
  met: Extract<CopyOutcome, { outcome: 'undone' }>,
): Promise<ApplyQuestion> {
  const planned = await planMerge(services, job);
  return planned.outcome === 'question' ? planned : conflictQuestion(new Map([[met.file, met.conflicts]]));
}

/** On a disk that refuses, putting back may fail as well: then the intent stays, and the next try finishes it. */
async function undo(
  services: Pick<PlanServices, 'disk' | 'layout' | 'log'>,
  job: ApplyJob,
  changes: readonly FileChange[],
): Promise<void> {
  const { plan } = job.transaction;
  try {
    await rollBack(services, plan, changes);
    await dropIntent(services, job.paths);
  } catch (error) {
    services.log.warn('a copy-back could not be undone; it will be finished later', { plan, error: messageOf(error) });
  }
}
