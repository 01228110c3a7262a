import { forgetRun } from '../plans/phases/cycleRun.ts';
import { dismissPhase } from '../plans/phases/retry.ts';
import type { Asked, DecisionParts, DecisionResult } from './decisionHandler.ts';

/** Rejecting a session's request drops its phase and the run that it stopped. */
export async function dismissed({ services }: DecisionParts, { location, waiting }: Asked): Promise<DecisionResult> {
  await dismissPhase(services, location.id);
  await forgetRun(services, location.id);
  return { did: `${waiting.phase} was dismissed; what its session had staged is kept.`, next: 'run' };
}
