import type { QualifiedId } from '../model/id.ts';
import { type PlanProposal, type ProposedPlan, samePlan } from '../model/planProposal.ts';
import { draftProposal, foldTitle } from './draftProposal.ts';

/**
 * The part of a proposal that a person names: a plan by its slug, for all of it, or a task by its id or title; `plan/task`
 * tells equal tasks of two plans apart. Names that fit nothing come back.
 */
export function chooseParts(
  under: QualifiedId,
  proposal: PlanProposal,
  only: readonly string[],
): { readonly proposal: PlanProposal; readonly unknown: readonly string[] } {
  const drafts = draftProposal(under, proposal, []);
  const named = new Set<string>();
  // A name of a plan means that plan, also where a task elsewhere is called the same.
  const isPlan = (name: string) => proposal.plans.some((plan) => fitsPlan(plan, under, name));
  const places = proposal.plans.map((plan, at) => {
    const ids = new Map(drafts[at]?.tasks.map(({ id, title }) => [foldTitle(title), id]));
    const isWhole = only.some((name) => fitsPlan(plan, under, name) && named.add(name));
    const tasks = (plan.tasks ?? []).filter((task) =>
      only.some(
        (name) =>
          !isPlan(name) && fitsTask(plan, [task.title, ids.get(foldTitle(task.title)) ?? ''], name) && named.add(name),
      ),
    );
    return { plan, isWhole, tasks };
  });
  const chosen = places.flatMap(({ plan, isWhole, tasks }): ProposedPlan[] => {
    if (isWhole) return [plan];
    return tasks.length === 0 ? [] : [{ ...plan, tasks }];
  });
  return { proposal: { ...proposal, plans: chosen }, unknown: only.filter((name) => !named.has(name)) };
}

function fitsPlan({ slug }: ProposedPlan, under: QualifiedId, name: string): boolean {
  return name === slug || name === (slug === samePlan ? under : `${under}/${slug}`);
}

function fitsTask({ slug }: ProposedPlan, names: readonly string[], name: string): boolean {
  return names.some((one) => foldTitle(one) === foldTitle(name) || `${slug}/${one}` === name);
}
