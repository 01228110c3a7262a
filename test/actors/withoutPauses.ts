import type { Clock } from '../../src/base/clock.ts';
import { toDisposable } from '../../src/base/disposable.ts';

/** The clock of a test for which the pauses after a crash, all of them below a second, are over at once. */
export function withoutPauses(clock: Clock): Clock {
  return {
    wallMs: () => clock.wallMs(),
    monotonicMs: () => clock.monotonicMs(),
    schedule: (delayMs, callback) => {
      if (delayMs >= 1_000) return clock.schedule(delayMs, callback);
      const soon = setImmediate(callback);
      return toDisposable(() => clearImmediate(soon));
    },
  };
}
