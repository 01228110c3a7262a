import { assert } from '../base/assert.ts';

/** How something ended that may throw. */
export type Attempt<T> =
  | { readonly kind: 'did'; readonly value: T }
  | { readonly kind: 'threw'; readonly error: unknown };

/** It was not waited for any longer; it may still be at work. */
export interface Dropped {
  readonly kind: 'dropped';
}

/** A promise also where `work` throws at once; it never rejects. */
export async function attemptTo<T>(work: () => Promise<T>): Promise<Attempt<T>> {
  try {
    return { kind: 'did', value: await work() };
  } catch (error) {
    return { kind: 'threw', error };
  }
}

/** Waits for `work`, but not beyond the moment when `signal` aborts. */
export async function unlessDropped<T>(work: Promise<T>, signal: AbortSignal): Promise<T | Dropped> {
  if (signal.aborted) return { kind: 'dropped' };
  let drop: () => void = () => undefined;
  const dropped = new Promise<Dropped>((resolve) => {
    drop = () => resolve({ kind: 'dropped' });
    signal.addEventListener('abort', drop, { once: true });
  });
  try {
    return await Promise.race([work, dropped]);
  } finally {
    assert(drop !== undefined, 'a promise runs its executor at once');
    signal.removeEventListener('abort', drop);
  }
}
