import { firstLine, plural } from '../../base/text.ts';
import { planFiles } from '../../model/plan.ts';
import type { VerbArgs } from '../../model/verbs.ts';
import type { YamlEdit } from '../../yaml/yaml.ts';
import { newTask } from './backlog.ts';
import { editEffect, findRecord, readBacklog, readEffect, refusal } from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';
import type { VerbHandlers, VerbsOf } from './verbHandlers.ts';

const file = planFiles.backlog;

export const receivedVerbs: VerbHandlers<VerbsOf<'received'>> = {
  'received/list': list,
  'received/show': show,
  'received/promote': promote,
  'received/decline': decline,
};

function list({ all = false }: VerbArgs<'received/list'>, context: VerbContext): VerbEffect {
  const received = readAll(context);
  const messages = received.filter(({ state }) => all || state === 'new');
  return readEffect({ messages }, `${messages.length} of ${plural(received.length, 'message')}`);
}

function show({ id }: VerbArgs<'received/show'>, context: VerbContext): VerbEffect {
  return readEffect(findRecord(readAll(context), id, 'received message', context).record, `message ${id}`);
}

/** The message keeps the id of the task it became, so that the task can be traced back to it. */
function promote({ id, ...args }: VerbArgs<'received/promote'>, context: VerbContext): VerbEffect {
  const { index, record } = findNew(id, context);
  const description = args.description ?? record.body;
  const task = newTask({ ...args, description }, readBacklog(context), context);
  const edits: YamlEdit[] = [
    task.edit,
    { op: 'set', path: ['received', index, 'state'], value: 'promoted' },
    { op: 'set', path: ['received', index, 'task'], value: task.id },
  ];
  const summary = `promoted ${id} to task ${task.id}`;
  return editEffect(file, edits, context, { result: { id, task: task.id }, summary });
}

function decline({ id, reason }: VerbArgs<'received/decline'>, context: VerbContext): VerbEffect {
  const { index } = findNew(id, context);
  const edits: YamlEdit[] = [
    { op: 'set', path: ['received', index, 'state'], value: 'declined' },
    { op: 'set', path: ['received', index, 'declined_reason'], value: reason },
  ];
  return editEffect(file, edits, context, { result: { id }, summary: `declined ${id}: ${firstLine(reason)}` });
}

function findNew(id: string, context: VerbContext) {
  const found = find(id, context);
  if (found.record.state === 'new') return found;
  const message = `The received message "${id}" is ${found.record.state} already.`;
  throw refusal('state/badArguments', message, context, 'Only a new message can be promoted or declined.');
}

function find(id: string, context: VerbContext) {
  return findRecord(readBacklog(context).backlog.received ?? [], id, 'received message', context);
}

/** With those in the archive, if these are at hand; after a crash one may be in both. */
function readAll(context: VerbContext) {
  const received = readBacklog(context).backlog.received ?? [];
  const known = new Set(received.map(({ id }) => id));
  return [...(context.olderReceived ?? []).filter(({ id }) => !known.has(id)), ...received];
}
