import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { bestReadyTask, countBacklog } from '../model/backlog.ts';
import { countWords } from '../model/memory.ts';
import { isReasoningPhase } from '../model/phase.ts';
import type { PlanRow, PlanStatus } from '../model/requests/plans.ts';
import { type LoadedPlan, loadPlan } from '../vault/planStore.ts';
import { loadRunState, type RunState, runStateSchema } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';
import type { PlanServices } from './services.ts';

type StatusPorts = Pick<PlanServices, 'disk' | 'layout'>;

/** One row of the list of plans, from its files; faults are part of the row and never hide the others. */
export async function planRow(ports: StatusPorts, location: PlanLocation): Promise<PlanRow> {
  const plan = await loadPlan(ports.disk, location);
  return toRow(location, plan, await readRunState(ports, location));
}

export async function planStatus(ports: StatusPorts, location: PlanLocation): Promise<PlanStatus> {
  const plan = await loadPlan(ports.disk, location);
  const read = await readRunState(ports, location);
  const { state } = read;
  const next = bestReadyTask(plan.backlog ?? {});
  const { interrupted, last, waiting } = state;
  return {
    ...toRow(location, plan, read),
    directory: location.directory,
    project: location.projectDirectory,
    memoryEntries: plan.memory?.entries?.length ?? 0,
    memoryWords: countWords(plan.memory ?? {}),
    ...(last !== undefined && { lastEnd: last }),
    ...(interrupted !== undefined && {
      interrupted: {
        phase: interrupted.phase,
        session: interrupted.session,
        reason: interrupted.reason,
        directory: interruptedDirectory(ports, location, interrupted),
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
  ports: StatusPorts,
  location: PlanLocation,
  { phase, session }: NonNullable<RunState['interrupted']>,
): string {
  return isReasoningPhase(phase)
    ? ports.layout.interruptedOf(location.id, phase, session)
    : ports.layout.session(session);
}

interface ReadRunState {
  readonly state: RunState;
  readonly faults: readonly Diagnostic[];
}

/** A run state that cannot be read is a fault of its plan, and hides neither the plan nor the others. */
async function readRunState(ports: StatusPorts, location: PlanLocation): Promise<ReadRunState> {
  try {
    return { state: await loadRunState(ports.disk, ports.layout, location.id), faults: [] };
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return { state: runStateSchema.parse({}), faults: [error.diagnostic] };
  }
}

function toRow(location: PlanLocation, plan: LoadedPlan, { state, faults }: ReadRunState): PlanRow {
  const { running, waiting, interrupted } = state;
  const waits = waiting?.reason ?? interrupted?.reason;
  return {
    plan: location.id,
    description: plan.state?.description ?? '',
    ...(plan.phase !== undefined && { phase: plan.phase }),
    counts: countBacklog(plan.backlog ?? {}),
    faults: [...plan.diagnostics.filter((problem) => problem.severity === 'error'), ...faults],
    ...(running !== undefined && { running: { session: running.session, phase: running.phase } }),
    ...(waits !== undefined && { waiting: waits }),
  };
}
