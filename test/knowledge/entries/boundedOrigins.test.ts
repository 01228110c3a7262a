import { expect, test } from 'vitest';
import { boundedOrigins } from '../../../src/knowledge/entries/entryChange.ts';

const of = (year: number) =>
  Array.from({ length: 10 }, (_, n) => ({ project: 'shop', date: `${year}-01-${10 + n}`, context: `${year} ${n}` }));

test('merging an old entry into a young one keeps the newest origins', () => {
  const kept = boundedOrigins([...of(2026), ...of(2020)]).map(({ date }) => date);
  expect(kept.filter((date) => date.startsWith('2026'))).toHaveLength(9);
  expect(kept).toContain('2026-01-19');
  expect(kept).toContain('2020-01-10');
});
