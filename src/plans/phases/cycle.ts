import { defined } from '../../base/defined.ts';
import { isRavelError } from '../../base/errors.ts';
import { failure } from '../../model/codes.ts';
import type { QualifiedId } from '../../model/id.ts';
import type { CycleReport, PhaseReport, RetryReport, RunStop } from '../../model/requests/runs.ts';
import { type CycleRun, loadRunState, updateRunState } from '../../vault/runState.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { emitFor, type PlanServices, timestamp } from '../services.ts';
import { cyclesDone, emitPaused, forgetRun, pausedRunOf, pauseRun } from './cycleRun.ts';
import type { PhaseRunner, PhaseRunOptions } from './phaseRunner.ts';
import { retryPhase } from './retry.ts';

export interface CycleOptions extends PhaseRunOptions {
  /** Without it a paused run continues; if there is none, one cycle runs. */
  readonly cycles?: number;
  /** Only continue a paused run. */
  readonly resume?: boolean;
  /** The phase that an earlier owner had begun, and that ended here. */
  readonly before?: PhaseReport;
}

/**
 * Runs phases until the given number of cycles has ended or something stops the run: a phase that did not finish,
 * nothing ready in the backlog, a person. The run is on disk while it lasts: if its owner dies first, the run is
 * paused.
 */
export async function runCycle(
  services: PlanServices,
  runner: PhaseRunner,
  options: CycleOptions,
  stop: AbortSignal,
): Promise<CycleReport> {
  const { location, before } = options;
  const { run, done, wasPaused } = await openRun(services, options);
  const phases: PhaseReport[] = before === undefined ? [] : [before];
  const end = async (why: StopReport): Promise<CycleReport> => {
    await settleRun(services, location.id, why.stop);
    emitFor(services, location.id, { type: 'run.ended', reason: why.reason });
    return { phases, ...why };
  };
  try {
    return await end(
      await runPhases({ services, runner, options: { ...options, ...howItRuns(run) } }, stop, {
        phases,
        cycles: run.cycles,
        done,
      }),
    );
  } catch (error) {
    // An owner that lets go leaves the run as it stands, for the next one.
    const isLetGo = isRavelError(error, 'run/stopped') && !stop.aborted;
    if (isLetGo) throw error;
    const hasBegun = phases.length > (before === undefined ? 0 : 1);
    const close = wasPaused && !hasBegun ? pauseRun : forgetRun;
    // What ended the run is told; a record of it that the disk keeps shows as a paused run, which a person can drop.
    await close(services, location.id).catch(() => undefined);
    throw error;
  }
}

/**
 * Tries an unfinished phase again, and continues the run that it had stopped. Who stops the phase now ends that run as
 * well.
 */
export async function retryInRun(
  services: PlanServices,
  runner: PhaseRunner,
  options: PhaseRunOptions,
  stop: AbortSignal,
): Promise<RetryReport> {
  const { location, harness, scenario } = options;
  const isInRun = async () => pausedRunOf(await loadRunState(services, location.id)) !== undefined;
  const keepsTree = await isInRun();
  const report = await retryPhase(services, runner, { ...options, keepsTree }, stop);
  if (stop.aborted) await forgetRun(services, location.id);
  if (report.end !== 'finished' || !(await isInRun())) return report;
  const as = { ...defined({ harness, scenario }) };
  const run = await runCycle(services, runner, { location, ...as, resume: true, before: report }, stop);
  return { ...report, run };
}

interface Loop {
  readonly services: PlanServices;
  readonly runner: PhaseRunner;
  readonly options: CycleOptions;
}

interface Progress {
  /** Reports so far; it grows. */
  readonly phases: PhaseReport[];
  readonly cycles: number;
  readonly done: number;
}

