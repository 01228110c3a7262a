import type { QualifiedId } from '../model/id.ts';
import { loadRunState, type RunState, saveRunState } from '../vault/runState.ts';
import { closeApproval } from './approvals.ts';
import type { PlanServices } from './services.ts';

/** Changes the run state on disk. Only the owner of the vault writes it, one phase of a plan at a time. */
export async function updateRunState(
  services: Pick<PlanServices, 'disk' | 'layout'>,
  plan: QualifiedId,
  change: (old: RunState) => RunState,
): Promise<RunState> {
  const state = change(await loadRunState(services.disk, services.layout, plan));
  await saveRunState(services.disk, services.layout, plan, state);
  return state;
}

/**
 * Changes the run state for something that starts, or that a person dropped: what was unfinished before is answered by
 * that, and the question that was open is taken back.
 */
export async function answerUnfinished(
  services: Pick<PlanServices, 'disk' | 'layout'>,
  plan: QualifiedId,
  change: (old: RunState) => RunState,
): Promise<void> {
  const { waiting } = await loadRunState(services.disk, services.layout, plan);
  await updateRunState(services, plan, ({ interrupted: _interrupted, waiting: _waiting, ...old }) => change(old));
  if (waiting !== undefined) await closeApproval(services, waiting.approval);
}
