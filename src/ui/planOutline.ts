import { defined } from '../base/defined.ts';
import { projectOf, type QualifiedId } from '../model/id.ts';
import type { Phase } from '../model/phase.ts';
import type { OutlineRow, PlanRow } from '../model/requests/plans.ts';

/** A plan as views show it. Until its row is read, only what the outline says is known. */
export interface PlanNode {
  readonly plan: QualifiedId;
  /** The nearest plan above. */
  readonly parent?: QualifiedId;
  readonly description: string;
  readonly phase?: Phase;
  /** The plans right below it, in order. */
  readonly children: readonly QualifiedId[];
  readonly row?: PlanRow;
  /** Why a run of it waits for its turn. */
  readonly queued?: string;
}

/** Every plan of a vault, by its place. */
export interface PlanOutline {
  readonly nodes: ReadonlyMap<QualifiedId, PlanNode>;
  /** Projects with the plans at their top, both in order. */
  readonly projects: ReadonlyMap<string, readonly QualifiedId[]>;
}

export const emptyOutline: PlanOutline = { nodes: new Map(), projects: new Map() };

/** The outline of these rows; what was known of a plan that is still there stays known. */
export function buildOutline(outline: readonly OutlineRow[], before: PlanOutline): PlanOutline {
  const children = new Map<QualifiedId, QualifiedId[]>();
  const projects = new Map<string, QualifiedId[]>();
  for (const { plan, parent } of outline) {
    if (parent === undefined) pushTo(projects, projectOf(plan), plan);
    else pushTo(children, parent, plan);
  }
  for (const plans of [...children.values(), ...projects.values()]) plans.sort(byName);
  const nodes = new Map<QualifiedId, PlanNode>();
  for (const row of outline) {
    const known = before.nodes.get(row.plan);
    nodes.set(row.plan, {
      ...row,
      children: children.get(row.plan) ?? [],
      ...defined({ row: known?.row, queued: known?.queued }),
    });
  }
  return { nodes, projects: new Map([...projects].sort(([a], [b]) => collator.compare(a, b))) };
}

/** The node with what its row says now. */
export function withRow(node: PlanNode, row: PlanRow): PlanNode {
  const { phase: _, ...rest } = node;
  return { ...rest, description: row.description, ...defined({ phase: row.phase }), row };
}

/** The node as it waits for its turn, or does so no longer. */
export function withQueue(node: PlanNode, queued: string | undefined): PlanNode {
  const { queued: _, ...rest } = node;
  return queued === undefined ? rest : { ...rest, queued };
}

/** The outline with what these rows say now. */
export function withRows(outline: PlanOutline, rows: readonly PlanRow[]): PlanOutline {
  if (rows.length === 0) return outline;
  const nodes = new Map(outline.nodes);
  for (const row of rows) {
    const node = nodes.get(row.plan);
    if (node !== undefined) nodes.set(row.plan, withRow(node, row));
  }
  return { ...outline, nodes };
}

/** The outline as these plans wait for their turn, or do so no longer. */
export function withQueues(outline: PlanOutline, queue: ReadonlyMap<QualifiedId, string | undefined>): PlanOutline {
  if (queue.size === 0) return outline;
  const nodes = new Map(outline.nodes);
  for (const [plan, reason] of queue) {
    const node = nodes.get(plan);
    if (node !== undefined) nodes.set(plan, withQueue(node, reason));
  }
  return { ...outline, nodes };
}

/** As a person reads numbers: `step-2` stands before `step-10`. */
const collator = new Intl.Collator('en', { numeric: true });

function byName(a: QualifiedId, b: QualifiedId): number {
  return collator.compare(a, b);
}

function pushTo<Key, Value>(lists: Map<Key, Value[]>, key: Key, value: Value): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
