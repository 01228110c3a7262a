import { expect, test } from 'vitest';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { similarDecisions } from '../../../src/routing/history/similarDecisions.ts';
import { decision } from '../../support/routingRecords.ts';

function check(bodies: readonly string[], stems: string, expected: string) {
  const index = new HistoryIndex();
  for (const [n, body] of bodies.entries()) index.add(decision(`m${n}`, { body }));
  const found = similarDecisions(index, new Set(stems.split(' ')));
  expect(found.map(({ decision }) => decision.message).join(' ')).toBe(expected);
  for (const { similarity } of found) {
    expect(similarity).toBeGreaterThan(0);
    expect(similarity).toBeLessThanOrEqual(1.000001);
  }
}

test.each<[string, string[], string, string]>([
  ['the most similar first', ['red green', 'red green blue', 'blue'], 'red green blue', 'm1 m0 m2'],
  ['the newer of equals first', ['red green', 'red green'], 'red', 'm1 m0'],
  ['none without a common word', ['red', 'green'], 'blue', ''],
  ['none in an empty history', [], 'red', ''],
  [
    'none with hardly a common word',
    [Array.from({ length: 300 }, (_, n) => `word${n}x`).join(' ')],
    'word1x a b c d e f',
    '',
  ],
  ['at most eight', Array.from({ length: 12 }, () => 'red'), 'red', 'm11 m10 m9 m8 m7 m6 m5 m4'],
])('similar decisions are %s', (_name, bodies, stems, expected) => check(bodies, stems, expected));

test('a decision with the same words has the similarity 1', () => {
  const index = new HistoryIndex();
  index.add(decision('m', { body: 'red green' }));
  expect(similarDecisions(index, new Set(['red', 'green']))[0]?.similarity).toBeCloseTo(1, 6);
});
