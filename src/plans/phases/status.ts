import { defined } from '../../base/defined.ts';
import { bestReadyTask } from '../../model/backlog.ts';
import type { QualifiedId } from '../../model/id.ts';
import { countWords } from '../../model/memory.ts';
import { isReasoningPhase } from '../../model/phase.ts';
import type { PlanRow, PlanStatus } from '../../model/requests/plans.ts';
import { overviewOf, type PlanOverview, readRunState, toOverview } from '../../vault/planOverview.ts';
import { loadPlan } from '../../vault/planStore.ts';
import type { Running, RunState } from '../../vault/runState.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { pausedRunOf } from './cycleRun.ts';

/** One row of the list of plans, from its files; faults are part of the row and never hide the others. */
export async function loadPlanRow(ports: VaultPorts, location: PlanLocation): Promise<PlanRow> {
  return toRow(location.id, await overviewOf(ports, location));
}

export async function planStatus(
  ports: VaultPorts,
  location: PlanLocation,
  plans: readonly PlanLocation[] = [],
): Promise<PlanStatus> {
  const plan = await loadPlan(ports.disk, location);
  const read = await readRunState(ports, location);
  const { state } = read;
  const next = bestReadyTask(plan.backlog ?? {});
  const { interrupted, last, waiting } = state;
  return {
    ...toRow(location.id, { ...toOverview(plan), ran: read }),
    directory: location.directory,
    project: location.projectDirectory,
    children: plans.filter(({ parent }) => parent === location.id).map(({ id }) => id),
    memoryEntries: plan.memory?.entries?.length ?? 0,
    memoryWords: countWords(plan.memory ?? {}),
    ...defined({ lastEnd: last }),
    ...(interrupted !== undefined && {
      interrupted: {
        phase: interrupted.phase,
        session: interrupted.session,
        reason: interrupted.reason,
        directory: interruptedDirectory(ports, location, interrupted),
        ...(interrupted.answered === true && { answered: true as const }),
      },
    }),
    ...(waiting !== undefined && {
      question: {
        phase: waiting.phase,
        kind: waiting.kind,
        reason: waiting.reason,
        approval: waiting.approval,
        file: ports.layout.approval(waiting.approval),
      },
    }),
    ...(next !== undefined && { nextTask: { id: next.id, title: next.title } }),
  };
}

function interruptedDirectory(
  ports: VaultPorts,
  location: PlanLocation,
  { phase, session }: NonNullable<RunState['interrupted']>,
): string {
  return isReasoningPhase(phase)
    ? ports.layout.interruptedOf(location.id, phase, session)
    : ports.layout.session(session);
}

export function toRow(plan: QualifiedId, { ran, faults, next: _next, ...seen }: PlanOverview): PlanRow {
  const { running, waiting, interrupted } = ran?.state ?? {};
  const waits = waiting?.reason ?? interrupted?.reason;
  const paused = ran === undefined ? undefined : pausedRunOf(ran.state);
  return {
    plan,
    ...seen,
    faults: [...faults, ...(ran?.faults ?? [])],
    ...(running !== undefined && { running: runningOf(running) }),
    ...defined({ waiting: waits }),
    ...(waiting === undefined && interrupted?.answered === true && { answered: true }),
    ...defined({ paused }),
  };
}

function runningOf({ session, phase, task, harness, confinement }: Running): NonNullable<PlanRow['running']> {
  return {
    ...{ session, phase },
    ...defined({ task }),
    ...(harness === 'person' && { manual: true }),
    ...defined({ confinement }),
  };
}
