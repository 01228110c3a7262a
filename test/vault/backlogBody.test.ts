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
    expect(body).toContain('| x &vert; y z \\\\&vert; w | not_started | — |');
    expect(body).not.toContain('^a_1');
  });

  test('shows the messages that came and went with their texts, the newest first', () => {
    const received = [
      {
        ...{
          id: '1',
          from: 'Zoo/project-root',
          at: '2026-01-01T00:00:00Z',
          reason: 'A bug\nhere',
          state: 'new' as const,
        },
        body: 'Mend *it*\n\nSoon.',
      },
      {
        ...{
          id: '2',
          from: 'person',
          at: '2026-01-02T00:00:00Z',
          reason: 'Old',
          body: 'b',
          state: 'declined' as const,
        },
        declined_reason: 'Not ours.',
      },
    ];
    const dispatched = [
      { id: '3', to: 'auto', at: '2026-01-03T00:00:00Z', reason: 'Theirs', body: 'c', outcome: 'promoted' },
    ];
    expect(formatBacklogBody({ received, dispatched })).toBe(`_(no tasks)_

## Received

### 2026-01-02T00:00:00Z from person

declined ^2

*Why:* Old

*Declined:* Not ours.

> b  

### 2026-01-01T00:00:00Z from [[projects/Zoo/project-root/plan-state|Zoo/project-root]]

new ^1

*Why:* A bug here

> Mend \\*it\\*  
>
> Soon.  

## Dispatched

### 2026-01-03T00:00:00Z task to auto

promoted ^3

*Why:* Theirs

> c  
`);
  });

  test('shows the newest messages and the beginnings of their texts, and counts the rest', () => {
    const entry = (n: number) => ({
      ...{ id: `m${n}`, from: 'person', at: `2026-01-01T00:00:${n}Z`, reason: 'r', state: 'new' as const },
      body: n === 59 ? 'x'.repeat(5000) : 'short',
    });
    const received = Array.from({ length: 50 }, (_, index) => entry(index + 10));
    const body = formatBacklogBody({ received });
    expect(body.match(/^### /gm)).toHaveLength(30);
    expect(body).toContain('^m59\n');
    expect(body).toContain('_1,000 more characters in the file._');
    expect(body).not.toContain('^m29\n');
    expect(body).toContain('_20 older messages in the file._');
  });

  test('cuts no character of a long message in two, which would make the view new each time it is written', () => {
    const [from, body] = ['Zoo/project-root', `${'a'.repeat(3999)}😀 and more`];
    const received = [{ id: '1', from, at: 'now', reason: 'r', body, state: 'new' as const }];
    const shown = formatBacklogBody({ received });
    expect(Buffer.from(shown).toString('utf8')).toBe(shown);
    expect(shown).toContain('_11 more characters in the file._');
  });
});
