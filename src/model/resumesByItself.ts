import type { RequestResults } from './protocol.ts';

/**
 * The request that continues a plan after an answer without anyone asking for it (`resume` is a `run_cycle` of the
 * paused run): a person who accepts wants the phase to continue, and one who rejects does not.
 */
export function resumesByItself({
  decision,
  next,
}: Pick<RequestResults['decide'], 'decision' | 'next'>): 'run_phase' | 'retry' | 'resume' | undefined {
  if (decision === 'reject' || next === undefined) return undefined;
  return next === 'run' ? 'run_phase' : next;
}
