import { expect, test } from 'vitest';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { shareByDay } from '../../../src/routing/history/routingShare.ts';
import { decision } from '../../support/routingRecords.ts';

const noon = (day: number) => new Date(2026, 0, day, 12);

function shares(days: number) {
  const index = new HistoryIndex();
  const records = [
    decision('A', { at: noon(1).toISOString(), usd: 9, to: 'x' }),
    decision('B', { at: noon(3).toISOString(), usd: 0.5, to: 'x' }),
    decision('C', { at: noon(3).toISOString(), step: 'rules', to: 'x' }),
    decision('D', { at: noon(5).toISOString(), step: 'person', usd: 2 }),
    // Only the newest record of a message counts.
    decision('B', { at: noon(3).toISOString(), step: 'person', usd: 0.75, to: 'x' }),
    decision('D', { at: noon(5).toISOString(), step: 'person', to: 'x' }),
  ];
  for (const record of records) index.add(record);
  return shareByDay(index, { days, nowMs: noon(5).getTime() });
}

test('the routing share lists each day with messages by the step that decided', () => {
  expect(shares(3)).toEqual([
    { day: '2026-01-03', steps: { person: 1, rules: 1 }, usd: 0.75 },
    { day: '2026-01-05', steps: { person: 1 }, usd: 0 },
  ]);
});

test('a refused message counts for no step, but its cost counts', () => {
  const refused = { kind: 'refused', code: 'message/tooLong', reason: 'it is too long' } as const;
  const index = new HistoryIndex();
  for (const record of [
    decision('A', { at: noon(1).toISOString(), step: 'direct', outcome: refused }),
    decision('B', { at: noon(2).toISOString(), step: 'direct', outcome: refused }),
    decision('C', { at: noon(2).toISOString(), step: 'level-2', to: 'x' }),
    decision('D', { at: noon(2).toISOString(), step: 'person', outcome: refused, usd: 0.25 }),
  ])
    index.add(record);
  expect(shareByDay(index, { days: 5, nowMs: noon(5).getTime() })).toEqual([
    { day: '2026-01-02', steps: { 'level-2': 1 }, usd: 0.25 },
  ]);
});

test.each([
  [1, 1],
  [2, 1],
  [4, 2],
  [5, 3],
])('of the last %i days, %i had messages', (days, count) => {
  expect(shares(days)).toHaveLength(count);
});
