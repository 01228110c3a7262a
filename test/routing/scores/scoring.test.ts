import { describe, expect, test } from 'vitest';
import type { QualifiedId } from '../../../src/model/id.ts';
import { prepareRecipients } from '../../../src/routing/facts/preparedRecipients.ts';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { type ScoredMessage, scoreCandidates } from '../../../src/routing/scores/scoring.ts';
import { decision, recipient, result } from '../../support/routingRecords.ts';

const pay = 'Shop/project-root/pay';
const search = 'Shop/project-root/search';
const docs = 'Docs/project-root';
const prepared = prepareRecipients([
  recipient(pay, 'Cards and money'),
  recipient(search, 'Finding products'),
  recipient(docs, 'Manuals of products', ['writing']),
]);

function historyOf(...records: Parameters<HistoryIndex['add']>[0][]): HistoryIndex {
  const index = new HistoryIndex();
  for (const record of records) index.add(record);
  return index;
}

function check(message: Partial<ScoredMessage>, expected: string, index?: HistoryIndex) {
  const candidates = scoreCandidates(
    { on: 'query', from: 'person', facts: [], text: '', ...message },
    { prepared, ...(index !== undefined && { index }) },
  );
  expect(candidates.map(({ recipient }) => recipient).join(' > ')).toBe(expected);
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

describe('candidates for a message', () => {
  test.each<[string, Partial<ScoredMessage>, string, HistoryIndex?]>([
    ['are the recipients with its words', { text: 'a card and money' }, pay],
    ['with the rarer word come first', { text: 'products manual' }, `${docs} > ${search}`],
    ['are the recipients with its facts', { facts: ['writing'] }, docs],
    ['with the first fact come before those with the last', { facts: ['card', 'writing'] }, `${pay} > ${docs}`],
    ['exclude the sender', { text: 'products', from: docs as QualifiedId }, search],
    ['are the recipients of the named project', { text: 'products', within: 'Docs' }, docs],
    ['with equal scores are in the order of their ids', { text: 'products' }, `${docs} > ${search}`],
    ['are empty when no recipient has its words', { text: 'The weather' }, ''],
    ['are the recipients where similar messages went', { text: 'My ledger balance' }, docs, settled],
    [
      'exclude recipients that declined similar messages',
      { text: 'My ledger balance' },
      '',
      historyOf(decision('m1', { body: 'ledger balance', to: docs }), result('m1', docs, 'declined')),
    ],
    ['exclude recipients outside the named project', { text: 'My ledger balance', within: 'Shop' }, '', settled],
    [
      'ignore messages that wait',
      { text: 'ledger balance' },
      '',
      historyOf(decision('m1', { body: 'ledger balance' })),
    ],
  ])('%s', (_name, message, expected, index) => check(message, expected, index));

  test.each([
    ['task', 'dispatch', [docs]],
    ['question', 'query', ['expert:style', docs]],
  ] as const)('exclude experts only if it is a task: %s', (_name, on, expected) => {
    const recipients = [recipient(docs, 'Manuals'), recipient('expert:style', 'Style of manuals')];
    const message = { on, from: 'person', facts: [], text: 'The style of manuals' } as const;
    const candidates = scoreCandidates(message, { prepared: prepareRecipients(recipients) });
    expect(candidates.map((one) => one.recipient)).toEqual(expected);
  });

  test('are limited on request', () => {
    const message = { on: 'query', from: 'person', facts: [], text: 'products' } as const;
    expect(scoreCandidates(message, { prepared, limit: 1 })).toHaveLength(1);
  });
});
