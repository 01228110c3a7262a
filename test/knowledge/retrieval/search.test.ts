import { describe, expect, test } from 'vitest';
import type { Query } from '../../../src/knowledge/retrieval/queryTerms.ts';
import { plainRanking } from '../../../src/knowledge/retrieval/ranking.ts';
import { type SearchOptions, search } from '../../../src/knowledge/retrieval/search.ts';
import { indexOf, someDocument } from './someDocuments.ts';

const documents = [
  someDocument('tagged', { tags: ['refund'], scope: 'shop', kind: 'memory', status: 'live' }),
  someDocument('titled', { title: 'refund', scope: 'shop', kind: 'decision', status: 'live' }),
  someDocument('headed', { headings: ['refund'], scope: 'shop', kind: 'memory', status: 'archived' }),
  someDocument('begun', { firstParagraph: 'refund', scope: 'bank', kind: 'memory', status: 'live' }),
  someDocument('told', { body: 'refund', scope: 'bank', kind: 'session', status: 'live' }),
  someDocument('once', {
    superseded: 'refund',
    body: 'ledger',
    scope: 'bank',
    kind: 'memory',
    status: 'live',
    tags: ['old'],
  }),
  someDocument('path', { body: 'see `src/plans/runState.ts` and readPlanFile, E_FOO-12, since 1.2.3' }),
  someDocument('chinese', { title: '退款流程' }),
  someDocument('arabic', { body: 'سياسة استرداد الأموال' }),
];

function check(query: Query, expected: string, options: SearchOptions = {}) {
  const { hits } = search(indexOf(documents), query, { ranking: plainRanking, ...options });
  expect(hits.map(({ id }) => id).join(' ')).toBe(expected);
}

test.each<[string, Query, string, SearchOptions?]>([
  ['fields by their weights', 'refund', 'tagged titled headed begun told once'],
  ['a path as a whole', 'src/plans/runState.ts', 'path'],
  ['the name of a file', 'runState.ts', 'path'],
  ['a part of a name', 'plan', 'path'],
  ['a name written in another way', 'read_plan_file', 'path'],
  ['an error code', 'E_FOO-12', 'path'],
  ['a version', '1.2.3', 'path'],
  ['the beginning of a version', '1.2', 'path'],
  ['Chinese', '退款', 'chinese'],
  ['one Chinese character', '款', 'chinese'],
  ['Arabic with another article', 'بالأموال', 'arabic'],
  ['one scope', 'refund', 'begun told once', { scopes: ['bank'] }],
  ['two kinds', 'refund', 'titled told', { kinds: ['decision', 'session'] }],
  ['a status and a scope', 'refund', 'headed', { statuses: ['archived'], scopes: ['shop'] }],
  ['a tag', 'refund', 'once', { tags: ['old', 'never'] }],
  ['a label that no document has', 'refund', '', { scopes: ['never'] }],
  [
    'a word that counts more',
    [
      { text: 'ledger', weight: 9 },
      { text: 'refund', weight: 0 },
    ],
    'once',
  ],
])('finds %s', (_what, query, expected, options) => check(query, expected, options));

describe('bad input is answered', () => {
  const alike = Array.from({ length: 10_000 }, (_, n) =>
    someDocument(`e${String(n).padStart(5, '0')}`, { body: 'refund' }),
  );
  const long = someDocument('long', { title: 'refund', body: 'refund queue '.repeat(100_000) });
  test.each<[string, readonly ReturnType<typeof someDocument>[], Query, SearchOptions, readonly string[]]>([
    ['no entry', [], 'refund', {}, []],
    ['an empty entry', [someDocument('empty')], 'refund', {}, []],
    ['10,000 equal entries', alike, 'refund', { limit: 2 }, ['e00000', 'e00001']],
    [
      'an entry beyond the budget',
      [long, someDocument('short', { body: 'refund' })],
      'refund',
      { bytesMax: 1000 },
      ['short'],
    ],
    ['a budget of no byte', alike.slice(0, 9), 'refund', { bytesMax: 0 }, []],
    ['a budget of no token', alike.slice(0, 9), 'refund', { tokensMax: 0 }, []],
    ['a budget of two tokens for each', alike.slice(0, 9), 'refund', { tokensMax: 5 }, ['e00000', 'e00001']],
    ['only code', [someDocument('code', { body: '{[(;)]}=>a.b::c()' })], 'b c', {}, ['code']],
    ['an empty query', alike.slice(0, 9), '', {}, []],
    ['a query of signs', alike.slice(0, 9), '?!', {}, []],
    ['a query of one stop word', alike.slice(0, 9), 'the', {}, []],
    [
      'a query of 50 kB',
      [long, someDocument('q', { body: 'queue' })],
      'queue refund '.repeat(4000),
      { limit: 1 },
      ['long'],
    ],
    [
      'a query of 50 kB of different words',
      [...alike.slice(0, 2)],
      Array.from({ length: 7000 }, (_, n) => `w${n}`).join(' '),
      {},
      [],
    ],
    ['a limit of none', alike.slice(0, 9), 'refund', { limit: 0 }, []],
    ['names of a prototype', [someDocument('__proto__', { body: 'constructor' })], 'constructor', {}, ['__proto__']],
  ])('%s', (_what, entries, query, options, expected) => {
    expect(search(indexOf(entries), query, options).hits.map(({ id }) => id)).toEqual(expected);
  });
});

test('a budget tells how many documents did not fit', () => {
  const entries = [
    someDocument('long', { title: 'refund', body: 'x '.repeat(500) }),
    someDocument('short', { body: 'refund' }),
  ];
  const { hits, skipped } = search(indexOf(entries), 'refund', { bytesMax: 100 });
  expect([hits.map(({ id }) => id), skipped]).toEqual([['short'], 1]);
});

test('the parts of an explanation sum to the score, and each kind of part is told', () => {
  const index = indexOf([
    someDocument('a', { title: 'refund queue', body: 'ledger invoice' }),
    someDocument('b', { body: 'refund ledger invoice receipt' }),
    someDocument('c', { body: 'invoice receipt' }),
    someDocument('d', { body: 'nothing of it' }),
  ]);
  const factors = new Map([['a', [{ name: 'retention', factor: 0.9 }]]]);
  const { hits } = search(index, 'refund queue', { explain: true, factors });
  for (const { score, parts } of hits) expect(parts.reduce((sum, part) => sum + part.score, 0)).toBeCloseTo(score, 9);
  const kinds = new Set(hits.flatMap(({ parts }) => parts.map(({ kind }) => kind)));
  expect([...kinds].sort()).toEqual(['expansion', 'factor', 'neighbour', 'word']);
  expect(hits.map(({ id }) => id)).toContain('c');
});

test('a query that is cut short by frequent words gives the documents that a full count gives', () => {
  const words = ['often', 'usual', 'rare', 'seldom'];
  const entries = Array.from({ length: 3000 }, (_, n) =>
    someDocument(`d${String(n).padStart(4, '0')}`, {
      body: `often ${n % 2 ? 'usual' : ''} ${n % 97 === 0 ? 'rare' : ''} ${n % 301 === 0 ? 'seldom' : ''} ${'x '.repeat(n % 13)}`,
    }),
  );
  const index = indexOf(entries);
  const ids = (limit: number) =>
    search(index, words.join(' '), { ranking: plainRanking, limit }).hits.map(({ id, score }) => [
      id,
      score.toFixed(9),
    ]);
  expect(ids(10)).toEqual(ids(3000).slice(0, 10));
});
