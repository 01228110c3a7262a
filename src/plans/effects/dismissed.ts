import { forgetRun } from '../phases/cycleRun.ts';
import { dismissPhase } from '../phases/retry.ts';
import type { Asked, Effected, EffectParts } from './effect.ts';

/** Rejecting what a session asks for drops its phase, and the run that it stopped. */
export async function dismissed({ services }: EffectParts, { location, waiting }: Asked): Promise<Effected> {
  await dismissPhase(services, location.id);
  await forgetRun(services, location.id);
  return { did: `${waiting.phase} was dismissed; what its session had staged is kept.`, goOn: 'run' };
}
