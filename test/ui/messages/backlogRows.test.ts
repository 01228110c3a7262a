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

/** The rows below their groups, with everything they show. */
function shown(given: BacklogPicture | undefined): string[] {
  const rows = backlogRows(given);
  return rows.roots().flatMap((group) => {
    const say = (key: string) => {
      const row = rows.rowOf(key);
      return `${row?.label} | ${row?.description ?? ''} | ${row?.contextValue}`;
    };
    return [say(group), ...rows.childrenOf(group).map((key) => `  ${say(key)}`)];
  });
}

test('the backlog view lists pending messages, received ones, tasks, and sent messages with the newest first', () => {
  expect(shown(picture)).toEqual([
    'In transit | 1 | group',
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

test('a task that waits, is blocked or was sent looks like none that is ready, and says why', () => {
  const needs = { status: 'not_started', dependencies: ['shut', 'open', 'gone'] };
  const sent = { blocked_reason: 'sent to till/project-root', sent: message };
  const tasks = [
    ...picture.tasks,
    { id: 'waits', title: 'Sweep', ...needs },
    { id: 'stuck', title: 'Paint', status: 'blocked', blocked_reason: 'no paint' },
    { id: 'away', title: 'Count', status: 'blocked', ...sent },
    { id: 'begun', title: 'Begin', ...needs, status: 'in_progress' },
  ];
  const rows = backlogRows({ ...picture, tasks });
  const say = (key: string) => {
    const { label, description, icon, contextValue: tokens } = rows.rowOf(key) ?? {};
    return [label, description, icon?.name, tokens].join(' | ');
  };
  expect(rows.childrenOf('group:tasks').map(say)).toEqual([
    'Open it |  | circle-large-outline | task.open',
    'Shut it | done | pass | task.done',
    'Sweep | waits for Open it and 1 more | watch | task.waiting',
    'Paint | blocked: no paint | circle-slash | task.blocked',
    'Count | sent to till/project-root | arrow-right | task.sent',
    'Begin | in progress | play-circle | task.open',
  ]);
});

test('the tooltip of a task has its dependencies and its description', async () => {
  const tasks = [
    ...picture.tasks,
    { id: 'waits', title: 'Sweep', status: 'not_started', dependencies: ['open', 'gone'] },
  ];
  const rows = backlogRows({ ...picture, tasks }, async (task) => `All about ${task}`);
  const tooltip = await rows.tooltipOf(`task:${plan}#waits`, new AbortController().signal);
  expect(tooltip).toBe('**Sweep**\n\nWaits for:\n\n- Open it\n- gone, which is missing\n\nAll about waits');
});

test('a message of another plan in transit is shown with that plan', () => {
  const pending = picture.pending.map((one) => ({ ...one, from: id('till') }));
  expect(shown({ ...picture, tasks: [], received: [], sent: [], pending })).toEqual([]);
  expect(shown({ ...picture, tasks: [], received: [], sent: [], pending, plan: id('till') })).toHaveLength(2);
});

test('empty lists are left out, and a vault without plans shows nothing', () => {
  expect(shown({ plan, tasks: [], received: [], sent: [], pending: [] })).toEqual([]);
  expect(shown(undefined)).toEqual([]);
});

test('a refused message has a warning icon', () => {
  const rows = backlogRows(picture);
  const icons = rows.childrenOf('group:sent').map((key) => rows.rowOf(key)?.icon.name);
  expect(icons).toEqual(['warning', 'mail']);
});

test('a message that waits for a person opens the question, any other its trace', () => {
  const [pending] = picture.pending;
  const click = (more: object) => {
    const rows = backlogRows({ ...picture, pending: pending === undefined ? [] : [{ ...pending, ...more }] });
    return rows.rowOf(rows.childrenOf('group:pending')[0] ?? '')?.command;
  };
  expect(click({})).toMatchObject({ command: 'ravel.why', arguments: [`message:${message}`] });
  expect(click({ approval: '01A' })).toMatchObject({ command: 'ravel.openApproval', arguments: ['01A'] });
});

test('an unreadable message shows what is known of it', () => {
  const damaged = { message, state: 'cannot be read', subject: 'It is not a message.' };
  const rows = backlogRows({ ...picture, pending: [damaged] });
  const [key = ''] = rows.childrenOf('group:pending');
  expect(rows.rowOf(key)).toMatchObject({
    label: 'It is not a message.',
    description: 'cannot be read · from an unknown sender',
    ariaLabel: 'A message of an unknown sender in transit, cannot be read, It is not a message.',
  });
});

test('a list shows at most 300 rows and says so', () => {
  const tasks = Array.from({ length: 1000 }, (_, index) => ({ id: `t${index}`, title: 'T', status: 'blocked' }));
  const rows = backlogRows({ ...picture, tasks });
  expect(rows.childrenOf('group:tasks')).toHaveLength(300);
  expect(rows.rowOf('group:tasks')?.description).toBe('300 of 1000');
});

test('Markdown in texts of others is escaped in a tooltip', async () => {
  const rows = backlogRows(picture);
  const tooltip = await rows.tooltipOf(`received:${plan}#r`, new AbortController().signal);
  expect(tooltip).not.toContain('**it**');
});

describe('rowSubject', () => {
  test.each([
    [`task:${plan}#a#b`, { kind: 'task', plan, id: 'a#b' }],
    [`received:${plan}#r`, { kind: 'received', plan, id: 'r' }],
    ['group:tasks', undefined],
    ['approval:01A', undefined],
    ['task:nothing#a', undefined],
    [plan, undefined],
    [7, undefined],
  ])('of %j is %j', (key, subject) => expect(rowSubject(key)).toEqual(subject));
});
