import { describe, expect, test } from 'vitest';
import type { Ulid } from '../../../src/model/id.ts';
import { type BacklogPicture, backlogRows, rowSubject } from '../../../src/ui/messages/backlogRows.ts';
import { id } from '../../support/fakeModel.ts';

const plan = id('shop');
const at = '2026-11-22T10:00:00Z';
const said = { at, reason: 'Theirs', body: 'Close **it** $(trash)' };
const message = '01M00000000000000000000001' as Ulid;

const picture: BacklogPicture = {
  plan,
  tasks: [
    { id: 'open', title: 'Open it', status: 'not_started' },
    { id: 'shut', title: 'Shut it', status: 'done' },
  ],
  received: [{ id: 'r', from: 'till/project-root', ...said }],
  sent: [
    { id: 'old', to: 'till/project-root', outcome: 'promoted as x', ...said },
    { id: 'new', to: 'auto', outcome: 'refused: nobody takes it', ...said },
  ],
  pending: [{ message, type: 'dispatch', from: 'person', at, state: 'level 2 is asked', subject: 'Close it' }],
};

/** Each row with what it says, below its group. */
function shown(given: BacklogPicture | undefined): string[] {
  const rows = backlogRows(given);
  return rows.roots().flatMap((group) => {
    const say = (key: string) => {
      const row = rows.rowOf(key);
      return `${row?.label} | ${row?.description ?? ''} | ${row?.tokens}`;
    };
    return [say(group), ...rows.childrenOf(group).map((key) => `  ${say(key)}`)];
  });
}

test('what is on its way first, then what waits, the tasks in their order, and what was sent, the newest first', () => {
  expect(shown(picture)).toEqual([
    'On their way | 1 | group',
    '  Close it | level 2 is asked · from you | pending',
    'Received | 1 | group',
    '  Close **it** $(trash) | from till · Theirs | received',
    'Tasks | 2 | group',
    '  Open it |  | task.open',
    '  Shut it | done | task.done',
    'Sent | 2 | group',
    '  Close **it** $(trash) | to auto · refused: nobody takes it | sent',
    '  Close **it** $(trash) | to till/project-root · promoted as x | sent',
  ]);
});

test('lists that are empty are left out, and a vault without plans shows nothing', () => {
  expect(shown({ plan, tasks: [], received: [], sent: [], pending: [] })).toEqual([]);
  expect(shown(undefined)).toEqual([]);
});

test('what failed has another sign', () => {
  const rows = backlogRows(picture);
  const icons = rows.childrenOf('group:sent').map((key) => rows.rowOf(key)?.icon.name);
  expect(icons).toEqual(['warning', 'mail']);
});

test('a message that waits for a person leads to the question, any other to its trace', () => {
  const [pending] = picture.pending;
  const click = (more: object) => {
    const rows = backlogRows({ ...picture, pending: pending === undefined ? [] : [{ ...pending, ...more }] });
    return rows.rowOf(rows.childrenOf('group:pending')[0] ?? '')?.click;
  };
  expect(click({})).toMatchObject({ command: 'ravel.why', arguments: [`message:${message}`] });
  expect(click({ approval: '01A' })).toMatchObject({ command: 'ravel.openApproval', arguments: ['01A'] });
});

test('a message whose file cannot be read is shown by what is known of it', () => {
  const damaged = { message, state: 'cannot be read', subject: 'It is no message.' };
  const rows = backlogRows({ ...picture, pending: [damaged] });
  const [key = ''] = rows.childrenOf('group:pending');
  expect(rows.rowOf(key)).toMatchObject({
    label: 'It is no message.',
    description: 'cannot be read · from somebody',
    spoken: 'A message of somebody on its way, cannot be read, It is no message.',
  });
});

test('a long list is cut, and says so', () => {
  const tasks = Array.from({ length: 1000 }, (_, index) => ({ id: `t${index}`, title: 'T', status: 'blocked' }));
  const rows = backlogRows({ ...picture, tasks });
  expect(rows.childrenOf('group:tasks')).toHaveLength(300);
  expect(rows.rowOf('group:tasks')?.description).toBe('300 of 1000');
});

test('what others wrote is shown as it is in a tooltip', async () => {
  const rows = backlogRows(picture);
  const tooltip = await rows.tooltipOf(`received:${plan}#r`, new AbortController().signal);
  expect(tooltip).not.toContain('**it**');
});

describe('the key of a row', () => {
  test.each([
    [`task:${plan}#a#b`, { kind: 'task', plan, id: 'a#b' }],
    [`received:${plan}#r`, { kind: 'received', plan, id: 'r' }],
    ['group:tasks', undefined],
    ['approval:01A', undefined],
    ['task:nothing#a', undefined],
    [plan, undefined],
    [7, undefined],
  ])('%s', (key, subject) => expect(rowSubject(key)).toEqual(subject));
});
