import type { Backlog, Task, TaskStatus } from '../model/backlog.ts';
import { blockLink, isBlockId } from './wikilink.ts';

/** The backlog as Markdown: a table of each category, the details of its tasks below, and the inbox. */
export function formatBacklogBody(backlog: Backlog): string {
  const tasks = backlog.tasks ?? [];
  const received = (backlog.received ?? []).filter((entry) => entry.state === 'new');
  const sections = categories(tasks).map((category) => formatCategory(category, tasks));
  if (sections.length === 0) sections.push('_(no tasks)_\n');
  if (received.length > 0) {
    const items = received.map((entry) => `- ${oneLine(entry.from)}: ${oneLine(entry.reason)}`);
    sections.push(`## Received\n\n${items.join('\n')}\n`);
  }
  return sections.join('\n');
}

/** Categories in alphabetical order, whatever their case. */
function categories(tasks: readonly Task[]): string[] {
  const names = [...new Set(tasks.map((task) => task.category))];
  return names.sort((a, b) => compare(a.toLowerCase(), b.toLowerCase()) || compare(a, b));
}

function formatCategory(category: string, all: readonly Task[]): string {
  const tasks = sortTasks(all).filter((task) => task.category === category);
  const titles = new Map(all.map((task) => [task.id, task.title]));
  const rows = tasks.map((task) => {
    const dependencies = (task.dependencies ?? []).map((id) => linkTask(id, titles.get(id)));
    const cells = [linkTask(task.id, task.title), task.status, dependencies.join(', ') || '—'];
    return `| ${cells.map(escapeCell).join(' | ')} |`;
  });
  const table = ['| title | status | deps |', '| --- | --- | --- |', ...rows].join('\n');
  return `## ${oneLine(category)}\n\n${table}\n\n${tasks.map(formatTask).join('\n')}`;
}

/** An id that no task of the backlog has stands as it is. */
function linkTask(id: string, title: string | undefined): string {
  return title === undefined ? oneLine(id) : blockLink(id, oneLine(title) || id);
}

const statusRanks: Readonly<Record<TaskStatus, number>> = { not_started: 0, in_progress: 1, blocked: 2, done: 3 };

/** By status, then with dependencies before what needs them, then in the order of the file. */
export function sortTasks(tasks: readonly Task[]): Task[] {
  const depths = dependencyDepths(tasks);
  const depth = (task: Task) => depths.get(task.id) ?? Number.MAX_SAFE_INTEGER;
  return [...tasks].sort((a, b) => statusRanks[a.status] - statusRanks[b.status] || depth(a) - depth(b));
}

/** Longest chain of known dependencies below each task; a task on or above a cycle has no entry. */
function dependencyDepths(tasks: readonly Task[]): ReadonlyMap<string, number> {
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

function formatTask(task: Task): string {
  const block = isBlockId(task.id) ? ` ^${task.id}` : '';
  const parts = [`**${oneLine(task.title)}**${block}`];
  if (task.blocked_reason) parts.push(`*Blocked:* ${oneLine(task.blocked_reason)}`);
  if (task.description) parts.push(task.description.trim());
  if (task.results) parts.push(`*Results:*\n\n${task.results.trim()}`);
  if (task.handoff) parts.push(`*Hand-off:*\n\n${task.handoff.trim()}`);
  return `${parts.join('\n\n')}\n`;
}

/** A pipe ends a cell unless an odd number of backslashes stands before it. */
function escapeCell(text: string): string {
  return oneLine(text).replace(/(\\*)\|/g, '$1$1\\|');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
