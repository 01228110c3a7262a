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

describe('records', () => {
  test.each<[string, unknown, boolean]>([
    ['empty fields and unknown keys', { ...task('a'), blocked_reason: null, results: null, colour: 'red' }, true],
    ['no dependencies at all', { ...task('a'), dependencies: undefined }, true],
    ['another status', { ...task('a'), status: 'wip' }, false],
    ['no id', { ...task('a'), id: '' }, false],
    ['a number for an id', { ...task('a'), id: 1 }, false],
  ])('%s', (_name, value, expected) => expect(taskSchema.safeParse(value).success).toBe(expected));

  test.each<[unknown, boolean]>([
    [{ tasks: null }, true],
    [{}, true],
    [{ tasks: [], received: null, extra: 1 }, true],
    [{ tasks: {} }, false],
    [null, false],
  ])('the file %j: %s', (value, expected) => expect(backlogSchema.safeParse(value).success).toBe(expected));
});

describe('what can be started', () => {
  const done = task('done', { status: 'done' });

  test.each<[string, Task[], string | undefined]>([
    ['the first that is ready', [task('a', { status: 'blocked' }), task('b'), task('c')], 'b'],
    ['one in progress before any that is ready', [task('a'), task('b', { status: 'in_progress' })], 'b'],
    ['not one that waits', [task('a', { dependencies: ['b'] }), task('b')], 'b'],
    ['one whose dependencies are done', [done, task('a', { dependencies: ['done'] })], 'a'],
    ['not one with a dependency that nobody knows', [task('a', { dependencies: ['typo'] })], undefined],
    ['nothing in an empty backlog', [], undefined],
    ['nothing when all is done', [done], undefined],
  ])('%s', (_name, tasks, expected) => expect(bestReadyTask({ tasks })?.id).toBe(expected));

  test('a missing list is an empty one', () => expect(bestReadyTask({ tasks: null })).toBeUndefined());

  test('ten thousand tasks in a row are no work', () => {
    const row = Array.from({ length: 10_000 }, (_, n) => task(`t${n}`, { dependencies: n === 0 ? [] : [`t${n - 1}`] }));
    expect(countBacklog({ tasks: row })).toMatchObject({ ready: 1, blocked: 9_999 });
    expect(bestReadyTask({ tasks: row })?.id).toBe('t0');
  }, 1_000);

  test('what is unmet is named', () => {
    const waiting = task('a', { dependencies: ['done', 'b', 'typo'] });
    expect(unmetDependencies(waiting, [done, task('b'), waiting])).toEqual(['b', 'typo']);
  });
});

test('every task counts once, as ready, blocked, in progress or done', () => {
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

describe('statuses that contradict the record', () => {
  const done = task('done', { status: 'done' });

  test.each<[string, Task, string | undefined]>([
    ['results came under way', task('a', { status: 'in_progress', results: 'It works.' }), 'done'],
    ['a placeholder is no result', task('a', { status: 'in_progress', results: '_pending_' }), undefined],
    ['no results', task('a', { status: 'in_progress', results: ' ' }), undefined],
    ['what blocked is done', task('a', { status: 'blocked', dependencies: ['done'] }), 'not_started'],
    ['what blocked is open', task('a', { status: 'blocked', dependencies: ['done', 'x'] }), undefined],
    ['blocked by something else', task('a', { status: 'blocked' }), undefined],
    ['results of a task that never began', task('a', { results: 'It works.' }), undefined],
  ])('%s', (_name, stale, expected) => expect(staleStatus(stale, [done, stale])?.to).toBe(expected));
});

describe('circles of dependencies', () => {
  const from = (dependencies: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(dependencies).map(([id, ids]) => task(id, { dependencies: [...ids] }));

  test.each<[string, Record<string, string[]>, string[] | undefined]>([
    ['none', { a: ['b', 'c'], b: ['c'], c: [] }, undefined],
    ['a task and itself', { a: ['a'] }, ['a', 'a']],
    ['two tasks', { a: ['b'], b: ['a'] }, ['a', 'b', 'a']],
    ['further on', { a: ['b'], b: ['c'], c: ['d'], d: ['b'] }, ['b', 'c', 'd', 'b']],
    ['through an unknown task', { a: ['typo'] }, undefined],
  ])('%s', (_name, dependencies, expected) => expect(dependencyCycle(from(dependencies))).toEqual(expected));

  test('the shortest one through a task', () => {
    const tasks = from({ a: ['b', 'c'], b: ['c'], c: ['a'], d: ['a'] });
    expect(dependencyCycleThrough(tasks, 'a')).toEqual(['a', 'c', 'a']);
    expect(dependencyCycleThrough(tasks, 'd')).toBeUndefined();
  });

  test('a chain of 100,000 tasks is walked flat', () => {
    const tasks = Array.from({ length: 100_000 }, (_, n) => task(`t${n}`, { dependencies: [`t${n + 1}`] }));
    expect(dependencyCycle(tasks)).toBeUndefined();
  });

  const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const graph = fc.dictionary(ids, fc.uniqueArray(ids, { maxLength: 3 }));
  test('what is found is a circle, and is found exactly when some task leads back to itself', () =>
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
