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

  test('by status', () => {
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

  test('then dependencies first, then the order of the file', () => {
    check([task('c', { dependencies: ['b'] }), task('z'), task('b', { dependencies: ['a'] }), task('a')], 'z a b c');
  });

  test('depth is the longest chain; unknown and repeated dependencies count for nothing', () => {
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

  test('what is on a cycle, or needs it, comes last', () => {
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

  test('a long chain is no trouble', () => {
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

  test('statuses stand in the order in which a task goes through them, and none is empty', () =>
    check(tasks, 'status', ['not_started: n1 n2', 'blocked: b', 'done: d']));

  test('categories stand in alphabetical order, whatever their case', () =>
    check(tasks, 'category', ['API: b', 'api: n2', 'web: n1 d']));

  test('of nothing', () => check([], 'status', []));
});
