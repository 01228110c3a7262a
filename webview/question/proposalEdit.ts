import type { PlanProposal, ProposedPlan, ProposedTask } from '../../src/model/planProposal.ts';

/** The slug that stands for the plan itself, as a proposal writes it. */
export const itself = '.';

/** One change of a proposal on its page; plans, tasks and entries of memory are named by their places, from 0. */
export type ProposalEdit =
  | {
      readonly kind: 'plan';
      readonly plan: number;
      readonly change: Partial<Pick<ProposedPlan, 'slug' | 'description'>>;
    }
  | { readonly kind: 'removePlan'; readonly plan: number }
  | { readonly kind: 'addPlan' }
  | { readonly kind: 'task'; readonly plan: number; readonly task: number; readonly change: Partial<ProposedTask> }
  | { readonly kind: 'removeTask'; readonly plan: number; readonly task: number }
  | { readonly kind: 'addTask'; readonly plan: number }
  /** One place up or down in its plan. */
  | { readonly kind: 'moveTask'; readonly plan: number; readonly task: number; readonly by: -1 | 1 }
  /** To the end of another plan, without its dependencies: they are titles of tasks of one plan. */
  | { readonly kind: 'giveTask'; readonly plan: number; readonly task: number; readonly to: number }
  | { readonly kind: 'removeMemory'; readonly plan: number; readonly memory: number }
  /** Without a text it is removed. */
  | { readonly kind: 'suggestion'; readonly suggestion: SuggestionName; readonly text?: string };

/** What a proposal can suggest beside its plans. */
export type SuggestionName = keyof NonNullable<PlanProposal['suggestions']>;

/** The proposal with its tasks in the order that it gives them, so that a list says all there is to say about it. */
export function inOrder(proposal: PlanProposal): PlanProposal {
  const plans = proposal.plans.map((plan) => ({ ...plan, tasks: sorted(plan.tasks ?? []) }));
  return { ...proposal, plans };
}

/** The proposal after an edit; one that does not fit leaves it as it is. */
export function editProposal(proposal: PlanProposal, edit: ProposalEdit): PlanProposal {
  if (edit.kind === 'addPlan') {
    return { ...proposal, plans: [...proposal.plans, { slug: '', description: '', tasks: [] }] };
  }
  if (edit.kind === 'suggestion') return suggest(proposal, edit.suggestion, edit.text);
  const { plans } = proposal;
  const plan = plans[edit.plan];
  if (plan === undefined) return proposal;
  if (edit.kind === 'removePlan') return { ...proposal, plans: plans.filter((_one, at) => at !== edit.plan) };
  if (edit.kind === 'giveTask') return giveTask(proposal, plan, edit);
  return withPlan(proposal, edit.plan, editPlan(plan, edit));
}

type PlanEdit = Exclude<ProposalEdit, { readonly kind: 'addPlan' | 'removePlan' | 'giveTask' | 'suggestion' }>;

function editPlan(plan: ProposedPlan, edit: PlanEdit): ProposedPlan {
  const tasks = plan.tasks ?? [];
  switch (edit.kind) {
    case 'plan':
      return { ...plan, ...edit.change };
    case 'addTask':
      return { ...plan, tasks: [...tasks, { title: '' }] };
    case 'task':
      return { ...plan, tasks: changeTask(tasks, edit.task, edit.change) };
    case 'removeTask':
      return { ...plan, tasks: removeTask(tasks, edit.task) };
    case 'moveTask':
      return { ...plan, tasks: swap(tasks, edit.task, edit.task + edit.by) };
    case 'removeMemory':
      return { ...plan, memory: (plan.memory ?? []).filter((_one, at) => at !== edit.memory) };
  }
}

function suggest(proposal: PlanProposal, name: SuggestionName, text: string | undefined): PlanProposal {
  const { [name]: _before, ...others } = proposal.suggestions ?? {};
  return { ...proposal, suggestions: text === undefined ? others : { ...others, [name]: text } };
}

/** Others depend on a task by its title, so they follow it to a new one. */
function changeTask(tasks: readonly ProposedTask[], at: number, change: Partial<ProposedTask>): ProposedTask[] {
  const before = tasks[at]?.title;
  const { title } = change;
  const follow = (name: string) => (name === before && title !== undefined ? title : name);
  return tasks.map((task, place) => {
    const changed = place === at ? { ...task, ...change } : task;
    if (place === at || title === undefined || changed.dependencies === undefined) return changed;
    return { ...changed, dependencies: changed.dependencies.map(follow) };
  });
}

function removeTask(tasks: readonly ProposedTask[], at: number): ProposedTask[] {
  const gone = tasks[at]?.title;
  return tasks
    .filter((_task, place) => place !== at)
    .map((task) =>
      task.dependencies === undefined
        ? task
        : { ...task, dependencies: task.dependencies.filter((title) => title !== gone) },
    );
}

function giveTask(
  proposal: PlanProposal,
  from: ProposedPlan,
  { plan, task: at, to }: { readonly plan: number; readonly task: number; readonly to: number },
): PlanProposal {
  const task = from.tasks?.[at];
  const target = proposal.plans[to];
  if (task === undefined || target === undefined || plan === to) return proposal;
  const without = withPlan(proposal, plan, { ...from, tasks: removeTask(from.tasks ?? [], at) });
  return withPlan(without, to, { ...target, tasks: [...(target.tasks ?? []), { ...task, dependencies: [] }] });
}

function withPlan(proposal: PlanProposal, at: number, plan: ProposedPlan): PlanProposal {
  return { ...proposal, plans: proposal.plans.map((one, place) => (place === at ? plan : one)) };
}

function swap(tasks: readonly ProposedTask[], from: number, to: number): ProposedTask[] {
  const [one, other] = [tasks[from], tasks[to]];
  if (one === undefined || other === undefined) return [...tasks];
  return tasks.map((task, at) => (at === from ? other : at === to ? one : task));
}

function sorted(tasks: readonly ProposedTask[]): ProposedTask[] {
  const places = tasks.map((task, at) => ({ task, at }));
  places.sort((a, b) => (a.task.order ?? a.at + 1) - (b.task.order ?? b.at + 1) || a.at - b.at);
  return places.map(({ task: { order: _order, ...task } }) => task);
}
