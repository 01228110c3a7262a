import { createDeferred } from '../../base/async.ts';
import { defined } from '../../base/defined.ts';
import type { RavelError } from '../../base/errors.ts';
import { plural } from '../../base/text.ts';
import { changedPaths } from '../../git/snapshot.ts';
import { hashPaths } from '../../git/status.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { isCodePhase, type Phase, type ReasoningPhase } from '../../model/phase.ts';
import type { ManualFinish, ManualRun } from '../../model/requests/manualRuns.ts';
import type { PhaseReport } from '../../model/requests/runs.ts';
import { type FinishArgs, finishTool } from '../../model/sessionTools.ts';
import { projectPaths } from '../../vault/layout.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import type { PlanServices } from '../services.ts';
import { loadEarlier } from '../sessions/earlierTry.ts';
import type { LiveSession, LiveSessions } from '../sessions/liveSessions.ts';
import { loadManualFolder, readManualFolder } from '../sessions/manualFolder.ts';
import type { Transaction } from '../transaction.ts';
import { archiveStaging } from './phaseEnd.ts';
import type { PhaseRunner, PhaseRunOptions } from './phaseRunner.ts';
import { checkPlan } from './preflight.ts';
import { dismissPhase, undoHalf, unfinishedOf } from './retry.ts';
import type { RunLocks } from './runLocks.ts';

export interface ManualRunsParts {
  readonly services: PlanServices;
  readonly locks: Pick<RunLocks, 'withPlan' | 'stop'>;
  readonly runner: PhaseRunner;
  readonly live: LiveSessions;
}

export interface ManualStart {
  readonly location: PlanLocation;
  readonly phase?: ReasoningPhase;
  readonly task?: string;
  /** Continue what an unfinished try had staged. */
  readonly takeOver?: boolean;
}

export interface ManualFinishArgs extends FinishArgs {
  /** The person's word that the phase is done although no file was changed. */
  readonly unchanged?: boolean;
}

/**
 * Phases that a person carries out: the same transaction as a session's, with the person's editor on copies in staging.
 * Such a phase stays open until it is finished or dropped, over restarts as well.
 */
export class ManualRuns {
  readonly #parts: ManualRunsParts;
  readonly #reports = new Map<QualifiedId, Promise<PhaseReport>>();

  constructor(parts: ManualRunsParts) {
    this.#parts = parts;
  }

  /** Opens the plan's phase for a person; one that is open already is shown again. */
  async begin(start: ManualStart): Promise<ManualRun> {
    const { locks, live } = this.#parts;
    const { id } = start.location;
    const open = live.manualRun(id);
    if (open !== undefined) {
      assertSame(open, start);
      return this.#describe(start.location, open, true);
    }
    const opened = createDeferred<void>();
    const report = locks.withPlan(id, undefined, (stop) => this.#run({ ...start, onStarted: opened.resolve }, stop));
    this.#reports.set(id, report);
    // An error before the phase is open goes to the caller of `begin`, a later one to the caller of `finish`.
    const notOpened = ({ summary }: PhaseReport) => opened.reject(failure('plan/waiting', id, summary));
    void report.then(notOpened, opened.reject).finally(() => this.#reports.delete(id));
    await opened.promise;
    return this.#describe(start.location, this.#find(id), false);
  }

  /** Judges what the person made of the files; a refusal leaves the phase open. */
  async finish(location: PlanLocation, session: string, end: ManualFinishArgs): Promise<ManualFinish> {
    const { services } = this.#parts;
    const { id } = location;
    const { active, paths, transaction } = this.#find(id, session);
    const { edits, changed } = await readManualFolder(services.disk, paths, transaction);
    const { outcome, summary, unchanged } = end;
    if (outcome === 'done' && changed.length === 0 && unchanged !== true) {
      throw nothingChanged(transaction, await changedSource(services, location));
    }
    const report = this.#reportOf(id);
    report.catch(() => undefined);
    await active.takeEdits(services.newUlid(), edits);
    const call = services.newUlid();
    const answer = await active.call(call, finishTool, { outcome, summary });
    const verdict = active.calls.find((record) => record.call === call)?.finish;
    if (verdict === undefined) return { outcome: 'refused', reason: answer.text };
    if (verdict.kind === 'refused') return { outcome: 'refused', reason: verdict.reason };
    return { outcome: 'ended', report: await report };
  }

  /** Ends the phase as if it had never begun; what the person edited is kept for a look. */
  async drop({ id }: PlanLocation, session: string): Promise<Ulid> {
    const { services, locks } = this.#parts;
    this.#find(id, session);
    await locks.stop(id);
    return locks.withPlan(id, undefined, () => dismissPhase(services, id));
  }

  async #run(start: ManualStart & Pick<PhaseRunOptions, 'onStarted'>, stop: AbortSignal): Promise<PhaseReport> {
    const { services, runner } = this.#parts;
    const { location, phase, takeOver, onStarted } = start;
    const { unfinished, earlier } = takeOver === true ? await this.#putAside(location.id) : {};
    const retried = defined({ retryOf: unfinished?.reason });
    const asked = defined({ phase });
    const { phase: next } = await checkPlan(services, location, { ...asked, ...retried });
    assertReasoning(location.id, next);
    const isSame = unfinished?.phase === next && earlier !== undefined;
    const task = start.task ?? (isSame ? earlier.task : undefined);
    const options: PhaseRunOptions = {
      ...{ location, harness: 'person', ...asked, ...retried },
      ...defined({ task }),
      ...(isSame && { earlier }),
      ...defined({ onStarted }),
    };
    return runner.run(options, stop);
  }

  /** An earlier try, out of the way but still on record: what stops the new one must not forget it. */
  async #putAside(plan: QualifiedId) {
    const { services } = this.#parts;
    const unfinished = unfinishedOf(await loadRunState(services, plan), plan);
    const { phase, session } = unfinished;
    assertReasoning(plan, phase);
    await undoHalf(services, plan, { phase, session });
    await archiveStaging(services, { plan, phase, session });
    return { unfinished, earlier: await loadEarlier(services, { plan, phase, session }) };
  }

