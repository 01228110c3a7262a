import type { Backlog } from '../../model/backlog.ts';
import type { Memory } from '../../model/memory.ts';

/** How two memories differ, in a title's words: "2 entries added, 1 changed". */
export function summariseMemory(before: Memory | undefined, after: Memory | undefined): string {
  const old = new Map((before?.entries ?? []).map((entry) => [entry.id, `${entry.title}\n${entry.body}`]));
  const entries = after?.entries ?? [];
  const kept = new Set(entries.map((entry) => entry.id));
  return joinCounts('entry', 'entries', {
    added: entries.filter((entry) => !old.has(entry.id)).length,
    changed: entries.filter((entry) => old.has(entry.id) && old.get(entry.id) !== `${entry.title}\n${entry.body}`)
      .length,
    removed: [...old.keys()].filter((id) => !kept.has(id)).length,
  });
}

/** The same of two backlogs: "1 task added, 2 changed". */
export function summariseBacklog(before: Backlog | undefined, after: Backlog | undefined): string {
  const old = new Map((before?.tasks ?? []).map((task) => [task.id, JSON.stringify(task)]));
  const tasks = after?.tasks ?? [];
  const kept = new Set(tasks.map((task) => task.id));
  return joinCounts('task', 'tasks', {
    added: tasks.filter((task) => !old.has(task.id)).length,
    changed: tasks.filter((task) => old.has(task.id) && old.get(task.id) !== JSON.stringify(task)).length,
    removed: [...old.keys()].filter((id) => !kept.has(id)).length,
  });
}

function joinCounts(one: string, many: string, counts: Readonly<Record<string, number>>): string {
  const named = Object.entries(counts).filter(([, count]) => count > 0);
  const [first, ...rest] = named;
  if (first === undefined) return 'no change';
  const [verb, count] = first;
  return [`${count} ${count === 1 ? one : many} ${verb}`, ...rest.map(([word, n]) => `${n} ${word}`)].join(', ');
}
