import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { toQualifiedId } from '../../src/model/id.ts';
import { filterPlans, type PlanFilter } from '../../src/model/planFilter.ts';
import type { PlanRow } from '../../src/model/requests/plans.ts';

const counts = { ready: 0, blocked: 0, inProgress: 0, done: 0, received: 0, handoffs: 0 };

function row(plan: string, rest: Partial<PlanRow> = {}): PlanRow {
  return { plan: toQualifiedId(plan), description: `About ${plan}`, phase: 'work', counts, faults: [], ...rest };
}

const fault = { code: 'plan/badState', severity: 'error', message: 'Bad.', subject: 'b' } as const;

const rows: readonly PlanRow[] = [
  row('shop/project-root/till b'),
  row('shop/project-root/till/money', { faults: [fault] }),
  row('shop/project-root/till', { waiting: 'It asks.', phase: 'triage' }),
  row('shop/project-root', {
    running: { session: '01J00000000000000000000000' as never, phase: 'work' },
    actor: { state: 'active', queued: 0, deadLetters: 0 },
  }),
  row('shopping/project-root', {
    counts: { ...counts, ready: 2 },
    description: 'Bücher kaufen',
    actor: { state: 'faulted', queued: 1, deadLetters: 0 },
  }),
];

/** Which plans are left, by the end of their id, and what is told of the rest. */
function check(filter: PlanFilter, expected: readonly string[], rest: object = {}): void {
  const { plans, ...told } = filterPlans(rows, filter);
  expect({ plans: plans.map(({ plan }) => plan.replace('/project-root', '')), ...told }).toEqual({
    plans: expected,
    ...rest,
  });
}

describe('the rows that fit', () => {
  test.each<[string, PlanFilter, readonly string[]]>([
    ['all, parents first', {}, ['shop', 'shop/till', 'shop/till/money', 'shop/till b', 'shopping']],
    ['a project', { under: 'shop' }, ['shop', 'shop/till', 'shop/till/money', 'shop/till b']],
    ['a plan', { under: 'shop/project-root/till' }, ['shop/till', 'shop/till/money']],
    ['nothing is below what is not there', { under: 'sho' }, []],
    ['a phase', { phase: 'triage' }, ['shop/till']],
    ['what runs', { running: true }, ['shop']],
    ['what does not', { running: false }, ['shop/till', 'shop/till/money', 'shop/till b', 'shopping']],
    ['what waits', { waiting: true }, ['shop/till']],
    ['a fault of a file, and of an actor', { faulted: true }, ['shop/till/money', 'shopping']],
    ['no fault', { faulted: false }, ['shop', 'shop/till', 'shop/till b']],
    ['ready tasks', { ready: true }, ['shopping']],
    ['a text of an id', { text: 'TILL/M' }, ['shop/till/money']],
    ['a text of a description', { text: 'bÜCH' }, ['shopping']],
    ['several together', { under: 'shop', phase: 'work', running: false }, ['shop/till/money', 'shop/till b']],
  ])('%s', (_name, filter, expected) => check(filter, expected));
});

describe('parts', () => {
  test('the first', () => check({ limit: 2 }, ['shop', 'shop/till'], { total: 5, next: 'shop/project-root/till' }));
  test('the one behind it', () =>
    check({ limit: 2, after: 'shop/project-root/till' }, ['shop/till/money', 'shop/till b'], {
      total: 5,
      next: 'shop/project-root/till b',
    }));
  test('the last', () => check({ limit: 2, after: 'shop/project-root/till b' }, ['shopping'], { total: 5 }));
  test('a plan that is gone has a place all the same', () =>
    check({ after: 'shop/project-root/zebra' }, ['shopping'], { total: 5 }));

  test('together they are the whole, whatever their length', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 7 }), (limit) => {
        const seen: string[] = [];
        for (let after: string | undefined, more = true; more; ) {
          const part = filterPlans(rows, { limit, after });
          seen.push(...part.plans.map(({ plan }) => plan));
          after = part.next;
          more = after !== undefined;
        }
        expect(seen).toEqual(filterPlans(rows, {}).plans.map(({ plan }) => plan));
      }),
    );
  });
});
