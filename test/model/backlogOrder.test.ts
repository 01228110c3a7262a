import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Task } from '../../src/model/backlog.ts';
import { groupTasks, sortTasks, type TaskGrouping } from '../../src/model/backlogOrder.ts';
import { taskStatuses } from '../../src/model/taskStatus.ts';

function task(id: string, fields: Partial<Task> = {}): Task {
  return { id, title: id.toUpperCase(), category: 'core', status: 'not_started', ...fields };
}

describe('sortTasks', () => {
  function check(tasks: Task[], expected: string) {
    expect(
      sortTasks(tasks)
        .map(({ id }) => id)
        .join(' '),
    ).toBe(expected);
  }

  test('sorts by status first', () => {
    check(
      [
        task('d', { status: 'done' }),
        task('b', { status: 'blocked' }),
        task('p', { status: 'in_progress' }),
        task('n'),
      ],
      'n p b d',
    );
  });

  test('sorts dependencies first within a status, then keeps the order of the file', () => {
    check([task('c', { dependencies: ['b'] }), task('z'), task('b', { dependencies: ['a'] }), task('a')], 'z a b c');
  });

  test('ranks a task by its longest chain; unknown and repeated dependencies do not count', () => {
    check(
      [
        task('d', { dependencies: ['a', 'c'] }),
        task('c', { dependencies: ['b'] }),
        task('b', { dependencies: ['a', 'a'] }),
        task('a', { dependencies: ['?'] }),
      ],
      'a b c d',
    );
  });

  test('puts tasks on a cycle, and tasks that depend on one, last', () => {
    check(
      [
        task('x', { dependencies: ['y'] }),
        task('y', { dependencies: ['x'] }),
        task('w', { dependencies: ['x'] }),
        task('s', { dependencies: ['s'] }),
        task('a'),
      ],
      'a x y w s',
    );
  });

  test('sorts a chain of 20,000 tasks', () => {
    const tasks = Array.from({ length: 20_000 }, (_, n) => task(`t${n}`, { dependencies: [`t${n + 1}`] }));
    expect(sortTasks(tasks)[0]?.id).toBe('t19999');
  });

  test('keeps every task, whatever the dependencies', () => {
    const ids = ['a', 'b', 'c', 'd', 'e'];
    const arbitrary = fc.tuple(
      ...ids.map((id) =>
        fc
          .record({ status: fc.constantFrom(...taskStatuses), dependencies: fc.subarray(ids) })
          .map((one) => task(id, one)),
      ),
    );
    fc.assert(
      fc.property(arbitrary, (tasks) => {
        expect(
          sortTasks(tasks)
            .map(({ id }) => id)
            .sort(),
        ).toEqual(ids);
      }),
    );
  });
});

describe('groupTasks', () => {
  function check(tasks: Task[], by: TaskGrouping, expected: string[]) {
    const groups = groupTasks(tasks, by);
    expect(groups.map(({ name, tasks: members }) => `${name}: ${members.map(({ id }) => id).join(' ')}`)).toEqual(
      expected,
    );
  }

  const tasks = [
    task('d', { status: 'done', category: 'web' }),
    task('b', { status: 'blocked', category: 'API' }),
    task('n2', { category: 'api', dependencies: ['n1'] }),
    task('n1', { category: 'web' }),
  ];

  test('lists statuses in the order a task goes through them and leaves out empty ones', () =>
    check(tasks, 'status', ['not_started: n1 n2', 'blocked: b', 'done: d']));

  test('lists categories alphabetically, regardless of case', () =>
    check(tasks, 'category', ['API: b', 'api: n2', 'web: n1 d']));

  test('returns no groups for no tasks', () => check([], 'status', []));
});
