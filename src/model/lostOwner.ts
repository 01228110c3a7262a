import { isRavelError } from '../base/errors.ts';
import type { RequestName } from './protocol.ts';

/** What a person is told of a request that was under way when the owner of the vault went away. */
export const lostOwnerText =
  'The vault passed to another window or program while this was under way. See whether it was done before you repeat it.';

export function isLostOwner(error: unknown): boolean {
  return isRavelError(error, 'server/gone');
}

const runNames = ['run_phase', 'run_cycle', 'retry'] as const satisfies readonly RequestName[];

/** Whether nothing has failed but the wait for an answer: the next owner continues a run. */
export function outlivesOwner(request: string, error: unknown): boolean {
  return isLostOwner(error) && runNames.some((name) => name === request);
}
