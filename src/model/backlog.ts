import * as z from 'zod';
import { taskStatuses } from './taskStatus.ts';

export type TaskStatus = (typeof taskStatuses)[number];

/** `null` is what YAML writes as `~`: the field is there and empty. */
const optionalText = z.string().nullish();

export const taskSchema = z.looseObject({
  id: z.string().min(1),
  title: z.string(),
  category: z.string(),
  status: z.enum(taskStatuses),
  blocked_reason: optionalText,
  dependencies: z.array(z.string()).nullish(),
  description: optionalText,
  results: optionalText,
  handoff: optionalText,
  /** The message, among those dispatched, with which another plan was handed the task. */
  sent: optionalText,
});

export type Task = z.infer<typeof taskSchema>;

const receivedStates = ['new', 'promoted', 'declined'] as const;

/** A message taken in; triage or a person promotes or declines it. */
const receivedSchema = z.looseObject({
  id: z.string().min(1),
  from: z.string(),
  at: z.string(),
  reason: z.string(),
  body: z.string(),
  state: z.enum(receivedStates),
  /** How many messages led to this one, and the first of them; absent if none did. */
  depth: z.number().int().nonnegative().nullish(),
  origin: z.string().nullish(),
  /** The question of this plan that it answers. */
  re: z.string().nullish(),
  /** The task that it became. */
  task: z.string().nullish(),
  declined_reason: z.string().nullish(),
});

const dispatchedSchema = z.looseObject({
  id: z.string().min(1),
  to: z.string(),
  at: z.string(),
  reason: z.string(),
  body: z.string(),
  /** The session that sent it. */
  session: z.string().nullish(),
  /** A dispatch if absent. */
  kind: z.enum(['dispatch', 'query']).nullish(),
  outcome: z.string(),
});

export const backlogSchema = z.looseObject({
  tasks: z.array(taskSchema).nullish(),
  received: z.array(receivedSchema).nullish(),
  dispatched: z.array(dispatchedSchema).nullish(),
});

export type Backlog = z.infer<typeof backlogSchema>;

export interface BacklogCounts {
  readonly ready: number;
  readonly blocked: number;
  readonly inProgress: number;
  readonly done: number;
  /** New entries of the inbox. */
  readonly received: number;
  /** Tasks that carry a hand-off, whatever their status. */
  readonly handoffs: number;
}

/** Ids of `task` that are not done; one that matches no task is unmet, so that a typo never unblocks. */
export function unmetDependencies(task: Task, tasks: readonly Task[]): string[] {
  const done = idsOfDone(tasks);
  return (task.dependencies ?? []).filter((id) => !done.has(id));
}

/** Tasks that can be started now, in the order of the file; linear, for a backlog can be long. */
export function readyTasks(tasks: readonly Task[]): Task[] {
  const done = idsOfDone(tasks);
  return tasks.filter(({ status, dependencies }) => {
    return status === 'not_started' && (dependencies ?? []).every((id) => done.has(id));
  });
}

function idsOfDone(tasks: readonly Task[]): ReadonlySet<string> {
  return new Set(tasks.filter(({ status }) => status === 'done').map(({ id }) => id));
}

/** The first ready task in the order of the file, which triage keeps by priority. */
export function bestReadyTask(backlog: Backlog): Task | undefined {
  const tasks = backlog.tasks ?? [];
  return tasks.find((task) => task.status === 'in_progress') ?? readyTasks(tasks)[0];
}

export function countBacklog(backlog: Backlog): BacklogCounts {
  const tasks = backlog.tasks ?? [];
  const ready = readyTasks(tasks).length;
  const notStarted = tasks.filter((task) => task.status === 'not_started').length;
  return {
    ready,
    blocked: tasks.filter((task) => task.status === 'blocked').length + notStarted - ready,
    inProgress: tasks.filter((task) => task.status === 'in_progress').length,
    done: tasks.filter((task) => task.status === 'done').length,
    received: (backlog.received ?? []).filter((entry) => entry.state === 'new').length,
    handoffs: tasks.filter((task) => (task.handoff ?? '').trim() !== '').length,
  };
}

/**
 * The status that the rest of the record calls for: done if results came under way, not started if everything
 * that blocked is done. Undefined if the status is right, or if code cannot know.
 */
