import { defined } from '../base/defined.ts';
import { orderNext, type PlanCandidates } from '../model/nextTasks.ts';
import { isUnder } from '../model/planFilter.ts';
import { type LeftOutReason, leftOutReasons, type nextRequests } from '../model/requests/next.ts';
import type { PlanRow } from '../model/requests/plans.ts';
import { toRow } from '../plans/phases/status.ts';
import type { PlanOverview } from '../vault/planOverview.ts';
import type { PlanLocation } from '../vault/walk.ts';
import { actorsOfRows } from './actors.ts';
import type { HandlersOf } from './handlers.ts';

/** Tasks that are listed unless told. */
const tasksShown = 20;

export const nextHandlers: HandlersOf<typeof nextRequests> = {
  async next(context, { under, plans, limit = tasksShown }, signal) {
    const scan = await context.scanner.overviews(signal);
    context.directory.keep(scan);
    const named =
      plans && new Set(await Promise.all(plans.map(async (name) => (await context.directory.find(name)).id)));
    const isAsked = ({ id }: PlanLocation) =>
      (under === undefined || isUnder(id, under)) && (named === undefined || named.has(id));
    const seen = scan.seen.filter(({ plan }) => isAsked(plan));
    // Tells of a name that no plan has.
    if (under !== undefined && seen.length === 0) await context.directory.find(under);
    const withActor = await actorsOfRows(context);
    const leftOut: Record<LeftOutReason, number> = { faulted: 0, running: 0, waiting: 0, paused: 0 };
    const candidates: PlanCandidates[] = [];
    let possible = 0;
    for (const { plan, value } of seen) {
      const row = withActor(toRow(plan.id, value));
      const reason = leftOutReasons.find((one) => isLeftOut[one](row));
      if (reason !== undefined) {
        leftOut[reason] += 1;
        continue;
      }
      possible += row.counts.ready + row.counts.inProgress;
      if (value.next.length > 0 && row.phase !== undefined) candidates.push(candidatesOf(row, value, row.phase));
    }
    const tasks = orderNext(candidates, limit);
    return { tasks, more: possible - tasks.length, leftOut, plans: seen.length, diagnostics: scan.diagnostics };
  },
};

const isLeftOut: Readonly<Record<LeftOutReason, (row: PlanRow) => boolean>> = {
  faulted: ({ faults, phase, actor }) => faults.length > 0 || phase === undefined || actor?.state === 'faulted',
  running: ({ running, queued }) => running !== undefined || queued !== undefined,
  waiting: ({ waiting }) => waiting !== undefined,
  paused: ({ paused }) => paused !== undefined,
};

function candidatesOf({ plan }: PlanRow, { next, ran }: PlanOverview, phase: PlanCandidates['phase']): PlanCandidates {
  const endedMs = Date.parse(ran?.state.last?.at ?? '');
  return { plan, phase, tasks: next, ...defined({ lastRanMs: Number.isFinite(endedMs) ? endedMs : undefined }) };
}
