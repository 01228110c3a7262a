import { messageOf } from '../../base/errors.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { loadRunState } from '../../vault/runState.ts';
import type { PlanServices } from '../services.ts';
import { endUnfinished } from './phaseEnd.ts';

/**
 * A failure outside the session (a full disk, a plan that is gone) interrupts the phase that is under way: the reasoning
 * phase, or after its copy-back the code phase that was to follow. Whatever had been decided is kept for a retry.
 */
export async function interruptPhase(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit' | 'git'>,
  plan: QualifiedId,
  session: Ulid,
  error: unknown,
): Promise<void> {
  const { running } = await loadRunState(services, plan);
  if (running?.session !== session) return;
  await endUnfinished(
    services,
    { plan, phase: running.phase, session },
    { end: 'interrupted', reason: messageOf(error) },
  );
}