  #reportOf(plan: QualifiedId): Promise<PhaseReport> {
    const begun = this.#reports.get(plan);
    if (begun !== undefined) return begun;
    const { runner } = this.#parts;
    return runner.followResumed(plan, new AbortController().signal).then((report) => {
      if (report !== undefined) return report;
      throw failure('run/notManual', plan, `No phase of ${plan} is open by hand.`);
    });
  }

  #find(plan: QualifiedId, session?: string): LiveSession {
    const open = this.#parts.live.manualRun(plan);
    if (open !== undefined && (session === undefined || open.transaction.session === session)) return open;
    const which = session === undefined ? 'no phase' : `no phase with the session ${session}`;
    throw failure('run/notManual', plan, `${which} of ${plan} is open by hand`);
  }

  async #describe({ projectDirectory }: PlanLocation, open: LiveSession, reopened: boolean): Promise<ManualRun> {
    const { transaction, paths } = open;
    const { plan, phase, session, task } = transaction;
    const folder = await loadManualFolder(this.#parts.services.disk, paths, transaction);
    return {
      ...{ plan, phase, session, reopened, ...folder },
      ...defined({ task }),
      ...(phase === 'work' && { project: projectDirectory }),
    };
  }
}

/** Refuses what would run beside a phase that a person has open; says which, and how to go on. */
export function assertNotManual(live: LiveSessions, plan: QualifiedId): void {
  const open = live.manualRun(plan);
  if (open === undefined) return;
  const { phase, session } = open.transaction;
  throw failure('plan/busy', plan, `${phase} of ${plan} is open by hand (session ${session})`, {
    help: 'Continue it with `ravel run PLAN --by-hand`, or drop it with `ravel dismiss PLAN`.',
  });
}

function assertReasoning(plan: QualifiedId, phase: Phase): asserts phase is ReasoningPhase {
  if (!isCodePhase(phase)) return;
  throw failure('plan/wrongPhase', plan, `The next phase of ${plan} is ${phase}, which code carries out.`, {
    help: 'Let it run with `ravel retry PLAN` or `ravel run PLAN`.',
  });
}

function assertSame({ transaction }: LiveSession, { phase, task }: ManualStart): void {
  const { plan } = transaction;
  if (phase !== undefined && phase !== transaction.phase) {
    throw failure('plan/wrongPhase', plan, `${transaction.phase} of ${plan} is open by hand, not ${phase}`);
  }
  if (task === undefined || task === transaction.task) return;
  const message = `${transaction.phase} of ${plan} is open by hand with the task ${transaction.task}, not ${task}`;
  throw failure('plan/busy', plan, message, {
    help: 'Finish it, or drop it with `ravel dismiss PLAN`.',
  });
}

/** Paths of the project that the person changed since the work began; what had changes before counts if it has others now. */
async function changedSource(
  services: Pick<PlanServices, 'disk' | 'layout' | 'git'>,
  { id, projectDirectory }: PlanLocation,
): Promise<readonly string[]> {
  const { baselines } = await loadRunState(services, id);
  if (baselines.work === undefined) return [];
  const { commit, dirty } = baselines.work;
  const before = new Map(dirty.map(({ path, hash }) => [path, hash]));
  const now = await hashPaths(services.git, projectDirectory, [...before.keys()]);
  const since = await changedPaths(services.git, projectDirectory, commit, [projectPaths.ravel]);
  const paths = new Set([...since, ...before.keys()]);
  return [...paths].filter((path) => !before.has(path) || before.get(path) !== now.get(path)).sort();
}

/** Paths that a message names; of the others only their number is given. */
const namedMax = 3;

/** A person who edits source alone has often forgotten that the plan does not see it: a task is done once its record says so. */
function nothingChanged({ plan, phase, task }: Transaction, source: readonly string[]): RavelError {
  if (phase !== 'work' || source.length === 0) {
    const what = phase === 'work' ? 'neither the source nor a file of the plan' : `none of the files of ${phase}`;
    return failure('run/nothingChanged', plan, `You changed ${what}.`);
  }
  const rest = source.length - namedMax;
  const named = [...source.slice(0, namedMax), ...(rest > 0 ? [plural(rest, 'more file')] : [])].join(', ');
  const record = task === undefined ? 'the backlog' : `the task "${task}"`;
  return failure('run/nothingChanged', plan, `You changed the source (${named}), but ${record} is as it was before.`, {
    help: 'Set the status of the task in backlog.yaml, or confirm with `--unchanged` that the phase is done as it is.',
  });
}
