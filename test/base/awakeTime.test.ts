import { expect, test } from 'vitest';
import { AwakeTime } from '../../src/base/awakeTime.ts';
import { ManualClock } from '../support/manualClock.ts';

/** `passing`: milliseconds between one look and the next. */
function check(passing: readonly number[], expectedMs: number, beforeMs = 0): void {
  const clock = new ManualClock();
  const awake = new AwakeTime(clock, beforeMs);
  let passedMs = awake.passedMs();
  for (const ms of passing) {
    clock.advance(ms);
    passedMs = awake.passedMs();
  }
  expect(passedMs).toBe(expectedMs);
}

test('all time counts that is looked at often', () => check([100, 9_900, 10_000, 0], 20_000));
test('what passed before counts', () => check([1000], 61_000, 60_000));
test('what a machine slept counts as ten seconds', () => check([1000, 7_200_000, 1000], 12_000));
test('a wall clock that is set counts nothing', () => {
  const clock = new ManualClock();
  const awake = new AwakeTime(clock);
  clock.jumpWall(7_200_000);
  expect(awake.passedMs()).toBe(0);
});
