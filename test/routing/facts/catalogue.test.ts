import { expect, test } from 'vitest';
import { createCatalogue, numbersOf } from '../../../src/routing/facts/catalogue.ts';
import { Lexicon } from '../../../src/routing/facts/lexicon.ts';
import { readWords } from '../../../src/routing/facts/text.ts';
import { place } from '../../support/routingRecords.ts';

const catalogue = createCatalogue([
  place('Shop/project-root/check-out', 'From access of token'),
  place('Shop/project-root/pay', 'Access tokens of banks', ['Card Money']),
  place('expert:rust', 'accessToken'),
]);

test('a place has names and words', () => {
  expect(catalogue.places.map(({ names, words }) => [names, words])).toEqual([
    [
      ['Shop', 'check-out', 'shop', 'check', 'out'],
      ['access', 'token'],
    ],
    [
      ['Shop', 'pay', 'Card Money', 'shop', 'card', 'money'],
      ['access', 'tokens', 'banks'],
    ],
    [['rust'], ['access', 'token']],
  ]);
});

test.each<[string, string[][], number]>([
  ['a word', [['shop']], 2],
  ['a word of a description', [['token']], 3],
  ['a word that no place says', [['none']], 0],
  ['words that stand together', [['card', 'money']], 1],
  ['not across the end of a name', [['pay', 'card']], 0],
  ['either way, each place once', [['access', 'token'], ['accesstoken']], 3],
  ['a part of it only', [['access', 'bank']], 0],
])('places that say %s', (_name, phrases, count) => expect(catalogue.frequency(phrases)).toBe(count));

test('a text as numbers has a break before its compounds', () => {
  const lexicon = new Lexicon();
  const numbers = numbersOf(readWords('accessToken, token'), lexicon);
  expect(numbers).toEqual([1, 2, 2, 0, 3, 0]);
  expect([1, 2, 3].map((number) => lexicon.formOf(number))).toEqual(['access', 'token', 'accesstoken']);
});
