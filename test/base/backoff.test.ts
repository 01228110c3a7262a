import { expect, test } from 'vitest';
import { backoffMs } from '../../src/base/backoff.ts';

test('a pause is twice the one before, up to the longest, however many tries failed', () => {
  const backoff = { firstMs: 50, longestMs: 1_000 };
  expect([0, 1, 2, 3, 4, 5, 6].map((tryNumber) => backoffMs(backoff, tryNumber))).toEqual([
    50, 100, 200, 400, 800, 1_000, 1_000,
  ]);
  expect(backoffMs(backoff, 100_000)).toBe(1_000);
});
