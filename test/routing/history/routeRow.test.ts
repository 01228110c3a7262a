import { expect, test } from 'vitest';
import { routeRow, wholeRow } from '../../../src/routing/history/routeRow.ts';
import { decision, result } from '../../support/routingRecords.ts';

const long = 'long '.repeat(100_000);
const asked = { level: 2, session: 'S', scope: 'Shop', durationMs: 1, answer: 'none', reasoning: long, raw: long };
const everything = {
  ...decision('m1', {
    body: `\n${long}`,
    reason: long,
    reasoning: long,
    consulted: [asked as never],
    facts: ['refund'],
  }),
  outcome: { kind: 'refused', code: 'message/tooLong', reason: long } as const,
  result: { ...result('m1', 'Shop/project-root', 'declined'), reason: long },
};

test('a row has the beginning of every text and no body', () => {
  const row = routeRow(everything);
  expect(row).not.toHaveProperty('body');
  expect(row).toMatchObject({ message: 'm1', facts: ['refund'], step: 'level-2', result: { result: 'declined' } });
  expect(row.excerpt).toMatch(/^long (long )*[long]*…$/);
  expect([row.excerpt.length, row.reason.length]).toEqual([200, 200]);
  expect(JSON.stringify(row).length).toBeLessThan(7000);
});

test('a whole row has every text whole', () => {
  const { excerpt, ...rest } = wholeRow(everything);
  expect(excerpt).toHaveLength(200);
  expect(rest).toEqual(everything);
});
