import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addCrash, fromWall, isStopped, toWall } from '../../src/actors/restartPolicy.ts';

const budget = { crashes: 3, windowMs: 60_000 };

/** Checks whether an actor that crashed at these times is stopped by the last crash. */
function check(times: readonly number[], expected: boolean): void {
  let kept: number[] = [];
  for (const time of times) kept = addCrash(kept, time, budget);
  expect(isStopped(kept, budget)).toBe(expected);
}

describe('the budget of three crashes a minute', () => {
  test.each<[string, number[], boolean]>([
    ['allows no crash', [], false],
    ['allows two crashes', [0, 1], false],
    ['stops after three crashes at once', [5, 5, 5], true],
    ['stops after three crashes within the window', [0, 30_000, 59_999], true],
    ['counts the last instant of the window', [0, 30_000, 60_000], true],
    ['does not count the instant after the window', [0, 30_000, 60_001], false],
    ['moves the window along', [0, 50_000, 70_000, 100_000], true],
    ['allows crashes far apart', [0, 60_001, 120_002, 180_003], false],
  ])('%s', (_name, times, expected) => check(times, expected));

  test('stops exactly after three crashes within one window, whatever the times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 80_000 }), { maxLength: 8 }), (gaps) => {
        let now = 0;
        let kept: number[] = [];
        const times: number[] = [];
        for (const gap of gaps) {
          now += gap;
          times.push(now);
          kept = addCrash(kept, now, budget);
          const recent = times.filter((time) => now - time <= budget.windowMs).length;
          expect(isStopped(kept, budget)).toBe(recent >= 3);
          if (recent >= 3) return;
        }
      }),
    );
  });
});

describe('a new process', () => {
  const now = { wallMs: 1_000_000, monotonicMs: 500 };

  test('counts the crashes that the previous process saved', () => {
    const written = toWall([100, 400], { wallMs: 990_000, monotonicMs: 450 });
    expect(written).toEqual([989_650, 989_950]);
    const read = fromWall(written, now, budget);
    expect(read).toEqual([-9_850, -9_550]);
    expect(isStopped(addCrash(read, 500, budget), budget)).toBe(true);
  });

  test('keeps a stopped actor stopped, however long ago it crashed', () => {
    expect(isStopped(fromWall([1, 2, 3], now, budget), budget)).toBe(true);
  });

  test('takes a time in the future for now', () => {
    expect(fromWall([2_000_000], now, budget)).toEqual([500]);
  });

  test('loads no more crash times than the budget', () => {
    expect(fromWall([1, 2, 3, 4, 5], now, budget)).toHaveLength(3);
  });
});
