import { describe, expect, test } from 'vitest';
import type { QualifiedId } from '../../../src/model/id.ts';
import type { Candidate } from '../../../src/model/routing.ts';
import { createCatalogue } from '../../../src/routing/facts/catalogue.ts';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { clearMargin, type ScoredMessage, scoreCandidates } from '../../../src/routing/steps/scoring.ts';
import { decision, place, result } from '../../support/routingRecords.ts';

const pay = 'Shop/project-root/pay';
const search = 'Shop/project-root/search';
const docs = 'Docs/project-root';
const catalogue = createCatalogue([
  place(pay, 'Cards and money'),
  place(search, 'Finding products'),
  place(docs, 'Manuals of products', ['writing']),
]);

function historyOf(...records: Parameters<HistoryIndex['add']>[0][]): HistoryIndex {
  const index = new HistoryIndex();
  for (const record of records) index.add(record);
  return index;
}

function check(message: Partial<ScoredMessage>, expected: string, index?: HistoryIndex) {
  const candidates = scoreCandidates(
    { from: 'person', facts: [], text: '', ...message },
    { catalogue, ...(index !== undefined && { index }) },
  );
  expect(candidates.map(({ place }) => place).join(' > ')).toBe(expected);
  for (const { score, parts } of candidates) {
    expect(score).toBeGreaterThan(0);
    expect(score).toBeLessThanOrEqual(1);
    expect(Object.values(parts).reduce((sum, part) => sum + part, 0)).toBeCloseTo(score, 5);
  }
}

const settled = historyOf(
  decision('m1', { body: 'The ledger does not balance at night', to: docs }),
  decision('m2', { body: 'Ledger balance is wrong', to: docs }),
  decision('m3', { body: 'Another matter entirely', to: pay }),
);

describe('candidates', () => {
  test.each<[string, Partial<ScoredMessage>, string, HistoryIndex?]>([
    ['those whose words the message has', { text: 'a card and money' }, pay],
    ['the rarer word before the more common', { text: 'products manual' }, `${docs} > ${search}`],
    ['those that say its facts', { facts: ['writing'] }, docs],
    ['the first fact before the last', { facts: ['card', 'writing'] }, `${pay} > ${docs}`],
    ['never the sender', { text: 'products', from: docs as QualifiedId }, search],
    ['those of the project that is named', { text: 'products', within: 'Docs' }, docs],
    ['in the order of their ids, where nothing tells them apart', { text: 'products' }, `${docs} > ${search}`],
    ['none of what nobody speaks of', { text: 'The weather' }, ''],
    ['where similar messages went', { text: 'My ledger balance' }, docs, settled],
    [
      'not where they were declined',
      { text: 'My ledger balance' },
      '',
      historyOf(decision('m1', { body: 'ledger balance', to: docs }), result('m1', docs, 'declined')),
    ],
    ['not where they went beyond the project', { text: 'My ledger balance', within: 'Shop' }, '', settled],
    ['nothing of what waits', { text: 'ledger balance' }, '', historyOf(decision('m1', { body: 'ledger balance' }))],
  ])('are %s', (_name, message, expected, index) => check(message, expected, index));

  test('are as many as are asked for', () => {
    const message = { from: 'person', facts: [], text: 'products' } as const;
    expect(scoreCandidates(message, { catalogue, limit: 1 })).toHaveLength(1);
  });
});

describe('a lead', () => {
  const candidate = (place: string, score: number): Candidate => ({ place: place as QualifiedId, score, parts: {} });

  test.each<[string, Candidate[], string | undefined]>([
    ['is clear', [candidate('a', 0.6), candidate('b', 0.3)], 'a'],
    ['alone is clear', [candidate('a', 0.6)], 'a'],
    ['is too small', [candidate('a', 0.6), candidate('b', 0.5)], undefined],
    ['of little is none', [candidate('a', 0.4)], undefined],
    ['of nobody is none', [], undefined],
  ])('%s', (_name, candidates, expected) => {
    expect(clearMargin(candidates, { margin: 0.2, least: 0.5 })?.place).toBe(expected);
  });
});
