import type { QualifiedId } from '../model/id.ts';
import { loadRunState, type RunState, saveRunState } from '../vault/runState.ts';
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
