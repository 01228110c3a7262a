import { expect, test } from 'vitest';
import { Lexicon } from '../../../src/routing/facts/lexicon.ts';
import { numbersOf, prepareRecipients } from '../../../src/routing/facts/preparedRecipients.ts';
import { readWords } from '../../../src/routing/facts/text.ts';
import { recipient } from '../../support/routingRecords.ts';

const prepared = prepareRecipients([
  recipient('Shop/project-root/check-out', 'From access of token'),
  recipient('Shop/project-root/pay', 'Access tokens of banks', ['Card Money']),
  recipient('expert:rust', 'accessToken'),
]);

test('takes names and words from the ids, tags and descriptions of recipients', () => {
  expect(prepared.recipients.map(({ names, words }) => [names, words])).toEqual([
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
  ['with a word', [['shop']], 2],
  ['with a word of a description', [['token']], 3],
  ['for an unknown word', [['none']], 0],
  ['with words that stand together', [['card', 'money']], 1],
  ['not for words across the end of a name', [['pay', 'card']], 0],
  ['with either spelling, each recipient once', [['access', 'token'], ['accesstoken']], 3],
  ['not for only a part of the words', [['access', 'bank']], 0],
])('counts recipients that have %s', (_name, phrases, count) => expect(prepared.frequency(phrases)).toBe(count));

test('the numbers of a text have a break before its compounds', () => {
  const lexicon = new Lexicon();
  const numbers = numbersOf(readWords('accessToken, token'), lexicon);
  expect(numbers).toEqual([1, 2, 2, 0, 3, 0]);
  expect([1, 2, 3].map((number) => lexicon.formOf(number))).toEqual(['access', 'token', 'accesstoken']);
});
