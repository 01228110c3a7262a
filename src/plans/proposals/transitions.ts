import type { Backlog, Task } from '../../model/backlog.ts';

/**
 * What changed in the backlog between two moments, by record id, one line each: made by code, so that no session has to
 * remember it.
 */
export function formatTransitions(before: Backlog | undefined, after: Backlog | undefined): string {
  if (before === undefined) return '(no backlog at the baseline)';
  const old = new Map((before.tasks ?? []).map((task) => [task.id, task]));
  const tasks = after?.tasks ?? [];
  const lines = tasks.flatMap((task) => {
    const was = old.get(task.id);
    return was === undefined ? [`+ ${task.id}: ${task.title}`] : changesOf(was, task);
  });
  const present = new Set(tasks.map((task) => task.id));
  for (const task of old.values()) if (!present.has(task.id)) lines.push(`- ${task.id}: ${task.title}`);
  return lines.length === 0 ? '(no change)' : lines.join('\n');
}

function changesOf(was: Task, is: Task): string[] {
  const changes: string[] = [];
  if (was.status !== is.status) changes.push(`${was.status} → ${is.status}`);
  if (was.title !== is.title) changes.push(`title "${was.title}" → "${is.title}"`);
  const results = textChange('results', was.results, is.results);
  const handoff = textChange('hand-off', was.handoff, is.handoff);
  const dependencies = [was.dependencies ?? [], is.dependencies ?? []].map((ids) => ids.join(', '));
  if (dependencies[0] !== dependencies[1]) changes.push(`dependencies [${dependencies[0]}] → [${dependencies[1]}]`);
  return [...changes, ...results, ...handoff].map((change) => `~ ${is.id}: ${change}`);
}

function textChange(name: string, was: string | null | undefined, is: string | null | undefined): string[] {
  const [before, after] = [was?.trim() ?? '', is?.trim() ?? ''];
  if (before === after) return [];
  if (after === '') return [`${name} removed`];
  const lines = after.split('\n').length;
  return [`${name} ${before === '' ? 'added' : 'changed'} (${lines} ${lines === 1 ? 'line' : 'lines'})`];
}