export function staleStatus(
  task: Task,
  tasks: readonly Task[],
): { readonly to: TaskStatus; readonly reason: string } | undefined {
  if (task.status === 'in_progress' && !isPlaceholder(task.results ?? '')) {
    return { to: 'done', reason: 'results_non_empty' };
  }
  const hasDependencies = (task.dependencies ?? []).length > 0;
  if (
    task.status === 'blocked' &&
    task.sent == null &&
    hasDependencies &&
    !waitsForMore(task) &&
    unmetDependencies(task, tasks).length === 0
  ) {
    return { to: 'not_started', reason: 'dependencies_satisfied' };
  }
  return undefined;
}

/** Begins the reason of a task that an import blocked, before what the task waits for. */
export const dependsOn = 'depends on: ';

/** Whether only the note says what blocks a task. What it names is not a task, so code cannot tell when it is done. */
function waitsForMore({ blocked_reason: reason, 'dependencies-note': note }: Task): boolean {
  const isWritten = typeof reason === 'string' && typeof note === 'string' && reason.startsWith(dependsOn);
  return isWritten && note.endsWith(reason.slice(dependsOn.length));
}

/** Whether a text stands only where one is to come, or says that there is none: `_pending_`, `TBD`, `—`. */
export function isPlaceholder(text: string): boolean {
  const words = text.trim();
  if (words === '') return true;
  return (
    words.length <= 20 &&
    /^[_*`(]{0,3}(?:(?:pending|none|nothing|not|tbd|todo|n\/a|[-—–.…]+)(?: yet)?)?[_*`).]{0,3}$/i.test(words)
  );
}

/** Ids along one cycle of the dependencies, closed (`[a, b, a]`); undefined when there is none. Linear, and flat for long chains. */
export function dependencyCycle(tasks: readonly Task[]): string[] | undefined {
  const dependencies = dependenciesById(tasks);
  const finished = new Set<string>();
  for (const task of tasks) {
    const cycle = walk(task.id, dependencies, finished);
    if (cycle !== undefined) return cycle;
  }
  return undefined;
}

/** The shortest cycle that goes through the task `id`, closed; undefined when there is none. */
export function dependencyCycleThrough(tasks: readonly Task[], id: string): string[] | undefined {
  const dependencies = dependenciesById(tasks);
  const cameFrom = new Map<string, string>();
  const queue = [id];
  // The array grows while it is walked: breadth first, each id once.
  for (const current of queue) {
    for (const dependency of dependencies.get(current) ?? []) {
      if (dependency === id) return [...pathTo(current, id, cameFrom), id];
      if (cameFrom.has(dependency)) continue;
      cameFrom.set(dependency, current);
      queue.push(dependency);
    }
  }
  return undefined;
}

function dependenciesById(tasks: readonly Task[]): Map<string, readonly string[]> {
  return new Map(tasks.map((task) => [task.id, task.dependencies ?? []]));
}

/** Depth first with a stack of its own; `finished` holds the ids from which no cycle can be reached. */
function walk(
  start: string,
  dependencies: ReadonlyMap<string, readonly string[]>,
  finished: Set<string>,
): string[] | undefined {
  if (finished.has(start)) return undefined;
  const onPath = new Set([start]);
  const stack = [{ id: start, next: 0 }];
  for (let frame = stack.at(-1); frame !== undefined; frame = stack.at(-1)) {
    const dependency = dependencies.get(frame.id)?.[frame.next];
    frame.next += 1;
    if (dependency === undefined) {
      finished.add(frame.id);
      onPath.delete(frame.id);
      stack.pop();
    } else if (onPath.has(dependency)) {
      const ids = stack.map(({ id }) => id);
      return [...ids.slice(ids.indexOf(dependency)), dependency];
    } else if (!finished.has(dependency)) {
      onPath.add(dependency);
      stack.push({ id: dependency, next: 0 });
    }
  }
  return undefined;
}

function pathTo(end: string, start: string, cameFrom: ReadonlyMap<string, string>): string[] {
  const path: string[] = [];
  for (let id: string | undefined = end; id !== undefined && id !== start; id = cameFrom.get(id)) path.unshift(id);
  return [start, ...path];
}
