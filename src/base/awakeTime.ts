import type { Clock } from './clock.ts';

/** More between two looks was no work: the machine slept, or this process was stopped. */
const gapMaxMs = 10_000;

/**
 * Counts time that passed while the machine was awake. The monotonic clock alone does not tell: on macOS and Windows it
 * goes on while the machine sleeps. So this is asked every few seconds at least, and what lies between two looks counts
 * up to ten seconds.
 */
export class AwakeTime {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  #lookedMs: number;
  #passedMs: number;

  /** `passedMs`: what passed before. */
  constructor(clock: Pick<Clock, 'monotonicMs'>, passedMs = 0) {
    this.#clock = clock;
    this.#lookedMs = clock.monotonicMs();
    this.#passedMs = passedMs;
  }

  /** Milliseconds up to now. */
  look(): number {
    const nowMs = this.#clock.monotonicMs();
    this.#passedMs += Math.min(nowMs - this.#lookedMs, gapMaxMs);
    this.#lookedMs = nowMs;
    return this.#passedMs;
  }
}
