import { dirname } from 'node:path';
import { defined } from '../../base/defined.ts';
import { ensureDirectory, exists } from '../../base/files.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { isCodePhase, type Phase } from '../../model/phase.ts';
import type { PhaseReport } from '../../model/requests/runs.ts';
import type { ExecutorName } from '../../model/settings.ts';
import { loadRunState, type RunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { dropGrants } from '../approvals/toolGrants.ts';
import { undoCopyBack } from '../proposals/applyPhase.ts';
import { type FinishVerdict, readCalls, verdictIn } from '../proposals/callJournal.ts';
import { emitFor, type PlanServices, type PlanWriterPorts } from '../services.ts';
import { loadTransaction, stagingPaths } from '../transaction.ts';
import { isStartQuestion } from './checkApprovals.ts';
import { restoreEarlierRecord } from './earlierRecord.ts';
import { interruptPhase } from './interruptPhase.ts';
import { archiveStaging, clearUnfinished, concludePhase } from './phaseEnd.ts';
import type { PhaseRunner, PhaseRunOptions } from './phaseRunner.ts';

/** A phase that did not finish, whichever way. */
interface Unfinished {
  readonly phase: Phase;
  readonly session: Ulid;
  readonly reason: string;
  readonly harness?: ExecutorName | undefined;
  readonly scenario?: string | undefined;
}

/**
 * Only for a caller that holds the plan. Nothing runs then, so a phase that is recorded as running has ended while the
 * disk refused writes.
 */
export function unfinishedOf(state: RunState, plan: QualifiedId): Unfinished {
  const { waiting, interrupted, running } = state;
  const unfinished = waiting ?? interrupted;
  if (unfinished !== undefined) return unfinished;
  if (running !== undefined) return { ...running, reason: 'how it ended could not be written down' };
  throw failure('plan/notInterrupted', plan, `No phase of ${plan} is interrupted or waiting.`);
}

/**
 * Tries an unfinished phase again. A code phase goes on where it stopped. A proposal that was accepted already is applied
 * without a new session, for its work is done. Everything else starts afresh, and is told why it failed before.
 */
export async function retryPhase(
  services: PlanServices,
  runner: PhaseRunner,
  options: PhaseRunOptions,
  stop: AbortSignal,
): Promise<PhaseReport> {
  const { location } = options;
  const state = await loadRunState(services, location.id);
  if (state.waiting !== undefined && isStartQuestion(state.waiting)) return beginAgain(runner, state, options, stop);
  const unfinished = unfinishedOf(state, location.id);
  const { phase, session, reason } = unfinished;
  if (isCodePhase(phase)) return runner.commit(location, phase, session, stop);
  const verdict = verdictIn(await readCalls(services.disk, services.layout.session(session)));
  if (verdict?.kind === 'accepted' || verdict?.kind === 'givenUp') {
    return applyAgain(services, runner, location, { ...unfinished, verdict }, stop);
  }
  await archiveStaging(services, { plan: location.id, phase, session });
  // Until the new try has begun the old one stays on record: what stops it from beginning must not forget its baseline.
  return runner.run({ ...howItRan(unfinished, options), ...options, retryOf: reason }, stop);
}

/** The phase had not begun: it begins, if nothing has to be asked any more, as the try before it would have. */
function beginAgain(
  runner: PhaseRunner,
  { waiting, interrupted }: RunState,
  options: PhaseRunOptions,
  stop: AbortSignal,
): Promise<PhaseReport> {
  const unfinished = interrupted ?? waiting;
  const retryOf = defined({ retryOf: interrupted?.reason });
  const asItRan = unfinished === undefined ? {} : howItRan(unfinished, options);
  return runner.run({ ...asItRan, ...options, ...retryOf, asksAgain: true }, stop);
}

/** The options of the first try, unless others are given. A phase that a person left is retried by a session. */
function howItRan(
  { harness, scenario }: Unfinished,
  options: PhaseRunOptions,
): Pick<PhaseRunOptions, 'harness' | 'scenario'> {
  if (harness === 'person') return {};
  if (options.harness !== undefined && options.harness !== harness) return {};
  return { ...defined({ harness, scenario }) };
}

async function applyAgain(
  services: PlanServices,
  runner: PhaseRunner,
  location: PlanLocation,
  again: Unfinished & { readonly verdict: FinishVerdict },
  stop: AbortSignal,
): Promise<PhaseReport> {
  const { phase, session, verdict } = again;
  if (isCodePhase(phase)) throw failure('plan/notInterrupted', location.id, `${phase} has no proposal`);
  const root = services.layout.stagingOf(location.id, phase, session);
  await restoreStaging(services, services.layout.interruptedOf(location.id, phase, session), root);
  const paths = stagingPaths(root);
  const transaction = await loadTransaction(services.disk, paths, location.id);
  await clearUnfinished(services, location.id, (old) => ({
    ...old,
    running: {
      phase,
      session,
      step: 'applying',
      harness: transaction.harness,
      startedAt: transaction.startedAt,
      ...defined({ task: transaction.task }),
    },
  }));
  try {
    const concluded = await concludePhase(services, { transaction, paths, verdict });
    return await runner.afterPhase(transaction, location, concluded, { durationMs: 0 }, stop);
  } catch (error) {
    await interruptPhase(services, location.id, session, error);
    throw error;
  }
}

async function restoreStaging(services: Pick<PlanServices, 'disk'>, from: string, to: string): Promise<void> {
  if (!(await exists(services.disk, from))) return;
  await ensureDirectory(services.disk, dirname(to));
  await services.disk.rename(from, to);
}

/** Drops an unfinished phase: its proposal is never applied, its staging stays under `interrupted/` for a look. */
export async function dismissPhase(services: PlanServices, plan: QualifiedId): Promise<Ulid> {
  const state = await loadRunState(services, plan);
  const { phase, session } = unfinishedOf(state, plan);
  await undoHalf(services, plan, { phase, session });
  if (phase === 'work' && state.earlierRecord !== undefined) {
    await restoreEarlierRecord(services, plan, state.earlierRecord);
  }
  await archiveStaging(services, { plan, phase, session });
  await clearUnfinished(
    services,
    plan,
    ({ answers: _answers, running: _running, earlierRecord, ...old }) => ({
      ...old,
      ...(phase !== 'work' && earlierRecord !== undefined && { earlierRecord }),
    }),
    'dismiss',
  );
  await dropGrants(services, plan);
  emitFor(services, plan, { type: 'run.ended', reason: `${phase} was dismissed` });
  return session;
}

/** A copy-back that the disk let neither finish nor undo may have left the plan in between. */
export async function undoHalf(
  services: PlanWriterPorts,
  plan: QualifiedId,
  { phase, session }: Pick<Unfinished, 'phase' | 'session'>,
): Promise<void> {
  if (isCodePhase(phase)) return;
  const { layout } = services;
  for (const root of [layout.stagingOf(plan, phase, session), layout.interruptedOf(plan, phase, session)]) {
    await undoCopyBack(services, plan, stagingPaths(root));
  }
}
