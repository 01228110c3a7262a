import type { Clock } from './clock.ts';

/** More between two counts was no work: the machine slept, or this process was stopped. */
const gapMaxMs = 10_000;

/**
 * Counts time that passed while the machine was awake. The monotonic clock alone does not tell: on macOS and Windows it
 * goes on while the machine sleeps. So this is asked every few seconds at least, and the time between two calls counts
 * up to ten seconds.
 */
export class AwakeTime {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #countedMs: number;
  #passedMs: number;

  /** `passedMs`: what passed before. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, passedMs = 0) {
    this.#clock = clock;
    this.#countedMs = clock.monotonicMs();
    this.#passedMs = passedMs;
  }

  /** Milliseconds up to now. */
  passedMs(): number {
    const nowMs = this.#clock.monotonicMs();
    this.#passedMs += Math.min(nowMs - this.#countedMs, gapMaxMs);
    this.#countedMs = nowMs;
    return this.#passedMs;
  }
}