async function runPhases(
  { services, runner, options }: Loop,
  stop: AbortSignal,
  { phases, cycles, done: doneBefore }: Progress,
): Promise<StopReport> {
  const before = phases.at(-1);
  if (before !== undefined && before.end !== 'finished') return { stop: stopOf(before, stop), reason: before.summary };
  let done = doneBefore;
  let next: PhaseRunOptions = { ...options, keepsTree: true };
  while (!stop.aborted) {
    if (done >= cycles) return { stop: 'cycle-ended', reason: 'the cycle is complete' };
    const report = await runOne(runner, next, stop);
    if ('stop' in report) return report;
    phases.push(report);
    if (report.end !== 'finished') return { stop: stopOf(report, stop), reason: report.summary };
    if (report.next === 'work') {
      done++;
      await recordDone(services, options, done);
    }
    // The task and the phase that were asked for are those of the first phase alone.
    const { task: _task, phase: _phase, ...rest } = options;
    next = { ...rest, keepsTree: true };
  }
  return { stop: 'stopped', reason: 'the run was stopped' };
}

/** The paused run, or a new one; on disk before anything of it happens. */
async function openRun(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout'>,
  { location, cycles, resume, harness, scenario, before }: CycleOptions,
): Promise<{ readonly run: CycleRun; readonly done: number; readonly wasPaused: boolean }> {
  const state = await loadRunState(services, location.id);
  const paused = cycles === undefined && state.cycleRun?.paused === true ? state.cycleRun : undefined;
  if (resume === true && paused === undefined) {
    throw failure('run/notPaused', location.id, `No run of ${location.id} is paused.`);
  }
  const asked = {
    ...(harness !== undefined && harness !== 'person' && { harness }),
    ...defined({ scenario }),
  };
  const endsCycle = before?.end === 'finished' && before.next === 'work';
  const done = paused === undefined ? (endsCycle ? 1 : 0) : cyclesDone(paused, state);
  const run: CycleRun =
    paused === undefined
      ? {
          cycles: cycles ?? 1,
          done,
          cycleBefore: state.cycle - done,
          startedAt: timestamp(services),
          paused: false,
          ...asked,
        }
      : { ...paused, done, paused: false, ...asked };
  await updateRunState(services, location.id, (old) => ({ ...old, cycleRun: run }));
  return { run, done, wasPaused: paused !== undefined };
}

function howItRuns({ harness, scenario }: CycleRun): Pick<PhaseRunOptions, 'harness' | 'scenario'> {
  return { ...defined({ harness, scenario }) };
}

/**
 * A run whose phase did not finish goes on once that did; tomorrow there is money again, and a person resumes it as it
 * stands. Every other end is the end of it.
 */
async function settleRun(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit'>,
  plan: QualifiedId,
  stop: RunStop,
): Promise<void> {
  switch (stop) {
    case 'interrupted':
    case 'failed':
    case 'waiting':
      return pauseRun(services, plan);
    case 'budget':
      await pauseRun(services, plan);
      return emitPaused(services, plan);
    case 'cycle-ended':
    case 'nothing-ready':
    case 'stopped':
      await forgetRun(services, plan);
  }
}

async function recordDone(services: VaultPorts, { location }: CycleOptions, done: number): Promise<void> {
  await updateRunState(services, location.id, ({ cycleRun, ...old }) => ({
    ...old,
    ...(cycleRun !== undefined && { cycleRun: { ...cycleRun, done } }),
  }));
}

interface StopReport {
  readonly stop: RunStop;
  readonly reason: string;
}

async function runOne(
  runner: PhaseRunner,
  options: PhaseRunOptions,
  stop: AbortSignal,
): Promise<PhaseReport | StopReport> {
  try {
    return await runner.run(options, stop);
  } catch (error) {
    // It was stopped while it waited for its tree: nothing had begun.
    if (stop.aborted && isRavelError(error, 'run/stopped')) return { stop: 'stopped', reason: error.message };
    if (isRavelError(error, 'budget/exceeded')) return { stop: 'budget', reason: error.message };
    if (!isRavelError(error, 'plan/nothingReady')) throw error;
    return { stop: 'nothing-ready', reason: error.message };
  }
}

function stopOf(report: PhaseReport, stop: AbortSignal): RunStop {
  if (stop.aborted) return 'stopped';
  return report.end === 'finished' ? 'cycle-ended' : report.end;
}
