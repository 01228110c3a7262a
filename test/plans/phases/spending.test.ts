import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import { partsFolder } from '../../../src/base/journalParts.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { Usage } from '../../../src/model/usage.ts';
import { Spending, type SpendingLimits } from '../../../src/plans/phases/spending.ts';
import { failureOf } from '../../support/failureOf.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { demoPlan, makePlanWorld } from '../../support/planServices.ts';
import { type DiskOperationName, systemError, traceDisk } from '../../support/tracingDisk.ts';

const other = toQualifiedId('Other/project-root');
const session = (n: number) => `01HZY0000000000000000000S${n}` as Ulid;
const noLimits: SpendingLimits = { sessionUsd: 10, planUsdPerDay: 0, vaultUsdPerDay: 0 };
const costs = (costUsd: number): Usage => ({
  ...{ inputTokens: 1, outputTokens: 1, cacheReadTokens: 0, cacheWriteTokens: 0 },
  costUsd,
});

async function makeSpending(disk: Disk = nodeDisk) {
  const clock = new ManualClock(Date.parse('2026-01-02T12:00:00Z'));
  const world = await makePlanWorld({ clock, disk });
  const open = () => new Spending(world.services);
  const book = (spending: Spending, n: number, usd: number, plan = demoPlan) =>
    spending.book({ plan, session: session(n), phase: 'work' }, costs(usd), 'opus');
  const refusal = (spending: Spending, budget: SpendingLimits, plan = demoPlan) =>
    failureOf(() => spending.reserve(plan, session(9), budget));
  return { ...world, clock, open, book, refusal, spending: open() };
}

describe('the budget of a session', () => {
  test('is its own limit when no day has one', async () => {
    const { spending } = await makeSpending();
    expect(await spending.reserve(demoPlan, session(1), noLimits)).toBe(10);
  });

  test('is the rest of the day when that is less', async () => {
    const { spending, book } = await makeSpending();
    await book(spending, 1, 6);
    expect(await spending.reserve(demoPlan, session(2), { ...noLimits, planUsdPerDay: 8 })).toBe(2);
  });

  test('excludes the amount that running sessions can still spend', async () => {
    const { spending, book, refusal } = await makeSpending();
    const budget = { ...noLimits, vaultUsdPerDay: 12 };
    expect(await spending.reserve(demoPlan, session(1), budget)).toBe(10);
    expect(await spending.reserve(other, session(2), budget)).toBe(2);
    expect(await refusal(spending, budget)).toMatchObject({ code: 'budget/exceeded' });
    await book(spending, 1, 1);
    expect(await spending.reserve(demoPlan, session(3), budget)).toBe(9);
    spending.release(session(3));
    expect(spending.reservedUsd()).toBe(2);
    expect(spending.reservedUsd(demoPlan)).toBe(0);
  });

  test('excludes what another session takes at the same moment', async () => {
    const { spending } = await makeSpending();
    const budget = { ...noLimits, vaultUsdPerDay: 12 };
    const given = await Promise.all([
      spending.reserve(demoPlan, session(1), budget),
      spending.reserve(other, session(2), budget),
    ]);
    expect(given).toEqual([10, 2]);
  });

  test('for the vault ignores the plan limit, and its cost counts for the vault only', async () => {
    const { spending } = await makeSpending();
    const budget = { ...noLimits, planUsdPerDay: 1, vaultUsdPerDay: 12 };
    expect(await spending.reserve('vault', session(1), budget)).toBe(10);
    await spending.book({ plan: 'vault', session: session(1), phase: 'route' }, costs(4), 'opus');
    expect(await spending.reserve(demoPlan, session(2), budget)).toBe(1);
    expect(await spending.reserve('vault', session(3), budget)).toBe(7);
  });

  test('is refused once the plan has spent its daily budget, while other plans continue', async () => {
    const { spending, book, refusal, events } = await makeSpending();
    await book(spending, 1, 5);
    const budget = { ...noLimits, planUsdPerDay: 5, vaultUsdPerDay: 100 };
    const problem = await refusal(spending, budget);
    expect(problem.message).toBe('the plan Demo/project-root can spend $5.00 a day, of which $5.00 is spent');
    expect(problem.help).toContain('Continue after 2026-01-03T');
    expect(await spending.reserve(other, session(2), budget)).toBe(5);
    expect(events).toMatchObject([{ type: 'budget.reached', limitUsd: 5, spentUsd: 5 }]);
  });

  test('is fresh on the next local day', async () => {
    const { spending, book, clock } = await makeSpending();
    const budget = { ...noLimits, planUsdPerDay: 5 };
    await book(spending, 1, 5);
    clock.jumpWall(48 * 3_600_000);
    expect(await spending.reserve(demoPlan, session(2), budget)).toBe(5);
  });
});

