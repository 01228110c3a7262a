import { oneLine } from '../base/text.ts';
import type { Backlog, Task } from '../model/backlog.ts';
import { groupTasks, type TaskGroup } from '../model/backlogOrder.ts';
import { formatMarkdownTable } from '../model/markdownTable.ts';
import { inert } from './inertText.ts';
import { messageSections } from './messagesBody.ts';
import { tamed } from './tamedMarkdown.ts';
import { blockLink, isBlockId } from './wikilink.ts';

/** The backlog as Markdown: a table of each category, the details of its tasks below, and its messages. */
export function formatBacklogBody(backlog: Backlog): string {
  const tasks = backlog.tasks ?? [];
  const sections = groupTasks(tasks, 'category').map((group) => formatCategory(group, tasks));
  if (sections.length === 0) sections.push('_(no tasks)_\n');
  sections.push(...messageSections(backlog));
  return sections.join('\n');
}

function formatCategory({ name, tasks }: TaskGroup<Task>, all: readonly Task[]): string {
  const titles = new Map(all.map((task) => [task.id, task.title]));
  const rows = tasks.map((task) => {
    const dependencies = (task.dependencies ?? []).map((id) => linkTask(id, titles.get(id)));
    return [linkTask(task.id, task.title), task.status, dependencies.join(', ') || '—'];
  });
  const table = formatMarkdownTable(['title', 'status', 'deps'], rows);
  return `## ${inert(name)}\n\n${table}\n\n${tasks.map(formatTask).join('\n')}`;
}

/** An id that no task of the backlog has stands as it is. */
function linkTask(id: string, title: string | undefined): string {
  return title === undefined ? inert(id) : blockLink(id, oneLine(title) || id);
}

function formatTask(task: Task): string {
  const block = isBlockId(task.id) ? ` ^${task.id}` : '';
  const parts = [`**${inert(task.title)}**${block}`];
  if (task.blocked_reason) parts.push(`*Blocked:* ${inert(task.blocked_reason)}`);
  if (task.description) parts.push(tamed(task.description));
  if (task.results) parts.push(`*Results:*\n\n${tamed(task.results)}`);
  if (task.handoff) parts.push(`*Hand-off:*\n\n${tamed(task.handoff)}`);
  return `${parts.join('\n\n')}\n`;
}
