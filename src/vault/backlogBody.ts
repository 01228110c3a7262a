import { firstLine, oneLine } from '../base/text.ts';
import type { Backlog, Task } from '../model/backlog.ts';
import { groupTasks, type TaskGroup } from '../model/backlogOrder.ts';
import { formatMarkdownTable } from '../model/markdownTable.ts';
import { blockLink, isBlockId } from './wikilink.ts';

/** The backlog as Markdown: a table of each category, the details of its tasks below, and the inbox. */
export function formatBacklogBody(backlog: Backlog): string {
  const tasks = backlog.tasks ?? [];
  const received = (backlog.received ?? []).filter((entry) => entry.state === 'new');
  const sections = groupTasks(tasks, 'category').map((group) => formatCategory(group, tasks));
  if (sections.length === 0) sections.push('_(no tasks)_\n');
  if (received.length > 0) {
    const items = received.map(({ from, body, reason }) => {
      return `- ${oneLine(from)}: ${oneLine(firstLine(body))} (${oneLine(reason)})`;
    });
    sections.push(`## Received\n\n${items.join('\n')}\n`);
  }
  return sections.join('\n');
}

function formatCategory({ name, tasks }: TaskGroup<Task>, all: readonly Task[]): string {
  const titles = new Map(all.map((task) => [task.id, task.title]));
  const rows = tasks.map((task) => {
    const dependencies = (task.dependencies ?? []).map((id) => linkTask(id, titles.get(id)));
    return [linkTask(task.id, task.title), task.status, dependencies.join(', ') || '—'];
  });
  const table = formatMarkdownTable(['title', 'status', 'deps'], rows);
  return `## ${oneLine(name)}\n\n${table}\n\n${tasks.map(formatTask).join('\n')}`;
}

/** An id that no task of the backlog has stands as it is. */
function linkTask(id: string, title: string | undefined): string {
  return title === undefined ? oneLine(id) : blockLink(id, oneLine(title) || id);
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
