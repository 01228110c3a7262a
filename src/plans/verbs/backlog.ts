import { plural } from '../../base/text.ts';
import {
  backlogSchema,
  dependencyCycle,
  dependencyCycleThrough,
  readyTasks,
  staleStatus,
  type Task,
} from '../../model/backlog.ts';
import { dependencyDrifts } from '../../model/backlogLint.ts';
import { allocateSlug } from '../../model/id.ts';
import { planFiles } from '../../model/plan.ts';
import type { VerbArgs } from '../../model/verbs.ts';
import type { YamlEdit } from '../../yaml/yaml.ts';
import { fillFile } from './fillFile.ts';
import { bodyText, editEffect, findRecord, readBacklog, readEffect, refusal, someOf } from './planRecords.ts';
import type { VerbContext, VerbEffect } from './verbContext.ts';
import type { VerbHandlers, VerbsOf } from './verbHandlers.ts';

const file = planFiles.backlog;

export const backlogVerbs: VerbHandlers<VerbsOf<'backlog'>> = {
  'backlog/list': listTasks,
  'backlog/show': showTask,
  'backlog/add': addTask,
  'backlog/set-status': setStatus,
  'backlog/set-results': ({ id, body }, context) => setBody('results', id, body, context),
  'backlog/set-handoff': ({ id, body }, context) => setBody('handoff', id, body, context),
  'backlog/clear-handoff': clearHandoff,
  'backlog/set-title': setTitle,
  'backlog/set-description': ({ id, body }, context) => setBody('description', id, body, context),
  'backlog/set-dependencies': setDependencies,
  'backlog/reorder': reorder,
  'backlog/delete': deleteTask,
  'backlog/repair-stale-statuses': repairStaleStatuses,
  'backlog/lint-dependencies': lintDependencies,
  'backlog/init': fillBacklog,
};

/**
 * The record of a new task and the splice that puts it at the end; also how a received message becomes a task. The id of a
 * task that is gone stays taken while a message says that it became that task.
 */
export function newTask(
  args: Pick<VerbArgs<'backlog/add'>, 'title' | 'category' | 'description' | 'dependencies'>,
  { backlog, tasks }: ReturnType<typeof readBacklog>,
  context: VerbContext,
): { readonly id: string; readonly edit: YamlEdit } {
  const dependencies = [...new Set(args.dependencies ?? [])];
  checkKnown(dependencies, tasks, context);
  const promoted = (backlog.received ?? []).flatMap(({ task }) => task ?? []);
  const id = allocateSlug(args.title, new Set([...tasks.map((task) => task.id), ...promoted]), 'task');
  const description = args.description === undefined ? '' : bodyText(args.description, 'description', context);
  const value = { id, title: args.title, category: args.category, status: 'not_started', dependencies, description };
  return { id, edit: { op: 'insert', path: ['tasks'], index: tasks.length, value } };
}

function listTasks(args: VerbArgs<'backlog/list'>, context: VerbContext): VerbEffect {
  const { tasks } = readBacklog(context);
  const chosen = (args.ready === true ? readyTasks(tasks) : tasks)
    .filter((task) => args.status === undefined || task.status === args.status)
    .filter((task) => args.category === undefined || task.category === args.category)
    .filter((task) => args['has-handoff'] !== true || hasText(task.handoff))
    .filter((task) => args['missing-results'] !== true || (task.status === 'done' && !hasText(task.results)));
  const rows = chosen.map((task) => ({
    id: task.id,
    title: task.title,
    category: task.category,
    status: task.status,
    ...(typeof task.blocked_reason === 'string' && { blocked_reason: task.blocked_reason }),
    ...(typeof task.sent === 'string' && { sent: task.sent }),
    dependencies: task.dependencies ?? [],
  }));
  return readEffect({ tasks: rows }, `${chosen.length} of ${plural(tasks.length, 'task')}`);
}

function hasText(text: string | null | undefined): boolean {
  return (text ?? '').trim() !== '';
}

function showTask({ id }: VerbArgs<'backlog/show'>, context: VerbContext): VerbEffect {
  const { record } = findTask(id, context);
  return readEffect(record, `task ${id}`);
}

function addTask(args: VerbArgs<'backlog/add'>, context: VerbContext): VerbEffect {
  const { id, edit } = newTask(args, readBacklog(context), context);
  return editEffect(file, [edit], context, { result: { id }, summary: `added task ${id}` });
}

