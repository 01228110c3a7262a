import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Backlog, Task } from '../../src/model/backlog.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import {
  type CandidateTask,
  candidatesMax,
  candidateTasks,
  describeNext,
  orderNext,
  type PlanCandidates,
} from '../../src/model/nextTasks.ts';

function task(id: string, fields: Partial<Task> = {}): Task {
  return { id, title: id.toUpperCase(), category: 'core', status: 'not_started', ...fields };
}

describe('the candidates of a backlog', () => {
  function check(tasks: Task[], expected: string, received: Backlog['received'] = []) {
    const found = candidateTasks({ tasks, received });
    expect(found.map(({ id, unblocks, begun }) => `${id}${begun ? '!' : ''}:${unblocks}`).join(' ')).toBe(expected);
  }

  test('are tasks in progress, then ready ones, in the order of the file', () =>
    check(
      [
        task('b'),
        task('d', { status: 'done' }),
        task('x', { status: 'blocked' }),
        task('p', { status: 'in_progress' }),
      ],
      'p!:0 b:0',
    ));
  test('count what waits for them, also through others, each once', () =>
    check(
      [
        task('a'),
        task('b', { dependencies: ['a'] }),
        task('c', { dependencies: ['a', 'b'] }),
        task('d', { dependencies: ['c'] }),
        task('e', { dependencies: ['d'], status: 'done' }),
      ],
      'a:3',
    ));
  test('survive a cycle of dependencies, and a task that waits for itself', () =>
    check(
      [
        task('a', { status: 'in_progress', dependencies: ['c'] }),
        task('b', { dependencies: ['a'] }),
        task('c', { dependencies: ['b', 'c'] }),
        task('free'),
      ],
      'a!:2 free:0',
    ));
  test('are none of an empty backlog', () => check([], ''));

  test('are bounded, in their number and in the length of a title', () => {
    const tasks = Array.from({ length: 50 }, (_, n) => task(`t${n}`, { title: 'x'.repeat(5000) }));
    const found = candidateTasks({ tasks });
    expect(found).toHaveLength(candidatesMax);
    expect(found[0]?.title.length).toBeLessThan(200);
  });

  test('know when their message came, unless its time cannot be read', () => {
    const message = { from: 'person', reason: '', body: '', state: 'promoted' } as const;
    const received = [
      { ...message, id: 'm1', at: '2026-01-02T03:04:05Z', task: 'a' },
      { ...message, id: 'm2', at: 'soon', task: 'b' },
    ];
    const found = candidateTasks({ tasks: [task('a'), task('b')], received });
    expect(found.map(({ askedMs }) => askedMs)).toEqual([Date.UTC(2026, 0, 2, 3, 4, 5), undefined]);
  });

  test('of a long chain are found at once', () => {
    const tasks = Array.from({ length: 20_000 }, (_, n) =>
      task(`t${n}`, n === 0 ? {} : { dependencies: [`t${n - 1}`] }),
    );
    check(tasks, 't0:19999');
  });
});

const candidate = (id: string, fields: Partial<CandidateTask> = {}): CandidateTask => ({
  ...{ id, title: id, unblocks: 0 },
  ...fields,
});

const plan = (name: string, tasks: readonly CandidateTask[], lastRanMs?: number): PlanCandidates => ({
  ...{ plan: toQualifiedId(`${name}/project-root`), phase: 'work', tasks },
  ...(lastRanMs !== undefined && { lastRanMs }),
});

describe('the order over all plans', () => {
  function check(plans: readonly PlanCandidates[], expected: string, limit = 100) {
    const ordered = orderNext(plans, limit);
    expect(ordered.map(({ id }) => id).join(' ')).toBe(expected);
  }

  test('has the first task of every plan before the second ones, however much these unblock', () =>
    check([plan('a', [candidate('a1'), candidate('a2', { unblocks: 9 })]), plan('b', [candidate('b1')])], 'a1 b1 a2'));
  test('then goes by how much a task unblocks, and by how long it waits', () =>
    check(
      [
        plan('a', [candidate('late')], 3000),
        plan('b', [candidate('early')], 1000),
        plan('c', [candidate('never')]),
        plan('d', [candidate('asked', { askedMs: 2000 })], 9000),
        plan('e', [candidate('key', { unblocks: 1 })], 9000),
      ],
      'key never early asked late',
    ));
  test('then by the ids of the plans', () => check([plan('b', [candidate('x')]), plan('a', [candidate('y')])], 'y x'));
  test('ends with its limit', () => check([plan('a', [candidate('a1'), candidate('a2')])], 'a1', 1));
  test('of no plans is empty', () => check([], ''));

  const times = fc.option(fc.nat(5), { nil: undefined });
  const candidates = fc.array(fc.record({ unblocks: fc.nat(3), askedMs: times }), { maxLength: 4 });
  const vaults = fc.array(fc.record({ tasks: candidates, lastRanMs: times }), { maxLength: 8 });

  test('does not depend on the order in which plans are found, and a limit cuts only its end', () => {
    fc.assert(
      fc.property(vaults, fc.nat(20), (made, limit) => {
        const plans = made.map(({ tasks, lastRanMs }, n) =>
          plan(
            `p${n}`,
            tasks.map(({ unblocks, askedMs }, at) =>
              candidate(`t${at}`, { unblocks, ...(askedMs !== undefined && { askedMs }) }),
            ),
            lastRanMs,
          ),
        );
        const all = orderNext(plans, 1000);
        expect(orderNext(plans.toReversed(), 1000)).toEqual(all);
        expect(orderNext(plans, limit)).toEqual(all.slice(0, limit));
        expect(all).toHaveLength(plans.reduce((sum, { tasks }) => sum + tasks.length, 0));
      }),
    );
  });
});

test('a row says why it stands there', () => {
  const first = { ...plan('a', []), ...candidate('x'), place: 1 };
  expect(describeNext(first)).toEqual(['the plan never ran']);
  const row = {
    ...first,
    begun: true as const,
    place: 3,
    unblocks: 4,
    askedMs: 12 * 3_600_000,
    phase: 'triage' as const,
  };
  const said = ['in progress', '3rd in its plan', 'unblocks 4', 'asked for on 1970-01-01', 'triage comes first'];
  expect(describeNext(row)).toEqual(said);
  expect(describeNext({ ...first, place: 4, lastRanMs: 12 * 3_600_000 })).toEqual([
    ...['4th in its plan', 'the plan last ran on 1970-01-01'],
  ]);
});
