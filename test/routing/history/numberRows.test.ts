import { expect, test } from 'vitest';
import { NumberRows } from '../../../src/routing/history/numberRows.ts';

test('rows keep their numbers whatever is added after them', () => {
  const rows = new NumberRows();
  const lengths = [0, 3, 65_530, 20, 70_000, 1];
  const kept = lengths.map((length, at) => rows.keep(Array.from({ length }, (_, n) => at + n)));
  expect(kept.map((row) => row.length)).toEqual(lengths);
  expect(kept.every((row, at) => row.every((number, n) => number === at + n))).toBe(true);
});

test('short rows share a block', () => {
  const rows = new NumberRows();
  expect(rows.keep([1, 2]).buffer).toBe(rows.keep([3]).buffer);
});
