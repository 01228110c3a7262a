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

/** Checks which plans are left (ids without "/project-root") and what else the result says. */
function check(filter: PlanFilter, expected: readonly string[], rest: object = {}): void {
  const { plans, ...told } = filterPlans(rows, filter);
  expect({ plans: plans.map(({ plan }) => plan.replace('/project-root', '')), ...told }).toEqual({
    plans: expected,
    ...rest,
  });
}

describe('filterPlans keeps', () => {
  test.each<[string, PlanFilter, readonly string[]]>([
    [
      'every plan without a filter, parents first',
      {},
      ['shop', 'shop/till', 'shop/till/money', 'shop/till b', 'shopping'],
    ],
    ['the plans of a project', { under: 'shop' }, ['shop', 'shop/till', 'shop/till/money', 'shop/till b']],
    ['a plan and its descendants', { under: 'shop/project-root/till' }, ['shop/till', 'shop/till/money']],
    ['nothing below a project that does not exist', { under: 'sho' }, []],
    ['the plans in a phase', { phase: 'triage' }, ['shop/till']],
    ['the running plans', { running: true }, ['shop']],
    ['the plans that do not run', { running: false }, ['shop/till', 'shop/till/money', 'shop/till b', 'shopping']],
    ['the waiting plans', { waiting: true }, ['shop/till']],
    ['the plans with a faulty file or a faulted actor', { faulted: true }, ['shop/till/money', 'shopping']],
    ['the plans without a fault', { faulted: false }, ['shop', 'shop/till', 'shop/till b']],
    ['the plans with ready tasks', { ready: true }, ['shopping']],
    ['the plans whose id contains a text', { text: 'TILL/M' }, ['shop/till/money']],
    ['the plans whose description contains a text', { text: 'bÜCH' }, ['shopping']],
    [
      'the plans that match several filters',
      { under: 'shop', phase: 'work', running: false },
      ['shop/till/money', 'shop/till b'],
    ],
  ])('%s', (_name, filter, expected) => check(filter, expected));
});

describe('filterPlans with a limit', () => {
  test('returns the first part and where it ends', () =>
    check({ limit: 2 }, ['shop', 'shop/till'], { total: 5, next: 'shop/project-root/till' }));
  test('returns the part after a given plan', () =>
    check({ limit: 2, after: 'shop/project-root/till' }, ['shop/till/money', 'shop/till b'], {
      total: 5,
      next: 'shop/project-root/till b',
    }));
  test('returns the last part without a next plan', () =>
    check({ limit: 2, after: 'shop/project-root/till b' }, ['shopping'], { total: 5 }));
  test('continues after a plan that no longer exists', () =>
    check({ after: 'shop/project-root/zebra' }, ['shopping'], { total: 5 }));

  test('returns parts that together are the whole list, whatever their length', () => {
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
