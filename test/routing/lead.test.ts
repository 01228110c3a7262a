import { expect, test } from 'vitest';
import { leadOf } from '../../src/routing/lead.ts';

test.each<[string, readonly number[], number, number]>([
  ['is a share of the best score', [0.6, 0.3, 0.2], 3, 0.5],
  ['is all of it without another candidate', [0.6], 2, 1],
  ['is nothing if two are equal', [0.6, 0.6], 3, 0],
  ['is nothing if it rests on one word', [0.6], 1, 0],
  ['is nothing if it rests on no word', [0.6], 0, 0],
  ['is nothing without a score', [0], 3, 0],
  ['is nothing without candidates', [], 3, 0],
  ['is rounded like scores', [0.3, 0.2], 3, 0.333],
])('the lead of the first candidate %s', (_name, scores, words, expected) => {
  expect(leadOf(scores.map((score) => ({ score, words })))).toBe(expected);
});