function setStatus({ id, status, reason }: VerbArgs<'backlog/set-status'>, context: VerbContext): VerbEffect {
  const { index, record } = findTask(id, context);
  if (status === 'blocked' && reason === undefined) {
    throw refusal('state/reasonMissing', `The task "${id}" cannot become blocked without a reason.`, context);
  }
  if (status !== 'blocked' && reason !== undefined) {
    throw refusal('state/badArguments', `Only a blocked task has a reason; "${id}" becomes ${status}.`, context);
  }
  const edits = statusEdits(index, record, status, reason);
  return editEffect(file, edits, context, { result: { id, status }, summary: `${id} is ${status}` });
}

/** A reason stands exactly as long as the task is blocked, and so does that it was sent. */
function statusEdits(index: number, task: Task, status: Task['status'], reason: string | undefined): YamlEdit[] {
  const path = ['tasks', index];
  const edits: YamlEdit[] = [];
  if (task.status !== status) edits.push({ op: 'set', path: [...path, 'status'], value: status });
  if (reason !== undefined) {
    if (task.blocked_reason !== reason) edits.push({ op: 'set', path: [...path, 'blocked_reason'], value: reason });
  } else if (task.blocked_reason !== undefined) {
    edits.push({ op: 'delete', path: [...path, 'blocked_reason'] });
  }
  if (status !== 'blocked' && task.sent !== undefined) edits.push({ op: 'delete', path: [...path, 'sent'] });
  return edits;
}

function setBody(
  field: 'results' | 'handoff' | 'description',
  id: string,
  body: string,
  context: VerbContext,
): VerbEffect {
  const { index } = findTask(id, context);
  const value = bodyText(body, field, context);
  const edit: YamlEdit = { op: 'set', path: ['tasks', index, field], value };
  return editEffect(file, [edit], context, { result: { id }, summary: `set the ${field} of ${id}` });
}

function clearHandoff({ id }: VerbArgs<'backlog/clear-handoff'>, context: VerbContext): VerbEffect {
  const { index, record } = findTask(id, context);
  const edits: YamlEdit[] = record.handoff === undefined ? [] : [{ op: 'delete', path: ['tasks', index, 'handoff'] }];
  return editEffect(file, edits, context, { result: { id }, summary: `${id} has no hand-off` });
}

function setTitle({ id, title }: VerbArgs<'backlog/set-title'>, context: VerbContext): VerbEffect {
  const { index } = findTask(id, context);
  const edit: YamlEdit = { op: 'set', path: ['tasks', index, 'title'], value: title };
  return editEffect(file, [edit], context, { result: { id, title }, summary: `${id} is now titled "${title}"` });
}

function setDependencies(args: VerbArgs<'backlog/set-dependencies'>, context: VerbContext): VerbEffect {
  const { id } = args;
  const { tasks } = readBacklog(context);
  const { index, record } = findTask(id, context);
  const dependencies = [...new Set(args.dependencies)];
  if (dependencies.includes(id)) {
    throw refusal('state/dependencyCycle', `The task "${id}" cannot depend on itself.`, context);
  }
  const old = new Set(record.dependencies ?? []);
  checkKnown(
    dependencies.filter((other) => !old.has(other)),
    tasks,
    context,
  );
  const cycle = dependencyCycleThrough(
    tasks.map((task) => (task.id === id ? { ...task, dependencies } : task)),
    id,
  );
  if (cycle !== undefined) {
    throw refusal('state/dependencyCycle', `The dependencies would form a cycle: ${cycle.join(' → ')}.`, context);
  }
  const edit: YamlEdit = { op: 'set', path: ['tasks', index, 'dependencies'], value: dependencies };
  const waits = dependencies.length === 0 ? 'nothing' : dependencies.join(', ');
  return editEffect(file, [edit], context, { result: { id, dependencies }, summary: `${id} depends on ${waits}` });
}

