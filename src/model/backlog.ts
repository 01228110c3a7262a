import * as z from 'zod';

export const taskStatuses = ['not_started', 'in_progress', 'done', 'blocked'] as const;
export type TaskStatus = (typeof taskStatuses)[number];

/** `null` stands where YAML writes `~`: the field is there and empty. */
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
});

export type Task = z.infer<typeof taskSchema>;

export const receivedStates = ['new', 'promoted', 'declined'] as const;

/** A message taken in; triage or a person promotes or declines it (design 5). */
export const receivedSchema = z.looseObject({
  id: z.string().min(1),
  from: z.string(),
  at: z.string(),
  reason: z.string(),
  body: z.string(),
  state: z.enum(receivedStates),
});

export const dispatchedSchema = z.looseObject({
  id: z.string().min(1),
  to: z.string(),
  at: z.string(),
  reason: z.string(),
  body: z.string(),
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
  const done = new Set(tasks.filter((other) => other.status === 'done').map((other) => other.id));
  return (task.dependencies ?? []).filter((id) => !done.has(id));
}

export function isReady(task: Task, tasks: readonly Task[]): boolean {
  return task.status === 'not_started' && unmetDependencies(task, tasks).length === 0;
}

/** The first ready task in the order of the file, which triage keeps by priority. */
export function bestReadyTask(backlog: Backlog): Task | undefined {
  const tasks = backlog.tasks ?? [];
  return tasks.find((task) => task.status === 'in_progress') ?? tasks.find((task) => isReady(task, tasks));
}

export function countBacklog(backlog: Backlog): BacklogCounts {
  const tasks = backlog.tasks ?? [];
  const ready = tasks.filter((task) => isReady(task, tasks)).length;
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

/** Ids along one cycle of the dependencies, closed (`[a, b, a]`); undefined when there is none. */
export function dependencyCycle(tasks: readonly Task[]): string[] | undefined {
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const finished = new Set<string>();
  for (const task of tasks) {
    const cycle = walk(task.id, []);
    if (cycle !== undefined) return cycle;
  }
  return undefined;

  function walk(id: string, path: readonly string[]): string[] | undefined {
    const at = path.indexOf(id);
    if (at >= 0) return [...path.slice(at), id];
    if (finished.has(id)) return undefined;
    for (const dependency of byId.get(id)?.dependencies ?? []) {
      const cycle = walk(dependency, [...path, id]);
      if (cycle !== undefined) return cycle;
    }
    finished.add(id);
    return undefined;
  }
}
