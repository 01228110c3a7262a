import { createDeferred } from './async.ts';
import { type Disposable, toDisposable } from './disposable.ts';

/** It was not waited for any longer; it may still be at work. */
export interface Aborted {
  readonly kind: 'aborted';
}

/** Calls `listener` once, when `signal` aborts or at once if it has; not after it was disposed of. */
export function onAbort(signal: AbortSignal | undefined, listener: () => void): Disposable {
  if (signal?.aborted) listener();
  else signal?.addEventListener('abort', listener, { once: true });
  return toDisposable(() => signal?.removeEventListener('abort', listener));
}

/** Waits for `work`, but not beyond the moment when `signal` aborts. */
export async function raceAbort<T>(work: Promise<T>, signal: AbortSignal): Promise<T | Aborted> {
  if (signal.aborted) return { kind: 'aborted' };
  const aborted = createDeferred<Aborted>();
  const listening = onAbort(signal, () => aborted.resolve({ kind: 'aborted' }));
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    listening.dispose();
  }
}

/** As `raceAbort`, but rejects with the signal's reason. */
export async function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  const aborted = createDeferred<never>();
  const listening = onAbort(signal, () => aborted.reject(signal?.reason));
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    listening.dispose();
  }
}
