import { onAbort } from './abort.ts';
import { type Disposable, toDisposable } from './disposable.ts';

/** Time as a parameter. Only this file touches timers. */
export interface Clock {
  /** Milliseconds since the epoch; may jump. For stamps that people read, never for order. */
  wallMs(): number;
  /** Milliseconds from an arbitrary origin; never goes back. For durations and deadlines. */
  monotonicMs(): number;
  /** Runs `callback` once after `delayMs`, unless disposed before. */
  schedule(delayMs: number, callback: () => void): Disposable;
}

export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  schedule(delayMs, callback) {
    const timer = setTimeout(callback, delayMs);
    return toDisposable(() => clearTimeout(timer));
  },
};

/** Resolves after `delayMs`; rejects with the signal's reason when it aborts first. */
export function delay(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.schedule(delayMs, () => {
      listening.dispose();
      resolve();
    });
    const listening = onAbort(signal, () => {
      timer.dispose();
      reject(signal?.reason);
    });
  });
}

/** ISO 8601 in UTC to the second with `Z`, as state files and events carry it (document "state files"). */
export function formatTimestamp(wallMs: number): string {
  return `${new Date(wallMs).toISOString().slice(0, -'.000Z'.length)}Z`;
}
