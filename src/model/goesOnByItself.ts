import type { RequestResults } from './protocol.ts';

/**
 * The request that continues a plan after an answer without anyone asking for it (`resume` is a `run_cycle` of the
 * paused run): a person who accepts wants the phase to continue, and one who rejects does not.
 */
export function goesOnByItself({
  decision,
  goOn,
}: Pick<RequestResults['decide'], 'decision' | 'goOn'>): 'run_phase' | 'retry' | 'resume' | undefined {
  if (decision === 'reject' || goOn === undefined) return undefined;
  return goOn === 'run' ? 'run_phase' : goOn;
}
