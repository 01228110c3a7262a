import type { Clock } from '../../src/base/clock.ts';
import { type Disposable, toDisposable } from '../../src/base/disposable.ts';

interface Timer {
  readonly dueMs: number;
  readonly order: number;
  readonly callback: () => void;
}

/** A clock that stands still until a test moves it. Starts at 2026-01-02T03:04:05Z. */
export class ManualClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  #timers: Timer[] = [];
  #order = 0;
  #waiting: (() => void)[] = [];

  constructor(wallMs: number = Date.UTC(2026, 0, 2, 3, 4, 5)) {
    this.#wallMs = wallMs;
  }

  wallMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  schedule(delayMs: number, callback: () => void): Disposable {
    const timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), order: this.#order++, callback };
    this.#timers.push(timer);
    for (const resolve of this.#waiting.splice(0)) resolve();
    return toDisposable(() => {
      this.#timers = this.#timers.filter((other) => other !== timer);
    });
  }

  /** How many callbacks wait for their time. */
  get scheduled(): number {
    return this.#timers.length;
  }

  /** Resolves once at least one callback waits for its time. */
  async whenScheduled(): Promise<void> {
    if (this.#timers.length === 0) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  /** Moves both clocks and runs what falls due, in the order of due times, each at its own time. */
  advance(ms: number): void {
    const end = this.#monotonicMs + ms;
    for (let timer = this.#nextDue(end); timer !== undefined; timer = this.#nextDue(end)) {
      const due = timer;
      this.#timers = this.#timers.filter((other) => other !== due);
      this.#moveTo(Math.max(this.#monotonicMs, due.dueMs));
      due.callback();
    }
    this.#moveTo(end);
  }

  /** Somebody sets the wall clock; durations are not touched. */
  jumpWall(ms: number): void {
    this.#wallMs += ms;
  }

  #nextDue(end: number): Timer | undefined {
    const due = this.#timers.filter((timer) => timer.dueMs <= end);
    return due.sort((a, b) => a.dueMs - b.dueMs || a.order - b.order)[0];
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }
}
