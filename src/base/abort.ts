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
  return race<T | Aborted>(work, signal, (resolve) => resolve({ kind: 'aborted' }));
}

/** As `raceAbort`, but rejects with the signal's reason. */
export function rejectOnAbort<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  return race<T>(work, signal, (_resolve, reject) => reject(signal?.reason));
}

async function race<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  settle: (resolve: (value: T) => void, reject: (error: unknown) => void) => void,
): Promise<T> {
  let listening: Disposable | undefined;
  const aborted = new Promise<T>((resolve, reject) => {
    listening = onAbort(signal, () => settle(resolve, reject));
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    listening?.dispose();
  }
}
