import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  backlogSchema,
  bestReadyTask,
  countBacklog,
  dependencyCycle,
  dependencyCycleThrough,
  staleStatus,
  type Task,
  taskSchema,
  unmetDependencies,
} from '../../src/model/backlog.ts';

function task(id: string, more: Partial<Task> = {}): Task {
  return { id, title: id, category: 'core', status: 'not_started', dependencies: [], description: '', ...more };
}

describe('a backlog record', () => {
  test.each<[string, unknown, boolean]>([
    [
      'a task with empty fields and unknown keys is accepted',
      { ...task('a'), blocked_reason: null, results: null, colour: 'red' },
      true,
    ],
    ['a task without dependencies is accepted', { ...task('a'), dependencies: undefined }, true],
    ['a task with an unknown status is refused', { ...task('a'), status: 'wip' }, false],
    ['a task with an empty id is refused', { ...task('a'), id: '' }, false],
    ['a task with a number as its id is refused', { ...task('a'), id: 1 }, false],
  ])('%s', (_name, value, expected) => expect(taskSchema.safeParse(value).success).toBe(expected));

  test.each<[unknown, boolean]>([
    [{ tasks: null }, true],
    [{}, true],
    [{ tasks: [], received: null, extra: 1 }, true],
    [{ tasks: {} }, false],
    [null, false],
  ])('the file %j is accepted: %s', (value, expected) => expect(backlogSchema.safeParse(value).success).toBe(expected));
});

describe('ready tasks', () => {
  const done = task('done', { status: 'done' });

  test.each<[string, Task[], string | undefined]>([
    ['picks the first ready task', [task('a', { status: 'blocked' }), task('b'), task('c')], 'b'],
    ['prefers a task in progress to a ready one', [task('a'), task('b', { status: 'in_progress' })], 'b'],
    ['skips a task with an open dependency', [task('a', { dependencies: ['b'] }), task('b')], 'b'],
    ['picks a task whose dependencies are done', [done, task('a', { dependencies: ['done'] })], 'a'],
    ['skips a task with an unknown dependency', [task('a', { dependencies: ['typo'] })], undefined],
    ['finds nothing in an empty backlog', [], undefined],
    ['finds nothing if every task is done', [done], undefined],
  ])('bestReadyTask %s', (_name, tasks, expected) => expect(bestReadyTask({ tasks })?.id).toBe(expected));

  test('bestReadyTask treats a missing task list as empty', () =>
    expect(bestReadyTask({ tasks: null })).toBeUndefined());

  test('bestReadyTask handles a chain of 10,000 tasks within one second', () => {
    const row = Array.from({ length: 10_000 }, (_, n) => task(`t${n}`, { dependencies: n === 0 ? [] : [`t${n - 1}`] }));
    expect(countBacklog({ tasks: row })).toMatchObject({ ready: 1, blocked: 9_999 });
    expect(bestReadyTask({ tasks: row })?.id).toBe('t0');
  }, 1_000);

  test('unmetDependencies names the open and the unknown dependencies of a task', () => {
    const waiting = task('a', { dependencies: ['done', 'b', 'typo'] });
    expect(unmetDependencies(waiting, [done, task('b'), waiting])).toEqual(['b', 'typo']);
  });
});

test('countBacklog counts every task once, as ready, blocked, in progress or done', () => {
  const tasks = [
    task('ready'),
    task('waits', { dependencies: ['ready'] }),
    task('blocked', { status: 'blocked', handoff: 'settled' }),
    task('running', { status: 'in_progress', handoff: ' \n' }),
    task('done', { status: 'done', handoff: 'settled' }),
  ];
  const entry = { id: 'm', from: 'x', at: 't', reason: 'r', body: 'b' };
  const received = [
    { ...entry, state: 'new' as const },
    { ...entry, state: 'declined' as const },
  ];
  expect(countBacklog({ tasks, received })).toEqual({
    ready: 1,
    blocked: 2,
    inProgress: 1,
    done: 1,
    received: 1,
    handoffs: 2,
  });
  expect(countBacklog({})).toMatchObject({ ready: 0, blocked: 0, received: 0 });
  const typo = [task('a', { dependencies: ['typo'] })];
  expect(countBacklog({ tasks: typo })).toMatchObject({ ready: 0, blocked: 1, inProgress: 0, done: 0 });
});

