import { defined } from '../base/defined.ts';
import type { ReadingDisk } from '../base/disk.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { type BacklogCounts, countBacklog } from '../model/backlog.ts';
import { type CandidateTask, candidateTasks } from '../model/nextTasks.ts';
import type { Phase } from '../model/phase.ts';
import { overviewFiles, planFiles } from '../model/plan.ts';
import type { VaultLayout } from './layout.ts';
import { type LoadedPlan, type PlanPlace, parsePlan, readPlanFiles } from './planStore.ts';
import { loadRunState, type RunState, runStateSchema } from './runState.ts';

/** What the tree of plans is made of, besides their ids. */
export interface OutlineEntry {
  /** Empty if the plan's state cannot be read. */
  readonly description: string;
  /** Absent if `phase.md` cannot be read. */
  readonly phase?: Phase;
}

/** What a row of the list is made of: the files that it needs, and no more. */
export interface PlanOverview extends OutlineEntry {
  readonly counts: BacklogCounts;
  /** What work could take now, the first of it. */
  readonly next: readonly CandidateTask[];
  /** Faults of these files never hide what could be read. */
  readonly faults: readonly Diagnostic[];
  /** Whether the plan's state holds a policy, good or not. */
  readonly hasPolicy?: true;
  /** Absent if the plan never ran. */
  readonly ran?: ReadRunState;
}

export interface ReadRunState {
  readonly state: RunState;
  readonly faults: readonly Diagnostic[];
}

interface OverviewPorts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
}

const outlineFiles = [planFiles.marker, planFiles.phase] as const;

export async function outlineOf(disk: ReadingDisk, plan: PlanPlace): Promise<OutlineEntry> {
  return toOutline(parsePlan(await readPlanFiles(disk, plan, outlineFiles), plan, outlineFiles));
}

/** `hasRunState` is false if the caller knows that the plan never ran, which saves the look. */
export async function overviewOf(ports: OverviewPorts, plan: PlanPlace, hasRunState = true): Promise<PlanOverview> {
  const loaded = parsePlan(await readPlanFiles(ports.disk, plan, overviewFiles), plan, overviewFiles);
  return { ...toOverview(loaded), ...(hasRunState && { ran: await readRunState(ports, plan) }) };
}

/** The overview of a plan that was loaded; its run state is left to the caller. */
export function toOverview(plan: LoadedPlan): PlanOverview {
  const faults = plan.diagnostics.filter((problem) => problem.severity === 'error');
  const backlog = plan.backlog ?? {};
  return {
    ...toOutline(plan),
    ...{ counts: countBacklog(backlog), next: candidateTasks(backlog), faults },
    ...(plan.state?.['policy'] != null && { hasPolicy: true }),
  };
}

/** A run state that cannot be read is a fault of its plan, and hides neither the plan nor the others. */
export async function readRunState(
  { disk, layout }: OverviewPorts,
  { id }: Pick<PlanPlace, 'id'>,
): Promise<ReadRunState> {
  try {
    return { state: await loadRunState({ disk, layout }, id), faults: [] };
  } catch (error) {
    if (!isRavelError(error)) throw error;
    return { state: runStateSchema.parse({}), faults: [error.diagnostic] };
  }
}

function toOutline({ state, phase }: LoadedPlan): OutlineEntry {
  return { description: state?.description ?? '', ...defined({ phase }) };
}
