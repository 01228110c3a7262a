import type { QualifiedId } from './id.ts';
import type { NextTask } from './nextTasks.ts';
import type { RunStop } from './requests/runs.ts';

/** How one cycle of a run over many plans ended; `refused`: it could not begin. */
export type NextOutcome = RunStop | 'refused';

export interface NextCycle {
  readonly plan: QualifiedId;
  /** Absent if the plan had phases of an earlier cycle left, which came first. */
  readonly task?: string;
  readonly outcome: NextOutcome;
  readonly reason: string;
  /** Known costs. */
  readonly usd: number;
}

/** Why nothing more was begun. */
export type NextRunEnd = 'nothing-ready' | 'cycles' | 'budget' | 'interrupted';

/** A task that is first again after this many cycles is left: something keeps it open. */
export const sameTaskMax = 3;

/** Whether a plan can take part in the run again after a cycle that ended so. */
function staysInRun(outcome: NextOutcome): boolean {
  return outcome === 'cycle-ended';
}

/** The first task of the list whose plan is free; undefined if there is none. */
export function pickNext(
  tasks: readonly NextTask[],
  running: ReadonlySet<QualifiedId>,
  done: readonly NextCycle[],
): NextTask | undefined {
  const left = new Set(done.filter(({ outcome }) => !staysInRun(outcome)).map(({ plan }) => plan));
  return tasks.find(
    ({ plan, id, place }) => place === 1 && !running.has(plan) && !left.has(plan) && !isStuck(plan, id),
  );

  function isStuck(plan: QualifiedId, id: string): boolean {
    return done.filter((cycle) => cycle.plan === plan && cycle.task === id).length >= sameTaskMax;
  }
}

/**
 * The exit code of a run over many plans: 1 if a plan failed, was interrupted or could not begin; else 5 if one needs a
 * person or was stopped elsewhere; else 4 if the budget is spent; else 0.
 */
export function exitOfNextRun(cycles: readonly NextCycle[], end: NextRunEnd): number {
  const has = (...outcomes: readonly NextOutcome[]) => cycles.some(({ outcome }) => outcomes.includes(outcome));
  if (has('failed', 'interrupted', 'refused')) return 1;
  if (has('waiting', 'stopped')) return 5;
  return end === 'budget' || has('budget') ? 4 : 0;
}