describe('staleStatus', () => {
  const done = task('done', { status: 'done' });

  test.each<[string, Task, string | undefined]>([
    [
      'a task in progress with results should be done',
      task('a', { status: 'in_progress', results: 'It works.' }),
      'done',
    ],
    ['a placeholder does not count as a result', task('a', { status: 'in_progress', results: '_pending_' }), undefined],
    ['a blank text does not count as a result', task('a', { status: 'in_progress', results: ' ' }), undefined],
    [
      'a blocked task whose dependencies are done should be not started',
      task('a', { status: 'blocked', dependencies: ['done'] }),
      'not_started',
    ],
    [
      'a blocked task with an unknown dependency stays blocked',
      task('a', { status: 'blocked', dependencies: ['done', 'x'] }),
      undefined,
    ],
    [
      'a task that was sent stays blocked when its dependencies are done',
      task('a', { status: 'blocked', dependencies: ['done'], sent: '01M' }),
      undefined,
    ],
    [
      'a blocked task that waits for what its note says stays blocked',
      task('a', {
        ...{ status: 'blocked', dependencies: ['done'], blocked_reason: 'depends on: paper' },
        'dependencies-note': 'Done (first); paper',
      }),
      undefined,
    ],
    [
      'a blocked task with a note about something else should be not started',
      task('a', { status: 'blocked', dependencies: ['done'], blocked_reason: 'ink', 'dependencies-note': 'paper' }),
      'not_started',
    ],
    ['a blocked task without dependencies stays blocked', task('a', { status: 'blocked' }), undefined],
    ['results do not change the status of a task that was not started', task('a', { results: 'It works.' }), undefined],
  ])('%s', (_name, stale, expected) => expect(staleStatus(stale, [done, stale])?.to).toBe(expected));
});

describe('dependency cycles', () => {
  const from = (dependencies: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(dependencies).map(([id, ids]) => task(id, { dependencies: [...ids] }));

  test.each<[string, Record<string, string[]>, string[] | undefined]>([
    ['finds no cycle in a tree', { a: ['b', 'c'], b: ['c'], c: [] }, undefined],
    ['finds a task that depends on itself', { a: ['a'] }, ['a', 'a']],
    ['finds two tasks that depend on each other', { a: ['b'], b: ['a'] }, ['a', 'b', 'a']],
    [
      'finds a cycle that the first task only leads to',
      { a: ['b'], b: ['c'], c: ['d'], d: ['b'] },
      ['b', 'c', 'd', 'b'],
    ],
    ['ignores an unknown dependency', { a: ['typo'] }, undefined],
  ])('dependencyCycle %s', (_name, dependencies, expected) =>
    expect(dependencyCycle(from(dependencies))).toEqual(expected),
  );

  test('dependencyCycleThrough finds the shortest cycle through a task, and none for a task that only leads to one', () => {
    const tasks = from({ a: ['b', 'c'], b: ['c'], c: ['a'], d: ['a'] });
    expect(dependencyCycleThrough(tasks, 'a')).toEqual(['a', 'c', 'a']);
    expect(dependencyCycleThrough(tasks, 'd')).toBeUndefined();
  });

  test('dependencyCycle walks a chain of 100,000 tasks without recursion', () => {
    const tasks = Array.from({ length: 100_000 }, (_, n) => task(`t${n}`, { dependencies: [`t${n + 1}`] }));
    expect(dependencyCycle(tasks)).toBeUndefined();
  });

  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const graph = fc.dictionary(ids, fc.uniqueArray(ids, { maxLength: 3 }));
  test('dependencyCycle finds a real cycle exactly if some task leads back to itself', () =>
    fc.assert(
      fc.property(graph, (dependencies) => {
        const tasks = from(dependencies);
        const cycle = dependencyCycle(tasks);
        const onCircle = tasks.filter(({ id }) => dependencyCycleThrough(tasks, id) !== undefined);
        expect(cycle !== undefined).toBe(onCircle.length > 0);
        if (cycle === undefined) return;
        expect(cycle.at(-1)).toBe(cycle[0]);
        for (const [n, id] of cycle.slice(1).entries()) expect(dependencies[cycle[n] ?? '']).toContain(id);
      }),
    ));
});
