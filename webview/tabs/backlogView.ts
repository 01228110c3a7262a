import { t } from '@vscode/l10n';
import { defined } from '../../src/base/defined.ts';
import type { TaskStatus } from '../../src/model/backlog.ts';

/** A task as the verb `backlog/list` tells it. */
export interface ListedTask {
  readonly id: string;
  readonly title: string;
  readonly category: string;
  readonly status: TaskStatus;
  readonly blocked_reason?: string;
  readonly dependencies: readonly string[];
}

/** In the order in which a person cares for them. */
export const taskGroups = ['in_progress', 'ready', 'waiting', 'blocked', 'done'] as const;
export type TaskSection = (typeof taskGroups)[number];

export const groupTitles: Readonly<Record<TaskSection, string>> = {
  in_progress: t('In progress'),
  ready: t('Ready'),
  waiting: t('Waits for other tasks'),
  blocked: t('Blocked'),
  done: t('Done'),
};

export interface TaskView extends ListedTask {
  readonly group: TaskSection;
  /** Why it cannot be started now, as a sentence. */
  readonly why?: string;
  /** Tasks that depend on it. */
  readonly neededBy: readonly string[];
  /** Its neighbours among the tasks of its group, in the order of the file, which is the order of priority. */
  readonly above?: string;
  readonly below?: string;
}

/** One row of the list: the head of a group, or a task in one that is open. */
export type BacklogRow =
  | { readonly kind: 'group'; readonly group: TaskSection; readonly count: number; readonly isOpen: boolean }
  | { readonly kind: 'task'; readonly task: TaskView };

/** Linear in the number of tasks: there may be ten thousand. */
export function viewTasks(tasks: readonly ListedTask[]): ReadonlyMap<TaskSection, readonly TaskView[]> {
  const done = new Set(tasks.filter(({ status }) => status === 'done').map(({ id }) => id));
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const neededBy = new Map<string, string[]>();
  for (const { id, dependencies } of tasks) {
    for (const dependency of dependencies) {
      const others = neededBy.get(dependency);
      if (others === undefined) neededBy.set(dependency, [id]);
      else others.push(id);
    }
  }
  const groups = new Map(taskGroups.map((group) => [group, [] as TaskView[]]));
  for (const task of tasks) {
    const unmet = task.dependencies.filter((id) => !done.has(id));
    const why = whyNot(task, unmet, titles);
    const group = groupOf(task, unmet);
    groups.get(group)?.push({
      ...task,
      group,
      neededBy: neededBy.get(task.id) ?? [],
      ...defined({ why }),
    });
  }
  for (const [group, members] of groups) groups.set(group, withNeighbours(members));
  return groups;
}

/** The rows of what fits the filter; a group without any has none. While something is looked for, every group is open. */
export function shownTaskRows(
  groups: ReadonlyMap<TaskSection, readonly TaskView[]>,
  closed: ReadonlySet<TaskSection>,
  filter: string,
): BacklogRow[] {
  const words = filter
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return [...groups].flatMap(([group, tasks]): BacklogRow[] => {
    const fitting = words.length === 0 ? tasks : tasks.filter((task) => fits(task, words));
    if (fitting.length === 0) return [];
    const isOpen = words.length > 0 || !closed.has(group);
    const head: BacklogRow = { kind: 'group', group, count: fitting.length, isOpen };
    return isOpen ? [head, ...fitting.map((task): BacklogRow => ({ kind: 'task', task }))] : [head];
  });
}

/** All categories in use, as choices for a new task. */
export function categoriesOf(tasks: readonly ListedTask[]): string[] {
  return [...new Set(tasks.map(({ category }) => category))].sort();
}

function groupOf({ status }: ListedTask, unmet: readonly string[]): TaskSection {
  if (status !== 'not_started') return status;
  return unmet.length === 0 ? 'ready' : 'waiting';
}

function whyNot(task: ListedTask, unmet: readonly string[], titles: ReadonlyMap<string, string>): string | undefined {
  if (task.status === 'blocked') return task.blocked_reason ?? t('Blocked, no reason given.');
  if (task.status !== 'not_started' || unmet.length === 0) return undefined;
  const missing = unmet.filter((id) => !titles.has(id));
  if (missing.length > 0) return t`Depends on ${missing.join(', ')}, which is not a task of this backlog.`;
  const named = unmet.slice(0, namedMax).map((id) => `“${titles.get(id)}”`);
  const others = unmet.length - named.length;
  return t`Waits for ${[...named, ...(others > 0 ? [t`${others} more`] : [])].join(', ')}.`;
}

/** How many titles of tasks fit on a line. */
const namedMax = 3;

function withNeighbours(tasks: readonly TaskView[]): TaskView[] {
  return tasks.map((task, index) => {
    const above = tasks[index - 1]?.id;
    const below = tasks[index + 1]?.id;
    return { ...task, ...defined({ above, below }) };
  });
}

function fits({ id, title, category, dependencies }: TaskView, words: readonly string[]): boolean {
  const text = [id, title, category, ...dependencies].join('\n').toLowerCase();
  return words.every((word) => text.includes(word));
}
