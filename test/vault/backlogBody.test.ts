import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Task } from '../../src/model/backlog.ts';
import { taskStatuses } from '../../src/model/backlog.ts';
import { formatBacklogBody, sortTasks } from '../../src/vault/backlogBody.ts';

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

describe('formatBacklogBody', () => {
  test('of an empty backlog', () => {
    expect(formatBacklogBody({})).toBe('_(no tasks)_\n');
    expect(formatBacklogBody({ tasks: [] })).not.toContain('|');
  });

  test('a table of each category, alphabetical whatever the case, and the details', () => {
    const tasks = [
      task('b', {
        category: 'infra',
        dependencies: ['a', 'gone'],
        description: 'Say why.\n\nAnd how.\n',
        handoff: 'Go on.',
      }),
      task('a', { category: 'Core', status: 'blocked', blocked_reason: 'waits\nfor x', results: 'Half.' }),
    ];
    expect(formatBacklogBody({ tasks })).toBe(`## Core

| title | status | deps |
| --- | --- | --- |
| [[#^a\\|A]] | blocked | — |

**A** ^a

*Blocked:* waits for x

*Results:*

Half.

## infra

| title | status | deps |
| --- | --- | --- |
| [[#^b\\|B]] | not_started | [[#^a\\|A]], gone |

**B** ^b

Say why.

And how.

*Hand-off:*

Go on.
`);
  });

  test('cells hold neither pipes nor line ends', () => {
    const body = formatBacklogBody({ tasks: [task('a_1', { title: 'x | y\nz \\| w' })] });
    expect(body).toContain('| x \\| y z \\\\\\| w | not_started | — |');
    expect(body).not.toContain('^a_1');
  });

  test('lists what is new in the inbox', () => {
    const received = [
      { id: '1', from: 'Zoo/project-root', at: 'now', reason: 'A bug\nhere', body: 'b', state: 'new' as const },
      { id: '2', from: 'Demo/project-root', at: 'now', reason: 'Old', body: 'b', state: 'declined' as const },
    ];
    expect(formatBacklogBody({ received })).toBe('_(no tasks)_\n\n## Received\n\n- Zoo/project-root: A bug here\n');
  });
});
