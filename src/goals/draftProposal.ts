import { oneLine } from '../base/text.ts';
import type { Task } from '../model/backlog.ts';
import { allocateSlug, type QualifiedId } from '../model/id.ts';
import {
  type PlanDraft,
  type PlanProposal,
  type ProposedPlan,
  type ProposedTask,
  samePlan,
} from '../model/planProposal.ts';

const defaultCategory = 'task';

/**
 * The plans of a proposal as they would be made under a plan that has these tasks. A task of the plan itself that its
 * backlog already has, by the title, is left out: it stays as it is there. A dependency that names no task stays as it
 * was written. Ids that are `alsoTaken` are given to no task of that plan.
 */
export function draftProposal(
  under: QualifiedId,
  { plans }: Pick<PlanProposal, 'plans'>,
  there: readonly Task[],
  alsoTaken: readonly string[] = [],
): PlanDraft[] {
  return plans.map((plan) => {
    const isThere = plan.slug === samePlan;
    const { slug, description = '', memory = [] } = plan;
    const title = oneLine(plan.title ?? '') || (isThere ? under.slice(under.lastIndexOf('/') + 1) : slug);
    const ids = new Set<string>();
    return {
      id: (isThere ? under : `${under}/${slug}`) as QualifiedId,
      ...{ isThere, slug, title, description: description.trim() },
      tasks: draftTasks(plan, isThere ? there : [], isThere ? alsoTaken : []),
      memory: memory.map(({ title: said, body }) => {
        const id = allocateSlug(said, ids, 'entry');
        ids.add(id);
        return { id, title: oneLine(said), body: ended(body) };
      }),
    };
  });
}

/** What makes two titles the same for a reader. */
export function foldTitle(title: string): string {
  return oneLine(title).normalize('NFC').toLowerCase();
}

function draftTasks({ tasks = [] }: ProposedPlan, there: readonly Task[], alsoTaken: readonly string[]): Task[] {
  const byTitle = new Map(there.map(({ title, id }) => [foldTitle(title), id]));
  const taken = new Set([...there.map(({ id }) => id), ...alsoTaken]);
  const fresh = inOrder(tasks).filter(({ title }) => !byTitle.has(foldTitle(title)));
  const withIds = fresh.map((task) => {
    const id = allocateSlug(task.title, taken, 'task');
    taken.add(id);
    // Of two tasks with one title, which is refused, the first is meant.
    if (!byTitle.has(foldTitle(task.title))) byTitle.set(foldTitle(task.title), id);
    return { id, task };
  });
  const idOf = (named: string) => byTitle.get(foldTitle(named)) ?? named.trim();
  return withIds.map(({ id, task }) => ({
    ...{ id, title: oneLine(task.title), category: oneLine(task.category ?? '') || defaultCategory },
    status: 'not_started' as const,
    dependencies: [...new Set((task.dependencies ?? []).map(idOf))],
    description: descriptionOf(task),
  }));
}

/** Tasks with a number by their numbers, and each task without one right behind the one that it was written after. */
function inOrder(tasks: readonly ProposedTask[]): ProposedTask[] {
  let last = Number.NEGATIVE_INFINITY;
  return tasks
    .map((task, at) => {
      last = task.order ?? last;
      return { task, order: last, at };
    })
    .sort((one, other) => (one.order === other.order ? one.at - other.at : one.order - other.order))
    .map(({ task }) => task);
}

function descriptionOf({ description = '', done_when: doneWhen = '' }: ProposedTask): string {
  const parts = [description.trim(), doneWhen.trim() === '' ? '' : `Done when: ${doneWhen.trim()}`];
  const text = parts.filter((part) => part !== '').join('\n\n');
  return text === '' ? '' : ended(text);
}

function ended(text: string): string {
  return `${text.trimEnd()}\n`;
}
