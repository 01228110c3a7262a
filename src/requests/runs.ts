import type { CycleReport, PhaseReport, runRequests } from '../model/requests/runs.ts';
import { runCycle } from '../plans/cycle.ts';
import { assertNotByHand } from '../plans/handRuns.ts';
import type { RunOptions } from '../plans/phaseRunner.ts';
import { dismissPhase, retryPhase } from '../plans/retry.ts';
import { type HandlersOf, own, type Parsed, type RequestContext } from './handlers.ts';

export const runHandlers: HandlersOf<typeof runRequests> = {
  async run_phase(context, params, signal) {
    const options = await runOptions(context, params);
    const resumed = await context.runner.followResumed(options.location.id, signal);
    if (resumed !== undefined) return resumed;
    const phase = params.phase === undefined ? {} : { phase: params.phase };
    return own(context, options, signal, (stop) => context.runner.run({ ...options, ...phase }, stop));
  },

  async run_cycle(context, params, signal) {
    const options = await runOptions(context, params);
    const { services, runner } = context;
    const before = await runner.followResumed(options.location.id, signal);
    if (before !== undefined && (before.end !== 'finished' || before.next === 'work')) return endedBefore(before);
    const cycle = { ...options, cycles: params.cycles ?? 1, ...(before !== undefined && { before }) };
    return own(context, options, signal, (stop) => runCycle(services, runner, cycle, stop));
  },

  async stop({ directory, runner }, { plan }) {
    return { stopped: await runner.stop((await directory.find(plan)).id) };
  },

  async retry(context, params, signal) {
    const options = await runOptions(context, params);
    return own(context, options, signal, (stop) => retryPhase(context.services, context.runner, options, stop));
  },

  async dismiss(context, { plan }) {
    const location = await context.directory.find(plan);
    const open = context.live.byHand(location.id);
    if (open !== undefined) return { dismissed: await context.hands.drop(location, open.transaction.session) };
    return own(context, { location }, undefined, async () => ({
      dismissed: await dismissPhase(context.services, location.id),
    }));
  },
};

async function runOptions({ directory, live }: RequestContext, params: Parsed<'retry'>): Promise<RunOptions> {
  const { plan, task, scenario } = params;
  const location = await directory.find(plan);
  assertNotByHand(live, location.id);
  // Only the scripted harness plays scenarios, so to name one is to name the harness.
  const harness = params.harness ?? (scenario === undefined ? undefined : 'scripted');
  return {
    location,
    ...(harness !== undefined && { harness }),
    ...(task !== undefined && { task }),
    ...(scenario !== undefined && { scenario }),
  };
}

/** A run that only had to follow what an earlier owner had begun. */
function endedBefore(before: PhaseReport): CycleReport {
  const { end, summary } = before;
  const stop = end === 'finished' ? 'cycle-ended' : end;
  return { phases: [before], stop, reason: end === 'finished' ? 'the cycle is complete' : summary };
}
