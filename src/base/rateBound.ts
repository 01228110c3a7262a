import type { Clock } from './clock.ts';

/** Lets something happen so often within a time, and no more. */
export class RateBound {
  readonly #clock: Pick<Clock, 'monotonicMs'>;
  readonly #count: number;
  readonly #withinMs: number;
  /** The latest times, the oldest first. */
  #times: readonly number[] = [];

  constructor(clock: Pick<Clock, 'monotonicMs'>, bound: { readonly count: number; readonly withinMs: number }) {
    this.#clock = clock;
    this.#count = bound.count;
    this.#withinMs = bound.withinMs;
  }

  /** Whether it may happen once more now; then it counts. */
  take(): boolean {
    const now = this.#clock.monotonicMs();
    this.#times = this.#times.filter((time) => now - time < this.#withinMs);
    if (this.#times.length >= this.#count) return false;
    this.#times = [...this.#times, now];
    return true;
  }
}
