import type { RequestResults } from './protocol.ts';

/**
 * The request that goes on with a plan after an answer, where nobody has to ask for it (`resume` is a `run_cycle` of the
 * run that stands paused): who accepts wants the phase to go on, and who rejects does not.
 */
export function goesOnByItself({
  decision,
  goOn,
}: Pick<RequestResults['decide'], 'decision' | 'goOn'>): 'run_phase' | 'retry' | 'resume' | undefined {
  if (decision === 'reject' || goOn === undefined) return undefined;
  return goOn === 'run' ? 'run_phase' : goOn;
}
