import { createDeferred, type Deferred } from '../../src/base/async.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import { ManualClock } from './manualClock.ts';

/** A manual clock that tells when a callback is scheduled, so that a test can await it before it advances the clock. */
export class WatchedClock extends ManualClock {
  #waiting: Deferred<void>[] = [];

  override schedule(delayMs: number, callback: () => void): Disposable {
    const timer = super.schedule(delayMs, callback);
    for (const waiting of this.#waiting.splice(0)) waiting.resolve();
    return timer;
  }

  /** Resolves when the next callback is scheduled. */
  nextSchedule(): Promise<void> {
    const waiting = createDeferred<void>();
    this.#waiting.push(waiting);
    return waiting.promise;
  }

  /** Resolves once a callback is scheduled, at once if one is already. */
  async untilScheduled(): Promise<void> {
    if (this.scheduled === 0) await this.nextSchedule();
  }
}
