import { type Backoff, backoffMs } from '../base/backoff.ts';
import { isRavelError } from '../base/errors.ts';

export interface AttemptsSoFar {
  /** From 0. */
  readonly attempt: number;
  /** Since the first attempt. */
  readonly elapsedMs: number;
  /** From 0 up to 1. */
  readonly random: number;
}

export interface NextAttempt {
  /** Without it there is no next try until the user asks for one. */
  readonly delayMs?: number;
  /** Whether the person is told what is wrong; until then it counts as connecting. */
  readonly isShown: boolean;
}

const pauses: Backoff = { firstMs: 25, longestMs: 500 };
/** An owner that neither answers nor goes away for so long is worth telling of. */
const patienceMs = 10_000;
/** Milliseconds between two attempts to find an owner that a person has to start. */
const ownerPollMs = 2_000;

/**
 * What becomes of a vault that could not be opened. An owner that is just starting or leaving passes; that none runs
 * if only another may own it is told, and looked for; everything else needs a person. The pauses vary, so that windows
 * which lost the same owner do not meet at each try.
 */
export function nextAttempt(error: unknown, { attempt, elapsedMs, random }: AttemptsSoFar): NextAttempt {
  if (isRavelError(error, 'server/gone') || isRavelError(error, 'vault/owned')) {
    return { delayMs: backoffMs(pauses, attempt) * (0.5 + random), isShown: elapsedMs >= patienceMs };
  }
  if (isRavelError(error, 'cli/noOwner')) return { delayMs: ownerPollMs, isShown: true };
  return { isShown: true };
}
