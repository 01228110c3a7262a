import { dependencyCycle, dependencyCycleThrough, type Task } from '../model/backlog.ts';
import { planFiles } from '../model/plan.ts';
import type { PlanValues, Proposal, Verdict } from '../model/verdict.ts';
import { recordsOf, textOf, textsOf, verdictOf } from './records.ts';

/** No dependency is new that names no task, names its own task, or closes a circle. */
export function judgeDependencies(proposal: Proposal): Verdict {
  const before = tasksOf(proposal.baseValues);
  const after = tasksOf(proposal.proposedValues);
  const known = new Set(violations(before));
  const findings = violations(after).filter((violation) => !known.has(violation));
  return verdictOf('A dependency names no task, or is part of a cycle.', [...findings, ...newCycles(before, after)]);
}

function tasksOf(values: PlanValues): readonly Task[] {
  return recordsOf(values, planFiles.backlog, 'tasks').map((record) => ({
    id: record.id,
    title: textOf(record['title']),
    category: textOf(record['category']),
    status: 'not_started',
    dependencies: [...textsOf(record['dependencies'])],
  }));
}

function violations(tasks: readonly Task[]): string[] {
  const ids = new Set(tasks.map(({ id }) => id));
  return tasks.flatMap(({ id, dependencies }) =>
    [...new Set(dependencies ?? [])].flatMap((dependency) => {
      if (dependency === id) return [`The task "${id}" depends on itself.`];
      return ids.has(dependency) ? [] : [`The task "${id}" depends on "${dependency}", which is not a task.`];
    }),
  );
}

/** A cycle is new when one of its edges is. Most proposals have none at all, which is settled first. */
function newCycles(before: readonly Task[], after: readonly Task[]): string[] {
  if (dependencyCycle(withoutSelf(after)) === undefined) return [];
  const old = new Map(before.map(({ id, dependencies }) => [id, new Set(dependencies)]));
  const found = new Map<string, string>();
  for (const task of after) {
    for (const dependency of task.dependencies ?? []) {
      if (dependency === task.id || old.get(task.id)?.has(dependency) === true) continue;
      const cycle = cycleOverEdge(after, task.id, dependency);
      if (cycle === undefined) continue;
      const key = cycle.slice(1).sort().join('\n');
      if (!found.has(key)) found.set(key, `The dependencies form a cycle: ${cycle.join(' → ')}.`);
    }
  }
  return [...found.values()];
}

function cycleOverEdge(tasks: readonly Task[], from: string, to: string): string[] | undefined {
  const narrowed = tasks.map((task) => (task.id === from ? { ...task, dependencies: [to] } : task));
  return dependencyCycleThrough(narrowed, from);
}

function withoutSelf(tasks: readonly Task[]): readonly Task[] {
  return tasks.map((task) => ({ ...task, dependencies: (task.dependencies ?? []).filter((id) => id !== task.id) }));
}
