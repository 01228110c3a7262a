import { defined } from '../base/defined.ts';
import { compareIds, type QualifiedId } from './id.ts';
import type { Phase } from './phase.ts';
import type { PlanRow } from './requests/plans.ts';

/** What a row must be to be listed; of what is left out, nothing is asked. */
export interface PlanFilter {
  /** A plan, for it and those below it; or a project, for all of its plans. */
  readonly under?: string | undefined;
  readonly phase?: Phase | undefined;
  readonly running?: boolean | undefined;
  /** Whether it has a question for a person. */
  readonly waiting?: boolean | undefined;
  /** Whether its files, or its actor, have a fault. */
  readonly faulted?: boolean | undefined;
  /** Whether a task can be started. */
  readonly ready?: boolean | undefined;
  /** Stands in the id or the description, in whatever case. */
  readonly text?: string | undefined;
  /** Only plans behind this one, in the order of the list; it need not be there any more. */
  readonly after?: string | undefined;
  readonly limit?: number | undefined;
}

export interface FilteredPlans {
  readonly plans: readonly PlanRow[];
  /** How many fit, if these are not all of them. */
  readonly total?: number;
  /** What the next part comes after; absent if this is the last. */
  readonly next?: QualifiedId;
}

/** The rows that fit, each plan before those below it, cut into parts if that is asked. */
export function filterPlans(rows: readonly PlanRow[], filter: PlanFilter): FilteredPlans {
  const { after, limit = Number.POSITIVE_INFINITY } = filter;
  const fitting = rows.filter((row) => fits(row, filter)).sort((a, b) => compareIds(a.plan, b.plan));
  const behind = after === undefined ? fitting : fitting.filter(({ plan }) => compareIds(plan, after) > 0);
  const plans = behind.slice(0, limit);
  const next = plans.length < behind.length ? plans.at(-1)?.plan : undefined;
  return {
    plans,
    ...(plans.length < fitting.length && { total: fitting.length }),
    ...defined({ next }),
  };
}

/** Whether `under` is the plan, one above it, or its project. */
export function isUnder(plan: QualifiedId, under: string): boolean {
  return plan === under || plan.startsWith(`${under}/`);
}

function fits(row: PlanRow, { under, phase, running, waiting, faulted, ready, text }: PlanFilter): boolean {
  return (
    (under === undefined || isUnder(row.plan, under)) &&
    (phase === undefined || row.phase === phase) &&
    agrees(running, row.running !== undefined) &&
    agrees(waiting, row.waiting !== undefined) &&
    agrees(faulted, row.faults.length > 0 || row.actor?.state === 'faulted') &&
    agrees(ready, row.counts.ready > 0) &&
    (text === undefined || holds(`${row.plan}\n${row.description}`, text))
  );
}

function agrees(asked: boolean | undefined, is: boolean): boolean {
  return asked === undefined || asked === is;
}

function holds(where: string, text: string): boolean {
  return where.toLocaleLowerCase('en').includes(text.toLocaleLowerCase('en'));
}
