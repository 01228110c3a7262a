import type { Task, TaskStatus } from './backlog.ts';
import { taskStatuses } from './taskStatus.ts';

/** As much of a task as its place in a rendering depends on. */
export type OrderedTask = Pick<Task, 'id' | 'status' | 'category' | 'dependencies'>;

export const taskGroupings = ['category', 'status'] as const;
export type TaskGrouping = (typeof taskGroupings)[number];

export interface TaskGroup<T> {
  readonly name: string;
  readonly tasks: readonly T[];
}

/**
 * Tasks in sections, each in reading order: categories in alphabetical order, whatever their case, or statuses in the
 * order in which a task goes through them. No section is empty.
 */
export function groupTasks<T extends OrderedTask>(tasks: readonly T[], by: TaskGrouping): TaskGroup<T>[] {
  const names = by === 'status' ? statusesInOrder : categoriesOf(tasks);
  const sorted = sortTasks(tasks);
  const groups = names.map((name) => ({ name, tasks: sorted.filter((task) => task[by] === name) }));
  return groups.filter((group) => group.tasks.length > 0);
}

const statusRanks: Readonly<Record<TaskStatus, number>> = { not_started: 0, in_progress: 1, blocked: 2, done: 3 };
const statusesInOrder = [...taskStatuses].sort((a, b) => statusRanks[a] - statusRanks[b]);

/** By status, then with dependencies before what needs them, then in the order of the file. */
export function sortTasks<T extends OrderedTask>(tasks: readonly T[]): T[] {
  const depths = dependencyDepths(tasks);
  const depth = (task: T) => depths.get(task.id) ?? Number.MAX_SAFE_INTEGER;
  return [...tasks].sort((a, b) => statusRanks[a.status] - statusRanks[b.status] || depth(a) - depth(b));
}

function categoriesOf(tasks: readonly OrderedTask[]): string[] {
  const names = [...new Set(tasks.map((task) => task.category))];
  return names.sort((a, b) => compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b));
}

/** Longest chain of known dependencies below each task; a task on or above a cycle has no entry. */
function dependencyDepths(tasks: readonly OrderedTask[]): ReadonlyMap<string, number> {
  const known = new Set(tasks.map((task) => task.id));
  const waiting = new Map<string, number>();
  const dependents = new Map<string, string[]>();
  for (const { id, dependencies } of tasks) {
    const inside = [...new Set(dependencies ?? [])].filter((dependency) => known.has(dependency));
    waiting.set(id, inside.length);
    for (const dependency of inside) dependents.set(dependency, [...(dependents.get(dependency) ?? []), id]);
  }
  const depths = new Map<string, number>();
  let level = [...waiting].filter(([, count]) => count === 0).map(([id]) => id);
  for (let depth = 0; level.length > 0; depth++) {
    const next: string[] = [];
    for (const id of level) {
      depths.set(id, depth);
      for (const dependent of dependents.get(id) ?? []) {
        const left = (waiting.get(dependent) ?? 0) - 1;
        waiting.set(dependent, left);
        if (left === 0) next.push(dependent);
      }
    }
    level = next;
  }
  return depths;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
