import { afterEach, describe, expect, test } from 'vitest';
import { formatDollars } from '../../src/base/text.ts';
import { addSpending, costOf, localDay, nextLocalDayMs, nothingSpent, priceSchema } from '../../src/model/spending.ts';
import type { Usage } from '../../src/model/usage.ts';

const usage: Usage = { inputTokens: 1_000_000, outputTokens: 200_000, cacheReadTokens: 0, cacheWriteTokens: 0 };
const prices = {
  opus: priceSchema.parse({ input: 5, output: 25 }),
  'opus-mini': priceSchema.parse({ input: 1, output: 5 }),
};

describe('the cost of a session', () => {
  test.each<[string, Usage | undefined, string | undefined, object]>([
    ['is what the harness reported', { ...usage, costUsd: 3 }, 'opus-4', { usd: 3, basis: 'reported' }],
    ['is estimated from the price of its model', usage, 'opus-4', { usd: 10, basis: 'estimated' }],
    ['is estimated from the longest model name that matches', usage, 'opus-mini-4', { usd: 2, basis: 'estimated' }],
    ['is unknown if its model has no price', usage, 'haiku', { basis: 'unknown' }],
    ['is unknown if no model is named', usage, undefined, { basis: 'unknown' }],
    ['is unknown if the session reported no usage', undefined, 'opus', { basis: 'unknown' }],
  ])('%s', (_name, used, model, expected) => expect(costOf(used, model, prices)).toEqual(expected));
});

test('a price is not negative, has both parts and no unknown key', () => {
  expect(priceSchema.safeParse({ input: -1, output: 1 }).success).toBe(false);
  expect(priceSchema.safeParse({ input: 1, output: 1, dream: 1 }).success).toBe(false);
  expect(priceSchema.safeParse({ input: 1 }).success).toBe(false);
});

describe('localDay and nextLocalDayMs', () => {
  const before = process.env['TZ'];
  afterEach(() => {
    if (before === undefined) delete process.env['TZ'];
    else process.env['TZ'] = before;
  });

  test.each<[string, string, string, number]>([
    ['UTC', '2026-01-02T23:59:59Z', '2026-01-02', 24],
    // In summer Vienna is two hours ahead of UTC, so the day has already begun there.
    ['Europe/Vienna', '2026-07-01T22:30:00Z', '2026-07-02', 24],
    ['America/New_York', '2026-01-02T03:00:00Z', '2026-01-01', 24],
    ['Europe/Vienna', '2026-03-29T12:00:00Z', '2026-03-29', 23],
    ['Europe/Vienna', '2026-10-25T12:00:00Z', '2026-10-25', 25],
    ['UTC', '2028-02-29T12:00:00Z', '2028-02-29', 24],
  ])('in %s at %s give the day %s of %i hours', (zone, at, day, hours) => {
    process.env['TZ'] = zone;
    const next = nextLocalDayMs(Date.parse(at));
    expect(localDay(Date.parse(at))).toBe(day);
    expect(localDay(next - 1)).toBe(day);
    expect(localDay(next)).not.toBe(day);
    expect(next - hours * 3_600_000).toBe(Date.parse(`${day}T00:00:00${offset(day, zone)}`));
  });
});

/** The UTC offset at the beginning of the days above. */
function offset(day: string, zone: string): string {
  if (zone === 'UTC') return 'Z';
  if (zone === 'America/New_York') return '-05:00';
  return day === '2026-03-29' ? '+01:00' : '+02:00';
}

test('addSpending sums the cost and counts what is estimated and what is unknown', () => {
  const sum = [
    { usd: 1, basis: 'reported' as const },
    { usd: 2, basis: 'estimated' as const },
    { basis: 'unknown' as const },
  ].reduce(addSpending, nothingSpent);
  expect(sum).toEqual({ usd: 3, estimatedUsd: 2, scriptedUsd: 0, sessions: 3, unknownSessions: 1 });
});

test.each([
  [0, '$0.00'],
  [1.5, '$1.50'],
  [0.005, '$0.01'],
])('%d dollars are written %s', (usd, text) => expect(formatDollars(usd)).toBe(text));
