import { isRavelError } from '../base/errors.ts';
import type { CycleReport, PhaseReport, RunStop } from '../model/requests/runs.ts';
import type { PhaseRunner, RunOptions } from './phaseRunner.ts';
import { emitFor, type PlanServices } from './services.ts';

/**
 * Runs phases until `cycles` cycles have ended or something stops the run (design 4, "Stop conditions"): a phase that did
 * not finish, nothing ready in the backlog, a person.
 */
export async function runCycle(
  services: PlanServices,
  runner: PhaseRunner,
  options: RunOptions & { readonly cycles: number; readonly before?: PhaseReport },
  stop: AbortSignal,
): Promise<CycleReport> {
  const phases: PhaseReport[] = options.before === undefined ? [] : [options.before];
  const end = (why: StopReport): CycleReport => {
    emitFor(services, options.location.id, { type: 'run.ended', reason: why.reason });
    return { phases, ...why };
  };
  let cycles = 0;
  let next: RunOptions = { ...options, keepsTree: true };
  while (!stop.aborted) {
    const report = await runOne(runner, next, stop);
    if ('stop' in report) return end(report);
    phases.push(report);
    if (report.end !== 'finished') return end({ stop: stopOf(report, stop), reason: report.summary });
    if (report.next === 'work') cycles++;
    if (cycles === options.cycles) return end({ stop: 'cycle-ended', reason: 'the cycle is complete' });
    // The task and the phase that were asked for are those of the first phase alone.
    const { task: _task, phase: _phase, ...rest } = options;
    next = { ...rest, keepsTree: true };
  }
  return end({ stop: 'stopped', reason: 'a person stopped the run' });
}

interface StopReport {
  readonly stop: RunStop;
  readonly reason: string;
}

async function runOne(runner: PhaseRunner, options: RunOptions, stop: AbortSignal): Promise<PhaseReport | StopReport> {
  try {
    return await runner.run(options, stop);
  } catch (error) {
    // It was stopped while it waited for its tree: nothing had begun.
    if (stop.aborted && isRavelError(error, 'run/stopped')) return { stop: 'stopped', reason: error.message };
    if (!isRavelError(error, 'plan/nothingReady')) throw error;
    return { stop: 'nothing-ready', reason: error.message };
  }
}

function stopOf(report: PhaseReport, stop: AbortSignal): RunStop {
  if (stop.aborted) return 'stopped';
  return report.end === 'finished' ? 'cycle-ended' : report.end;
}
