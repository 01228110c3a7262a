import { defined } from '../base/defined.ts';
import { exists } from '../base/files.ts';
import { scenarioHarness } from '../model/harnesses.ts';
import type { Ulid } from '../model/id.ts';
import { isCodePhase, type Phase } from '../model/phase.ts';
import type { runRequests } from '../model/requests/runs.ts';
import { retryInRun, runCycle } from '../plans/phases/cycle.ts';
import { forgetRun, pausedRunOf } from '../plans/phases/cycleRun.ts';
import { assertNotManual } from '../plans/phases/manualRuns.ts';
import type { PhaseRunOptions } from '../plans/phases/phaseRunner.ts';
import { dismissPhase } from '../plans/phases/retry.ts';
import { loadRunState } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { assertOwner, type HandlersOf, type ParsedParams, type RequestContext } from './handlers.ts';

export const runHandlers: HandlersOf<typeof runRequests> = {
  async run_phase(context, params, signal) {
    const options = await runOptions(context, params);
    const resumed = await context.runner.followResumed(options.location.id, signal);
    if (resumed !== undefined) return resumed;
    const phase = defined({ phase: params.phase });
    const { locks, runner } = context;
    assertOwner(context);
    return locks.withActiveSlot(options.location.id, signal, (stop) => runner.run({ ...options, ...phase }, stop));
  },

  async run_cycle(context, params, signal) {
    const options = await runOptions(context, params);
    const { services, locks, runner } = context;
    const before = await runner.followResumed(options.location.id, signal);
    const { cycles, resume } = params;
    const cycle = {
      ...options,
      ...defined({ cycles, resume, before }),
    };
    assertOwner(context);
    return locks.withActiveSlot(options.location.id, signal, (stop) => runCycle(services, runner, cycle, stop));
  },

  async stop(context, { plan }) {
    const { directory, locks } = context;
    const location = await directory.find(plan);
    const stopped = await locks.stop(location.id);
    const forgot = await forgetPaused(context, location);
    return { stopped: stopped || forgot, ...(forgot && !stopped && { forgot }) };
  },

  async retry(context, params, signal) {
    const options = await runOptions(context, params);
    const { services, locks, runner } = context;
    assertOwner(context);
    return locks.withActiveSlot(options.location.id, signal, (stop) => retryInRun(services, runner, options, stop));
  },

  async dismiss(context, { plan }) {
    const location = await context.directory.find(plan);
    const open = context.live.manualRun(location.id);
    if (open !== undefined) return { dismissed: await context.manualRuns.drop(location, open.transaction.session) };
    const { services, locks } = context;
    assertOwner(context);
    return locks.withPlan(location.id, undefined, async () => {
      const forgot = await forgetRun(services, location.id);
      const state = await loadRunState(services, location.id);
      if (forgot && state.waiting === undefined && state.interrupted === undefined) return {};
      const dismissed = await dismissPhase(services, location.id);
      const phase = (state.waiting ?? state.interrupted ?? state.running)?.phase;
      const keptIn = await keptFolder(services, location, phase, dismissed);
      return { dismissed, ...defined({ phase, keptIn, withdrawn: state.waiting?.approval }) };
    });
  },
};

async function keptFolder(
  { disk, layout }: Pick<RequestContext['services'], 'disk' | 'layout'>,
  { id }: PlanLocation,
  phase: Phase | undefined,
  session: Ulid,
): Promise<string | undefined> {
  if (phase === undefined || isCodePhase(phase)) return undefined;
  const folder = layout.interruptedOf(id, phase, session);
  return (await exists(disk, folder)) ? folder : undefined;
}

/** Ends a paused run, which has no process that could end it. */
async function forgetPaused(
  context: Pick<RequestContext, 'services' | 'locks' | 'isOwner'>,
  location: PlanLocation,
): Promise<boolean> {
  const { services, locks, isOwner } = context;
  const state = await loadRunState(services, location.id);
  if (!isOwner || locks.has(location.id) || pausedRunOf(state) === undefined) return false;
  return locks.withPlan(location.id, undefined, () => forgetRun(services, location.id));
}

async function runOptions(
  { directory, live }: Pick<RequestContext, 'directory' | 'live'>,
  params: ParsedParams<'retry'>,
): Promise<PhaseRunOptions> {
  const { plan, task, scenario } = params;
  const location = await directory.find(plan);
  assertNotManual(live, location.id);
  // Only the scripted harness plays scenarios, so to name one is to name the harness.
  const harness = params.harness ?? (scenario === undefined ? undefined : scenarioHarness);
  return {
    location,
    ...defined({ harness, task, scenario }),
  };
}