describe('a booked cost', () => {
  test('is known to the next owner', async () => {
    const { spending, book, open, refusal } = await makeSpending();
    await book(spending, 1, 5);
    await spending.stop();
    expect(await refusal(open(), { ...noLimits, planUsdPerDay: 5 })).toMatchObject({ code: 'budget/exceeded' });
  });

  test('counts once, however often it is booked', async () => {
    const { spending, book, open } = await makeSpending();
    await book(spending, 1, 5);
    await book(spending, 1, 5);
    const again = open();
    await book(again, 1, 7);
    for (const one of [spending, again, open()]) {
      const [today] = await one.byDay(1);
      expect(today?.plans.get(demoPlan)).toMatchObject({ usd: 5, sessions: 1 });
    }
  });

  test('belongs to its own day', async () => {
    const { spending, book, clock } = await makeSpending();
    await book(spending, 1, 5);
    clock.jumpWall(24 * 3_600_000);
    await book(spending, 2, 1);
    const days = await spending.byDay(3);
    expect(days.map(({ day, plans }) => [day, plans.get(demoPlan)?.usd])).toEqual([
      ['2026-01-01', undefined],
      ['2026-01-02', 5],
      ['2026-01-03', 1],
    ]);
  });

  test('above the reservation is reported', async () => {
    const { spending, book, events } = await makeSpending();
    await spending.reserve(demoPlan, session(1), noLimits);
    await book(spending, 1, 10.5);
    expect(events).toMatchObject([
      { diagnostic: { code: 'budget/overshot', message: /\$0\.50 more than the \$10\.00/ } },
    ]);
  });

  test('a booked cost of an adopted session is compared with its own reservation', async () => {
    const { spending, book, events } = await makeSpending();
    spending.adopt(demoPlan, session(1), 2);
    await book(spending, 1, 3);
    expect(events).toMatchObject([{ diagnostic: { code: 'budget/overshot' } }]);
  });
});

describe('a full disk', () => {
  async function makeRefusing(operation: DiskOperationName) {
    const refusing = { isFull: true };
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (refusing.isFull && name === operation && path.endsWith('spending.jsonl')) throw systemError('ENOSPC');
    });
    return { ...(await makeSpending(disk)), refusing };
  }
  const operations: readonly DiskOperationName[] = ['open', 'file.write', 'file.sync'];

  test.each(operations)('refusing %s loses no cost: the next booking writes both', async (operation) => {
    const { spending, book, open, refusing, services } = await makeRefusing(operation);
    await spending.reserve(demoPlan, session(1), noLimits);
    expect(await failureOf(() => book(spending, 1, 5))).toMatchObject({ code: 'disk/full' });
    // The unwritten cost may be as high as the reservation.
    expect(spending.reservedUsd(demoPlan)).toBe(10);
    refusing.isFull = false;
    await book(spending, 2, 1);
    expect(spending.reservedUsd()).toBe(0);
    await spending.stop();
    for (const one of [spending, open()]) {
      expect((await one.byDay(1))[0]?.plans.get(demoPlan)).toMatchObject({ usd: 6, sessions: 2 });
    }
    expect(readFileSync(services.layout.spending, 'utf8').split('\n')).toHaveLength(3);
  });

  test.each(operations)('that refused %s is tried again when spending stops', async (operation) => {
    const { spending, book, open, refusing } = await makeRefusing(operation);
    await failureOf(() => book(spending, 1, 5));
    refusing.isFull = false;
    await spending.stop();
    expect((await open().byDay(1))[0]?.plans.get(demoPlan)).toMatchObject({ usd: 5 });
  });

  test.each(operations)('refusing %s does not hold up a stop', async (operation) => {
    const { spending, book } = await makeRefusing(operation);
    await failureOf(() => book(spending, 1, 5));
    await spending.stop();
  });
});

test('a damaged spending file refuses sessions only when a day has a limit', async () => {
  const { spending, refusal, services } = await makeSpending();
  writeFileSync(services.layout.spending, 'no json\n');
  expect(await spending.reserve(demoPlan, session(1), noLimits)).toBe(10);
  spending.release(session(1));
  const budget = { ...noLimits, planUsdPerDay: 5 };
  expect(await refusal(spending, budget)).toMatchObject({ code: 'journal/corrupt' });
  // Once a person has fixed the file, it counts again.
  writeFileSync(services.layout.spending, '');
  expect(await spending.reserve(demoPlan, session(2), budget)).toBe(5);
});

test('a record of a later version is skipped', async () => {
  const { spending, book, open, services } = await makeSpending();
  await book(spending, 1, 5);
  await spending.stop();
  appendFileSync(services.layout.spending, '{"session":"x","pounds":3}\n');
  expect(readFileSync(services.layout.spending, 'utf8').split('\n')).toHaveLength(3);
  expect((await open().byDay(1))[0]?.plans.size).toBe(1);
});

test('bookings from before the journal was divided count, and are read only on demand', async () => {
  const { book, open, services } = await makeSpending();
  const part = (day: string, n: number) =>
    `${JSON.stringify({ session: session(n), plan: demoPlan, phase: 'work', at: `${day}T00:00:00Z`, day, usd: n, basis: 'reported' })}\n`;
  const parts = ['no json\n', part('2026-01-01', 7), part('2026-01-02', 5)];
  const folder = partsFolder(services.layout.spending);
  mkdirSync(folder);
  for (const [n, text] of parts.entries()) writeFileSync(join(folder, `00000${n + 1}.jsonl`), text);
  const spending = open();
  await book(spending, 2, 1);
  expect((await spending.byDay(1))[0]?.plans.get(demoPlan)).toMatchObject({ usd: 6, sessions: 2 });
  expect(await failureOf(() => spending.byDay(3))).toMatchObject({ code: 'journal/corrupt' });
});
