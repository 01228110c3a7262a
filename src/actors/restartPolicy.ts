import { assert } from '../base/assert.ts';

/** When an actor that keeps crashing is stopped. */
export interface RestartBudget {
  /** The number of crashes within the window that stops an actor. */
  readonly crashes: number;
  readonly windowMs: number;
}

/** Both clocks at one moment: durations within a process are monotonic, and only wall time means anything to the next. */
export interface Moment {
  readonly wallMs: number;
  readonly monotonicMs: number;
}

/**
 * The crash times of an actor after one more crash, oldest first, in monotonic milliseconds. A crash counts until it is
 * older than the window. A failed start is a crash.
 */
export function addCrash(times: readonly number[], nowMs: number, budget: RestartBudget): number[] {
  assert(budget.crashes > 0 && budget.windowMs >= 0, 'a budget is not negative');
  assert(
    times.every((time) => time <= nowMs),
    'monotonic time does not go back',
  );
  return [...times.filter((time) => nowMs - time <= budget.windowMs), nowMs].slice(-budget.crashes);
}

/**
 * Whether these crashes stop the actor. It asks for no time: crashes that are no longer within one window were dropped
 * by the crash that came after them, so that who was once stopped stays so until a person acts.
 */
export function isStopped(times: readonly number[], budget: RestartBudget): boolean {
  assert(budget.crashes > 0, 'a budget allows something');
  assert(times.length <= budget.crashes, 'no more crashes are kept than count');
  return times.length === budget.crashes;
}

/** The times as the next process can read them. */
export function toWall(times: readonly number[], now: Moment): number[] {
  assert(
    times.every((time) => time <= now.monotonicMs),
    'monotonic time does not go back',
  );
  return times.map((time) => Math.round(now.wallMs - (now.monotonicMs - time)));
}

/** What an earlier process wrote. A time to come, as after a clock was set back, counts as now: nothing is forgiven. */
export function fromWall(wallTimes: readonly number[], now: Moment, budget: RestartBudget): number[] {
  assert(budget.crashes > 0, 'a budget allows something');
  const times = wallTimes.map((time) => now.monotonicMs - Math.max(0, now.wallMs - time)).sort((a, b) => a - b);
  assert(
    times.every((time) => time <= now.monotonicMs),
    'a crash lies in the past',
  );
  return times.slice(-budget.crashes);
}
