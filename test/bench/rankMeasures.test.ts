import { expect, test } from 'vitest';
import { measureRanking } from './rankMeasures.ts';

test.each<[string, string, string, number, number]>([
  ['everything first', 'a b c', 'a b', 1, 1],
  ['one of two, at the second place', 'x a', 'a b', 1 / Math.log2(3) / (1 + 1 / Math.log2(3)), 0.5],
  ['nothing', 'x', 'a', 0, 0],
  ['what is behind the tenth place', '1 2 3 4 5 6 7 8 9 10 a', 'a', 0, 0],
])('%s', (_what, ranked, relevant, ndcg, recall) => {
  const measures = measureRanking(ranked.split(' '), new Set(relevant.split(' ')));
  expect(measures.ndcg).toBeCloseTo(ndcg, 12);
  expect(measures.recall).toBe(recall);
});
