import { describe, expect, test } from 'vitest';
import type { Task } from '../../src/model/backlog.ts';
import { formatBacklogBody } from '../../src/vault/backlogBody.ts';

function task(id: string, fields: Partial<Task> = {}): Task {
  return { id, title: id.toUpperCase(), category: 'core', status: 'not_started', ...fields };
}

describe('formatBacklogBody', () => {
  test('of an empty backlog says that it has no tasks', () => {
    expect(formatBacklogBody({})).toBe('_(no tasks)_\n');
    expect(formatBacklogBody({ tasks: [] })).not.toContain('|');
  });

  test('shows a table for each category, sorted regardless of case, and the details of each task', () => {
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

  test('escapes pipes and line ends in cells', () => {
    const body = formatBacklogBody({ tasks: [task('a_1', { title: 'x | y\nz \\| w' })] });
    expect(body).toContain('| x \\| y z \\\\\\| w | not_started | — |');
    expect(body).not.toContain('^a_1');
  });

  test('lists the new messages of the inbox', () => {
    const received = [
      {
        id: '1',
        from: 'Zoo/project-root',
        at: 'now',
        reason: 'A bug\nhere',
        body: 'Mend *it*\n\nSoon.',
        state: 'new' as const,
      },
      { id: '2', from: 'Demo/project-root', at: 'now', reason: 'Old', body: 'b', state: 'declined' as const },
    ];
    expect(formatBacklogBody({ received })).toBe(
      '_(no tasks)_\n\n## Received\n\n- Zoo/project-root: Mend *it* … (A bug here)\n',
    );
  });
});
