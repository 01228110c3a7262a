import { createDeferred } from '../base/async.ts';
import type { Interrupt, Ports } from './ports.ts';

/** Exit codes that shells use for a process ended by these signals. */
export const interruptExitCodes: Readonly<Record<Interrupt, number>> = { SIGINT: 130, SIGTERM: 143 };

export type Outcome<T> =
  | { readonly kind: 'finished'; readonly value: T; readonly interrupt?: undefined }
  | {
      readonly kind: 'interrupted';
      readonly interrupt: Interrupt;
      /** The work was not awaited. */
      readonly left: boolean;
    };

/**
 * Does `work`; at the first interrupt `stopCleanly` is called and the work awaited, at the second one the wait is over and
 * the signal given to `work` aborts. A failure after an interrupt counts as having stopped.
 */
export async function interruptible<T>(
  ports: Ports,
  work: (signal: AbortSignal) => Promise<T>,
  stopCleanly: (interrupt: Interrupt) => void,
): Promise<Outcome<T>> {
  const controller = new AbortController();
  const left = createDeferred<Outcome<T>>();
  let first: Interrupt | undefined;
  const subscription = ports.onInterrupt((interrupt) => {
    if (first === undefined) {
      first = interrupt;
      stopCleanly(interrupt);
      return;
    }
    controller.abort(new Error(`interrupted by ${interrupt}`));
    left.resolve({ kind: 'interrupted', interrupt: first, left: true });
  });
  try {
    return await Promise.race([finish(), left.promise]);
  } finally {
    subscription.dispose();
  }

  async function finish(): Promise<Outcome<T>> {
    try {
      const value = await work(controller.signal);
      return first === undefined ? { kind: 'finished', value } : { kind: 'interrupted', interrupt: first, left: false };
    } catch (error) {
      if (first === undefined) throw error;
      return { kind: 'interrupted', interrupt: first, left: false };
    }
  }
}
