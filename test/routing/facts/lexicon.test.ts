import { expect, test } from 'vitest';
import { Lexicon } from '../../../src/routing/facts/lexicon.ts';

test('a stem keeps its number and its first form', () => {
  const lexicon = new Lexicon();
  expect([lexicon.add('refund', 'refunds'), lexicon.add('pay'), lexicon.add('refund', 'refunding')]).toEqual([1, 2, 1]);
  expect([lexicon.find('pay'), lexicon.find('never'), lexicon.size]).toEqual([2, 0, 2]);
  expect([lexicon.formOf(1), lexicon.formOf(0), lexicon.formOf(9)]).toEqual(['refunds', '', '']);
  expect([...lexicon.stems()]).toEqual(['refund', 'pay']);
});
