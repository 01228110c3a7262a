import { expect, test } from 'vitest';
import { toQualifiedId } from '../../src/model/id.ts';
import { planTexts, sessionTexts } from '../../webview/headFacts.ts';

const plan = toQualifiedId('Demo/project-root');
const counts = { ready: 1, blocked: 2, inProgress: 0, done: 3, received: 0, handoffs: 0 };
const usage = { inputTokens: 3, outputTokens: 2, cacheReadTokens: 0, cacheWriteTokens: 0, costUsd: 0.31 };
const sum = { usd: 0.5, estimatedUsd: 0, scriptedUsd: 0, unknownSessions: 0, sessions: 1 };

function spent(limits: { readonly planUsdPerDay?: number; readonly vaultUsdPerDay?: number }, runningUsd = 0) {
  const day = { ...sum, day: '2026-01-02', usd: 2, plans: [{ ...sum, plan }] };
  const spending = { days: [day], reservedUsd: 0, planUsdPerDay: 0, vaultUsdPerDay: 0, until: '', ...limits };
  return planTexts({ plan, counts }, spending, runningUsd)[1];
}

test('a session tells its model, its size, its time, its cost and its refusals', () =>
  expect(sessionTexts({ model: 'm', givenBytes: 1_200, usage, calls: 1, refusals: 2 }, 3_000)).toEqual([
    ...['m', 'given 1.2 kB', '0:03', '3 tokens in, 2 out, $0.31', 'refused 2 times'],
  ]));

test('a session of which nothing is known tells nothing', () => expect(sessionTexts(undefined, 3_000)).toEqual([]));

test('the time of a session that ended is its own', () =>
  expect(sessionTexts({ ended: { at: '', durationMs: 61_000 }, calls: 0, refusals: 0 }, 3_000)).toEqual(['1:01']));

test('a plan shows its tasks if no cost is known', () =>
  expect(planTexts({ plan, counts }, undefined, 0)).toEqual(['1 ready, 2 blocked, 3 done']));

test.each([
  [{ planUsdPerDay: 4 }, '$0.50 of $4.00 today'],
  [{ vaultUsdPerDay: 9 }, '$2.00 of $9.00 today in the vault'],
  [{}, '$0.50 today'],
])('with the limits %j a plan tells what was spent of them', (limits, expected) =>
  expect(spent(limits)).toBe(expected),
);

test('a plan tells what scenarios made up of its costs', () => {
  const day = { ...sum, day: '2026-01-02', plans: [{ ...sum, plan, scriptedUsd: 0.5 }] };
  const spending = { days: [day], reservedUsd: 0, planUsdPerDay: 0, vaultUsdPerDay: 0, until: '' };
  expect(planTexts({ plan, counts }, spending, 0)[1]).toBe('$0.50 today, $0.50 of it simulated');
});

test.each([
  [{ planUsdPerDay: 4 }, '$0.81 of $4.00 today'],
  [{ vaultUsdPerDay: 9 }, '$2.31 of $9.00 today in the vault'],
  [{}, '$0.81 today'],
])('what today costs with the limits %j holds a session that still runs', (limits, expected) =>
  expect(spent(limits, 0.31)).toBe(expected),
);
