import type { QualifiedId } from '../../model/id.ts';
import type { PausedRun } from '../../model/requests/plans.ts';
import { type CycleRun, loadRunState, type RunState, updateRunState } from '../../vault/runState.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { emitFor, type PlanServices } from '../services.ts';

/**
 * How many cycles of a run are behind it. What the run noted itself may be one behind after a crash; the plan's own count
 * moves in the same write that ends a cycle, but knows nothing of one that a person cut short.
 */
export function cyclesDone(run: CycleRun, state: RunState): number {
  return Math.max(run.done, state.cycle - run.cycleBefore);
}

export function pausedRunOf(state: RunState): PausedRun | undefined {
  const { cycleRun } = state;
  if (cycleRun?.paused !== true) return undefined;
  return { done: cyclesDone(cycleRun, state), cycles: cycleRun.cycles };
}

/** The first step of a restart: from here on no part of the run starts by itself. */
export async function pauseRun(services: VaultPorts, plan: QualifiedId): Promise<void> {
  const { cycleRun } = await loadRunState(services, plan);
  if (cycleRun === undefined || cycleRun.paused) return;
  await updateRunState(services, plan, (old) => ({ ...old, cycleRun: { ...cycleRun, paused: true } }));
}

/** Once what the earlier owner had begun is over: the run stands still, or was complete with that. */
export async function emitPaused(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit'>,
  plan: QualifiedId,
): Promise<void> {
  const paused = pausedRunOf(await loadRunState(services, plan));
  if (paused === undefined) return;
  const { done, cycles } = paused;
  if (done < cycles) {
    emitFor(services, plan, { type: 'run.paused', done, cycles });
    return;
  }
  await forgetRun(services, plan);
  emitFor(services, plan, { type: 'run.ended', reason: 'the cycle is complete' });
}

/** Forgets a run that has ended; false if there was none. */
export async function forgetRun(services: VaultPorts, plan: QualifiedId): Promise<boolean> {
  const { cycleRun } = await loadRunState(services, plan);
  if (cycleRun === undefined) return false;
  await updateRunState(services, plan, ({ cycleRun: _over, ...old }) => old);
  return true;
}