function reorder({ id, where, target }: VerbArgs<'backlog/reorder'>, context: VerbContext): VerbEffect {
  const { tasks } = readBacklog(context);
  const from = findTask(id, context).index;
  const at = findRecord(tasks, target, 'task', context).index;
  if (from === at) throw refusal('state/badArguments', `The task "${id}" cannot be moved ${where} itself.`, context);
  const gap = where === 'before' ? at : at + 1;
  // `to` is the place in the list after the task was taken out.
  const to = from < gap ? gap - 1 : gap;
  const edits: YamlEdit[] = from === to ? [] : [{ op: 'move', path: ['tasks'], from, to }];
  return editEffect(file, edits, context, { result: { id }, summary: `moved ${id} ${where} ${target}` });
}

function deleteTask({ id, force = false }: VerbArgs<'backlog/delete'>, context: VerbContext): VerbEffect {
  const { tasks } = readBacklog(context);
  const { index } = findTask(id, context);
  const dependents = tasks.filter((task) => task.id !== id && (task.dependencies ?? []).includes(id));
  if (dependents.length > 0 && !force) {
    const names = someOf(dependents.map((task) => task.id));
    throw refusal('state/hasDependents', `Other tasks depend on "${id}": ${names}.`, context);
  }
  const edits: YamlEdit[] = tasks.flatMap((task, at) => (task.id === id ? [] : dropDependency(at, task, id)));
  edits.push({ op: 'delete', path: ['tasks', index] });
  const result = { id, dependents: dependents.map((task) => task.id) };
  return editEffect(file, edits, context, { result, summary: `deleted task ${id}` });
}

/** From last to first, so that earlier indexes stay valid. */
function dropDependency(at: number, task: Task, id: string): YamlEdit[] {
  const dependencies = task.dependencies ?? [];
  const places = dependencies.flatMap((dependency, place) => (dependency === id ? [place] : []));
  return places.reverse().map((place) => ({ op: 'delete', path: ['tasks', at, 'dependencies', place] }));
}

/** Decided on the snapshot before any repair, so a chain moves one link a call. */
function repairStaleStatuses(args: VerbArgs<'backlog/repair-stale-statuses'>, context: VerbContext): VerbEffect {
  const { tasks } = readBacklog(context);
  const found = tasks.flatMap((task, index) => {
    const repair = staleStatus(task, tasks);
    return repair === undefined ? [] : [{ task, index, ...repair }];
  });
  const repairs = found.map(({ task, to, reason }) => ({ id: task.id, from: task.status, to, reason }));
  const dry = args['dry-run'] === true;
  const edits = dry ? [] : found.flatMap(({ task, index, to }) => statusEdits(index, task, to, undefined));
  const stale = `${repairs.length === 0 ? 'no' : repairs.length} stale ${repairs.length === 1 ? 'status' : 'statuses'}`;
  const summary = `${dry ? 'found' : 'repaired'} ${stale}`;
  return editEffect(file, edits, context, { result: { repairs }, summary });
}

function lintDependencies(_args: VerbArgs<'backlog/lint-dependencies'>, context: VerbContext): VerbEffect {
  const drifts = dependencyDrifts(readBacklog(context).tasks);
  return readEffect({ drifts }, `${drifts.length} ${drifts.length === 1 ? 'task names' : 'tasks name'} others`);
}

function fillBacklog({ body }: VerbArgs<'backlog/init'>, context: VerbContext): VerbEffect {
  const effect = fillFile({ file, list: 'tasks', schema: backlogSchema, noun: 'tasks' }, body, context);
  const { tasks } = readBacklog({ ...context, texts: new Map([[file, effect.edits.get(file) ?? '']]) });
  checkKnown(
    tasks.flatMap((task) => task.dependencies ?? []),
    tasks,
    context,
  );
  const cycle = dependencyCycle(tasks);
  if (cycle === undefined) return effect;
  throw refusal('state/dependencyCycle', `The dependencies form a cycle: ${cycle.join(' → ')}.`, context);
}

function findTask(id: string, context: VerbContext): { readonly index: number; readonly record: Task } {
  return findRecord(readBacklog(context).tasks, id, 'task', context);
}

function checkKnown(ids: readonly string[], tasks: readonly Task[], context: VerbContext): void {
  const known = new Set(tasks.map((task) => task.id));
  const unknown = ids.filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  const names = unknown.map((id) => `"${id}"`).join(', ');
  const choice = known.size === 0 ? 'The backlog is empty' : `The tasks are: ${someOf([...known])}`;
  throw refusal('state/unknownDependency', `No task has the id ${names}. ${choice}.`, context);
}
