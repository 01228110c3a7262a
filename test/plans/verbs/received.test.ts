import { expect, test } from 'vitest';
import { backlogSchema } from '../../../src/model/backlog.ts';
import { applyVerb } from '../../../src/plans/verbs/applyVerb.ts';
import { after, backlogText, makeContext, refused } from './context.ts';

const id = '01JD0000000000000000000001';

test('received/list gives undecided messages whole, and decided ones only with `all`', () => {
  const texts = new Map([['backlog.yaml' as const, backlogText.replace('state: new', 'state: declined')]]);
  const list = (args: object, context = makeContext()) => applyVerb('received/list', args, context).result;
  expect(list({})).toMatchObject({ messages: [{ id, reason: 'because', body: 'Please do it.\n', state: 'new' }] });
  expect(list({}, makeContext({ texts }))).toEqual({ messages: [] });
  expect(list({ all: true }, makeContext({ texts }))).toMatchObject({ messages: [{ id, state: 'declined' }] });
});

test('received/show gives a message whole in any state', () => {
  const texts = new Map([['backlog.yaml' as const, backlogText.replace('state: new', 'state: promoted')]]);
  const show = (of: string) => applyVerb('received/show', { id: of }, makeContext({ texts })).result;
  expect(show(id)).toMatchObject({ id, from: 'Other/project-root', body: 'Please do it.\n', state: 'promoted' });
  expect(refused('received/show', { id: 'none' }).code).toBe('state/unknownRecord');
});

test('received/promote makes a task and links the message to it', () => {
  const backlog = backlogSchema.parse(after('backlog.yaml', 'received/promote', { id, title: 'Do it', category: 'c' }));
  expect(backlog.tasks?.at(-1)).toMatchObject({ id: 'do-it', status: 'not_started', description: 'Please do it.\n' });
  expect(backlog.received).toMatchObject([{ id, state: 'promoted', task: 'do-it', reason: 'because' }]);
});

test('received/promote takes a description in place of the message’s body', () => {
  const args = { id, title: 'First', category: 'c', description: 'Mine' };
  expect(backlogSchema.parse(after('backlog.yaml', 'received/promote', args)).tasks?.at(-1)).toMatchObject({
    id: 'first-2',
    description: 'Mine\n',
  });
});

test('received/decline keeps the message and records the reason', () => {
  const backlog = backlogSchema.parse(after('backlog.yaml', 'received/decline', { id, reason: 'not ours' }));
  expect(backlog.received).toMatchObject([{ state: 'declined', declined_reason: 'not ours', reason: 'because' }]);
  expect(backlog.tasks).toHaveLength(4);
});

test('a message can be decided only once', () => {
  const texts = new Map([['backlog.yaml' as const, backlogText.replace('state: new', 'state: declined')]]);
  expect(refused('received/promote', { id, title: 'X', category: 'c' }, makeContext({ texts })).code).toBe(
    'state/badArguments',
  );
  expect(refused('received/decline', { id, reason: 'x' }, makeContext({ texts })).code).toBe('state/badArguments');
  expect(refused('received/decline', { id: 'none', reason: 'x' }).code).toBe('state/unknownRecord');
});
