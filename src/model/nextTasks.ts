import { beginning } from '../base/text.ts';
import { type Backlog, readyTasks, type Task } from './backlog.ts';
import { compareIds, type QualifiedId } from './id.ts';
import type { Phase } from './phase.ts';
import { localDay } from './spending.ts';

/** A task that work could take now, with what its place in the list of all plans depends on. */
export interface CandidateTask {
  readonly id: string;
  /** Of a very long one the beginning. */
  readonly title: string;
  /** Whether an earlier session began it. */
  readonly begun?: true;
  /** Tasks of the plan that are not done and wait for it, directly or through others. */
  readonly unblocks: number;
  /** When the message came that it was made of, in milliseconds. */
  readonly askedMs?: number;
}

/** A plan that can run, with its candidates in the order in which work takes them. */
export interface PlanCandidates {
  readonly plan: QualifiedId;
  readonly phase: Phase;
  readonly tasks: readonly CandidateTask[];
  /** When its last phase ended, in milliseconds; absent if none ever did. */
  readonly lastRanMs?: number;
}

/** A row of the list of all plans. */
export interface NextTask extends CandidateTask, Pick<PlanCandidates, 'plan' | 'phase' | 'lastRanMs'> {
  /** From 1: work of its plan takes it first. */
  readonly place: number;
}

/** The most candidates of one plan; the others come once these are done. */
export const candidatesMax = 10;
const titleLengthMax = 160;

/** What work would take first, in the order of `bestReadyTask`: tasks in progress, then ready ones, as the file has them. */
export function candidateTasks(backlog: Backlog): CandidateTask[] {
  const tasks = backlog.tasks ?? [];
  const begun = tasks.filter(({ status }) => status === 'in_progress');
  const first = [...begun, ...readyTasks(tasks)].slice(0, candidatesMax);
  if (first.length === 0) return [];
  const dependents = openDependents(tasks);
  const asked = askedTimes(backlog);
  return first.map(({ id, title, status }) => {
    const askedMs = asked.get(id);
    return {
      ...{ id, title: beginning(title, titleLengthMax) },
      ...(status === 'in_progress' && { begun: true as const }),
      unblocks: countBehind(id, dependents),
      ...(askedMs !== undefined && { askedMs }),
    };
  });
}

/**
 * The first `limit` candidates of all plans (docs/plans.md). In one plan the backlog has the order of priority, so the
 * first tasks of all plans come before the second ones. Among these: tasks that unblock more, then those that wait
 * longer, then by their ids.
 */
export function orderNext(plans: readonly PlanCandidates[], limit: number): NextTask[] {
  const ordered: NextTask[] = [];
  for (let at = 0; at < candidatesMax && ordered.length < limit; at++) {
    const rows = plans.flatMap(({ tasks, ...plan }): NextTask[] => {
      const task = tasks[at];
      return task === undefined ? [] : [{ ...task, ...plan, place: at + 1 }];
    });
    ordered.push(...rows.sort(compareNext).slice(0, limit - ordered.length));
  }
  return ordered;
}

/** Why it stands where it does, in a few words each. */
export function describeNext({ begun, place, phase, unblocks, askedMs, lastRanMs }: NextTask): string[] {
  const age =
    askedMs !== undefined
      ? `asked for on ${localDay(askedMs)}`
      : lastRanMs === undefined
        ? 'the plan never ran'
        : `the plan last ran on ${localDay(lastRanMs)}`;
  return [
    ...(begun === true ? ['in progress'] : []),
    ...(place > 1 ? [`${ordinal(place)} in its plan`] : []),
    ...(unblocks > 0 ? [`unblocks ${unblocks}`] : []),
    age,
    ...(phase === 'work' ? [] : [`${phase} comes first`]),
  ];
}

function ordinal(number: number): string {
  return `${number}${['th', 'st', 'nd', 'rd'][number] ?? 'th'}`;
}

function compareNext(a: NextTask, b: NextTask): number {
  const age = waitsSinceMs(a) - waitsSinceMs(b);
  return b.unblocks - a.unblocks || age || compareIds(a.plan, b.plan);
}

/** Since when it waits: since its message came, else since its plan last ran. A plan that never ran has waited longest. */
function waitsSinceMs({ askedMs, lastRanMs }: NextTask): number {
  return askedMs ?? lastRanMs ?? 0;
}

/** Of each task, those not done that name it as a dependency. */
function openDependents(tasks: readonly Task[]): ReadonlyMap<string, readonly string[]> {
  const dependents = new Map<string, string[]>();
  for (const { id, status, dependencies } of tasks) {
    if (status === 'done') continue;
    for (const dependency of dependencies ?? []) {
      const known = dependents.get(dependency);
      if (known === undefined) dependents.set(dependency, [id]);
      else known.push(id);
    }
  }
  return dependents;
}

/** Each task counts once, also on a cycle of dependencies, and never the task itself. */
function countBehind(id: string, dependents: ReadonlyMap<string, readonly string[]>): number {
  const reached = new Set([id]);
  // The set grows while it is walked.
  for (const current of reached) for (const dependent of dependents.get(current) ?? []) reached.add(dependent);
  return reached.size - 1;
}

function askedTimes({ received }: Backlog): ReadonlyMap<string, number> {
  const times = new Map<string, number>();
  for (const { task, at } of received ?? []) {
    const ms = Date.parse(at);
    if (task != null && Number.isFinite(ms)) times.set(task, ms);
  }
  return times;
}
