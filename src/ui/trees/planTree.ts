import { defined } from '../../base/defined.ts';
import { isRecord } from '../../base/json.ts';
import type { QualifiedId } from '../../model/id.ts';
import { type Phase, phases } from '../../model/phase.ts';
import type { PlanNode, PlanOutline } from '../planOutline.ts';
import { isProjectRoot, type PlanRowState, type PlanSurroundings, planRow, planState } from './planRows.ts';
import { joinParts, type TreeRow } from './treeRow.ts';

/** Which plans a tree shows; those above them are shown as well. */
export interface TreeFilter {
  /** Stands in the id or the description, in whatever case. */
  readonly text?: string | undefined;
  readonly phase?: Phase | undefined;
  readonly state?: FilteredState | undefined;
}

export const filteredStates = ['running', 'waiting', 'faulted', 'ready'] as const;
export type FilteredState = (typeof filteredStates)[number];

export const treeOrders = ['name', 'attention'] as const;
export type TreeOrder = (typeof treeOrders)[number];

/** What a person chose for the view. */
export interface TreeChoice {
  readonly filter: TreeFilter;
  readonly order: TreeOrder;
}

/** What a view remembered of an earlier window, as far as it still means something. */
export function toTreeChoice(stored: unknown): TreeChoice {
  const { filter, order } = isRecord(stored) ? stored : {};
  const { text, phase, state } = isRecord(filter) ? filter : {};
  const knownPhase = phases.find((known) => known === phase);
  const knownState = filteredStates.find((known) => known === state);
  return {
    order: treeOrders.find((known) => known === order) ?? 'name',
    filter: {
      ...(typeof text === 'string' && text !== '' && { text }),
      ...defined({ phase: knownPhase, state: knownState }),
    },
  };
}

/** The filter in words; undefined if everything is shown. */
export function describeFilter({ text, phase, state }: TreeFilter): string | undefined {
  const words = joinParts([text !== undefined && `“${text}”`, phase, state], ', ');
  return words === '' ? undefined : words;
}

/** A tree as it is shown: children in order, without what the filter leaves out. */
export interface PlanTree {
  /** Undefined while everything is shown. */
  readonly visible: ReadonlySet<QualifiedId> | undefined;
  readonly matches: number;
  roots(): readonly QualifiedId[];
  childrenOf(plan: QualifiedId): readonly QualifiedId[];
  parentOf(plan: QualifiedId): QualifiedId | undefined;
  /** Whether what is below it is shown from the beginning: projects if there are few, and all that a filter found. */
  isOpen(plan: QualifiedId): boolean;
  rowOf(plan: QualifiedId): TreeRow | undefined;
}

/** With more projects than these each is closed at first; so is what a filter found if it is more than a look takes. */
const projectsOpen = 3;
const foundOpen = 300;

export function planTree(
  outline: PlanOutline,
  { filter, order }: TreeChoice,
  surroundings: PlanSurroundings,
): PlanTree {
  const found = describeFilter(filter) === undefined ? undefined : findVisible(outline, filter, surroundings);
  const visible = found?.visible;
  const isShown = (plan: QualifiedId) => visible === undefined || visible.has(plan);
  const arrange = (plans: readonly QualifiedId[]) => {
    const shown = visible === undefined ? plans : plans.filter(isShown);
    return order === 'name' ? shown : byAttention(shown, outline, surroundings);
  };
  return {
    visible,
    matches: found?.matches ?? outline.nodes.size,
    roots: () => arrange([...outline.projects.values()].flat()),
    childrenOf: (plan) => arrange(outline.nodes.get(plan)?.children ?? []),
    parentOf: (plan) => outline.nodes.get(plan)?.parent,
    isOpen: (plan) =>
      visible === undefined
        ? outline.nodes.get(plan)?.parent === undefined && outline.projects.size <= projectsOpen
        : visible.size <= foundOpen,
    rowOf(plan) {
      const node = outline.nodes.get(plan);
      if (node === undefined || !isShown(plan)) return undefined;
      const row = planRow(node, surroundings, isProjectRoot(plan) ? statesBelow(outline, node, surroundings) : []);
      // The editor remembers by its id whether a row stands open; what a filter finds is to stand open in any case.
      return visible === undefined ? row : { ...row, id: `found:${row.id}` };
    },
  };
}

function findVisible(outline: PlanOutline, filter: TreeFilter, surroundings: PlanSurroundings) {
  const visible = new Set<QualifiedId>();
  let matches = 0;
  for (const node of outline.nodes.values()) {
    if (!fits(node, filter, surroundings)) continue;
    matches += 1;
    for (let at: PlanNode | undefined = node; at !== undefined && !visible.has(at.plan); ) {
      visible.add(at.plan);
      at = at.parent === undefined ? undefined : outline.nodes.get(at.parent);
    }
  }
  return { visible, matches };
}

function fits(node: PlanNode, { text, phase, state }: TreeFilter, surroundings: PlanSurroundings): boolean {
  return (
    (phase === undefined || node.phase === phase) &&
    (text === undefined || holds(`${node.plan}\n${node.description}`, text)) &&
    (state === undefined || fitting[state].has(planState(node, surroundings)))
  );
}

const fitting: Readonly<Record<FilteredState, ReadonlySet<PlanRowState>>> = {
  running: new Set(['running', 'by hand', 'unowned', 'queued', 'asks you']),
  waiting: new Set(['asks you', 'interrupted', 'paused', 'unowned', 'by hand']),
  faulted: new Set(['faulted']),
  ready: new Set(['ready']),
};

function holds(where: string, text: string): boolean {
  return where.toLocaleLowerCase('en').includes(text.toLocaleLowerCase('en'));
}

/** What needs a person first, then what moves, then what could. */
const ranks: Readonly<Record<PlanRowState, number>> = {
  'asks you': 0,
  interrupted: 1,
  faulted: 2,
  unowned: 3,
  paused: 4,
  'by hand': 5,
  running: 6,
  queued: 7,
  ready: 8,
  idle: 9,
  unread: 10,
};

function byAttention(
  plans: readonly QualifiedId[],
  outline: PlanOutline,
  surroundings: PlanSurroundings,
): readonly QualifiedId[] {
  const ranked = plans.map((plan) => ({ plan, rank: rankOf(outline, plan, surroundings) }));
  // Sorting keeps the order of names within a rank.
  return ranked.sort((a, b) => a.rank - b.rank).map(({ plan }) => plan);
}

/** A plan stands where the most urgent one below it would. */
function rankOf(outline: PlanOutline, plan: QualifiedId, surroundings: PlanSurroundings): number {
  const node = outline.nodes.get(plan);
  if (node === undefined) return ranks.unread;
  const below = statesBelow(outline, node, surroundings).map((state) => ranks[state]);
  return below.reduce((least, rank) => Math.min(least, rank), ranks[planState(node, surroundings)]);
}

function statesBelow(outline: PlanOutline, { children }: PlanNode, surroundings: PlanSurroundings): PlanRowState[] {
  const states: PlanRowState[] = [];
  const pending = [...children];
  for (let plan = pending.pop(); plan !== undefined; plan = pending.pop()) {
    const node = outline.nodes.get(plan);
    if (node === undefined) continue;
    states.push(planState(node, surroundings));
    pending.push(...node.children);
  }
  return states;
}
