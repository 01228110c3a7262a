import type { ReasoningPhase } from './phase.ts';
import { type PlanFile, planFiles } from './plan.ts';

interface PhaseFiles {
  readonly reads: readonly PlanFile[];
  readonly writes: readonly PlanFile[];
}

const { backlog, memory, latestSession, commits, dispatches, queries } = planFiles;

/**
 * What each phase is given of the plan's files, and what it may change. None is given the session log: what a later
 * session needs is in the memory.
 */
const table: Readonly<Record<ReasoningPhase, PhaseFiles>> = {
  work: { reads: [backlog, memory], writes: [backlog, dispatches, queries] },
  'analyse-work': { reads: [backlog], writes: [backlog, latestSession, commits] },
  reflect: { reads: [latestSession, memory], writes: [memory, dispatches, queries] },
  dream: { reads: [memory], writes: [memory] },
  triage: { reads: [backlog, memory], writes: [backlog, memory, dispatches, queries] },
};

/** Files of the plan whose content a session of this phase is given. */
export function filesRead(phase: ReasoningPhase): readonly PlanFile[] {
  return table[phase].reads;
}

/** Files of the plan that a session of this phase may change, by verbs. */
export function filesWritten(phase: ReasoningPhase): readonly PlanFile[] {
  return table[phase].writes;
}

/** What the staged snapshot of a phase holds: everything it is given or may change, so that a merge has a base. */
export function filesStaged(phase: ReasoningPhase): readonly PlanFile[] {
  return [...new Set([...table[phase].reads, ...table[phase].writes])];
}
