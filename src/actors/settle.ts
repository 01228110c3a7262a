import { assert } from '../base/assert.ts';

/** How something ended that may throw. */
export type Settled<T> =
  | { readonly kind: 'did'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown };

/** It was not waited for any longer; it may still be at work. */
export interface Aborted {
  readonly kind: 'aborted';
}

/** A promise also where `work` throws at once; it never rejects. */
export async function settle<T>(work: () => Promise<T>): Promise<Settled<T>> {
  try {
    return { kind: 'did', value: await work() };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

/** Waits for `work`, but not beyond the moment when `signal` aborts. */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T | Aborted> {
  if (signal.aborted) return { kind: 'aborted' };
  let drop: () => void = () => undefined;
  const dropped = new Promise<Aborted>((resolve) => {
    drop = () => resolve({ kind: 'aborted' });
    signal.addEventListener('abort', drop, { once: true });
  });
  try {
    return await Promise.race([work, dropped]);
  } finally {
    assert(drop !== undefined, 'a promise runs its executor at once');
    signal.removeEventListener('abort', drop);
  }
}
