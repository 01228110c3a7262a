import { describe, expect, test } from 'vitest';
import { prepareRecipients } from '../../../src/routing/facts/preparedRecipients.ts';
import { parseTerm, ruleWords, termsOf, termsOfRules, weightOf } from '../../../src/routing/facts/terms.ts';
import { recipient } from '../../support/routingRecords.ts';

describe('a term', () => {
  test.each<[string, string, string[]]>([
    ['Refunds', 'refund', ['refund']],
    ['access tokens', 'access token', ['access token', 'accesstoken']],
    ['accessToken', 'access token', ['access token', 'accesstoken']],
    ['check-out', 'check out', ['check out', 'checkout']],
    ['the Point of Sale', 'point sale', ['point sale', 'pointsal']],
    ['one two three', 'two three', ['two three', 'twothre']],
    ['red green blue', 'red green blue', ['red green blue']],
  ])('the term %j has the key %j and the phrases %j', (written, key, phrases) => {
    const parsed = parseTerm(written);
    expect([parsed?.key, parsed?.phrases.map((phrase) => phrase.join(' '))]).toEqual([key, phrases]);
  });

  test.each(['the', 'out', 'back up', '', '---', 'https://example.org'])('%j is not a term', (written) => {
    expect(parseTerm(written)).toBeUndefined();
  });
});

const prepared = prepareRecipients([
  recipient('Shop/project-root', 'The service that sells'),
  recipient('Shop/project-root/pay', 'Cards and invoices', ['money']),
  recipient('expert:rust', 'The language'),
]);

test('terms are ordered by origin (rules, names and tags, descriptions) and then rarest first', () => {
  const rules = [
    { id: 'a', all: ['Cards'], any: ['webhook'] },
    { id: 'b', none: ['CARD', 'shop'] },
    { id: 'off', all: ['gone'], enabled: false },
  ];
  const rows = termsOf(rules, prepared).map(({ term, origin, sources }) => `${term} ${origin} ${sources}`);
  expect(rows).toEqual([
    ...['webhook rule a', 'cards rule a,b', 'shop rule b'],
    ...['money name Shop/project-root/pay', 'pay name Shop/project-root/pay', 'rust name expert:rust'],
    ...[
      'invoices description Shop/project-root/pay',
      'language description expert:rust',
      'sells description Shop/project-root',
    ],
  ]);
  expect(termsOfRules(rules, prepared, parseTerm)).toEqual(termsOf(rules, prepared).slice(0, 3));
});

test('a word of every fourth recipient is a term only if a rule names it', () => {
  const many = prepareRecipients(
    Array.from({ length: 20 }, (_, n) => recipient(`p${n}/project-root`, n < 6 ? 'ledger' : 'x')),
  );
  const has = (rules: Parameters<typeof termsOf>[0]) => termsOf(rules, many).some(({ term }) => term === 'ledger');
  expect([has([]), has([{ id: 'r', any: ['ledger'] }])]).toEqual([false, true]);
});

test('origin always outweighs frequency', () => {
  expect(weightOf('rule', Number.MAX_SAFE_INTEGER)).toBeLessThan(weightOf('name', 0));
});

test('the words of a rule include those it excludes', () => {
  expect(ruleWords({ all: ['a'], any: null, none: ['b'] })).toEqual(['a', 'b']);
});
