import { defined } from '../base/defined.ts';
import type { PhaseEnd, RavelEvent } from './event.ts';
import type { Ulid } from './id.ts';
import { isCodePhase, type Phase } from './phase.ts';
import type { PhaseRecord, RollbackRecord } from './phaseRecord.ts';
import { isConsultation } from './sessionPurpose.ts';
import type { Usage } from './usage.ts';

/** The phases from work to the commit of triage, tries that did not end well included; oldest first. */
export interface Cycle {
  /** From 1, which is the plan's first. */
  readonly cycle: number;
  /** Whether its triage was committed. */
  readonly isComplete: boolean;
  readonly phases: readonly PhaseRecord[];
  /** Absent if the plan was never put back in it, nor between it and the next one. */
  readonly rollbacks?: readonly RollbackRecord[];
}

/** A line of a plan's history. */
export type HistoryRecord = PhaseRecord | RollbackRecord;

export function isRollback(record: HistoryRecord): record is RollbackRecord {
  return 'rollback' in record;
}

/** The history in cycles, oldest first. */
export function cyclesOf(records: readonly HistoryRecord[]): Cycle[] {
  const cycles: { cycle: number; isComplete: boolean; phases: PhaseRecord[]; rollbacks?: RollbackRecord[] }[] = [];
  for (const record of records) {
    const last = cycles.at(-1);
    if (isRollback(record)) {
      const { cycle, isAfterCycle } = record;
      if (last === undefined) cycles.push({ cycle, isComplete: isAfterCycle, phases: [], rollbacks: [record] });
      else last.rollbacks = [...(last.rollbacks ?? []), record];
      continue;
    }
    const current =
      last === undefined || last.isComplete
        ? { cycle: record.cycle ?? (last?.cycle ?? 0) + 1, isComplete: false, phases: [] }
        : last;
    if (current !== last) cycles.push(current);
    current.phases.push(record);
    current.isComplete = endsCycle(record);
  }
  return cycles;
}

/** All that happened in a cycle, oldest first. */
export function recordsOfCycle({ phases: own, rollbacks = [] }: Cycle): readonly HistoryRecord[] {
  // Of the same second, the phase was first: a plan is put back only between phases.
  return [...own, ...rollbacks].sort((a, b) => (a.endedAt < b.endedAt ? -1 : a.endedAt > b.endedAt ? 1 : 0));
}

/** The cycle that the phase after this one belongs to. */
export function cycleAfter(last: Cycle | undefined): number {
  return last === undefined ? 1 : last.cycle + Number(last.isComplete);
}

function endsCycle({ phase, end }: PhaseRecord): boolean {
  return phase === 'git-commit-triage' && end === 'finished';
}

/** What is known of a phase while it runs. */
export interface OpenPhase extends Partial<Omit<PhaseRecord, 'phase' | 'session'>> {
  readonly phase: Phase;
  readonly session: Ulid | undefined;
}

/** What an event adds to the phase that runs; undefined if none does. */
export function foldPhase(open: OpenPhase | undefined, event: RavelEvent): OpenPhase | undefined {
  switch (event.type) {
    case 'phase.started':
      return {
        phase: event.phase,
        session: event.session,
        startedAt: event.at,
        ...defined({ harness: event.harness, task: event.task }),
      };
    case 'session.started': {
      const { phase, session, harness, confinement } = event;
      // A consultation is not a phase, and one can run beside a phase of the plan.
      if (isConsultation(phase)) return open;
      const known = { harness, ...defined({ confinement: confinement?.state }) };
      return open?.session === session ? { ...open, ...known } : { phase, session, ...known };
    }
    case 'session.output':
      return open?.session === event.session && event.output.kind === 'ready'
        ? { ...open, model: event.output.model }
        : open;
    case 'session.ended':
      if (open?.session !== event.session) return open;
      return { ...open, durationMs: event.durationMs, ...defined({ usage: event.usage }) };
    case 'commit.made': {
      if (open === undefined) return open;
      const made = { commit: event.commit, title: event.title, files: event.paths.length };
      return { ...open, commits: [...(open.commits ?? []), made] };
    }
    case 'gate.judged': {
      if (open?.session !== event.session || (event.outcome !== 'reject' && event.outcome !== 'redirect')) return open;
      const { gate } = event;
      return { ...open, refusals: { ...open.refusals, [gate]: (open.refusals?.[gate] ?? 0) + 1 } };
    }
    default:
      return open;
  }
}

/** The line of the history for a phase that ended; undefined for one without a session. */
export function closePhase(
  open: OpenPhase | undefined,
  event: Extract<RavelEvent, { readonly type: 'phase.ended' }>,
): PhaseRecord | undefined {
  const { phase, session, end, summary, at } = event;
  if (session === undefined) return undefined;
  const known = open?.phase === phase && open.session === session ? open : undefined;
  const durationMs = known?.durationMs ?? elapsedMs(known?.startedAt, at, phase);
  return { ...known, phase, session, end, summary, endedAt: at, ...defined({ durationMs }) };
}

/** A code phase has no session that says how long it took. */
function elapsedMs(startedAt: string | undefined, endedAt: string, phase: Phase): number | undefined {
  if (startedAt === undefined || !isCodePhase(phase)) return undefined;
  return Math.max(0, Date.parse(endedAt) - Date.parse(startedAt));
}

/** The line of the history for a rollback; undefined for another change of a plan. */
export function rollbackRecord(
  event: Extract<RavelEvent, { readonly type: 'plan.changed' }>,
  last: Cycle | undefined,
): RollbackRecord | undefined {
  const { rollback, files = [], at } = event;
  if (rollback === undefined) return undefined;
  const { to, by, commits } = rollback;
  return {
    ...{ rollback: to, by, commits: [...commits], files: [...files], endedAt: at },
    ...{ cycle: last?.cycle ?? 1, isAfterCycle: last?.isComplete ?? false },
  };
}

/** All tokens of a session, whatever they cost. */
export function tokensIn(
  usage: Pick<Usage, 'inputTokens' | 'outputTokens' | 'cacheReadTokens' | 'cacheWriteTokens'>,
): number {
  return usage.inputTokens + usage.outputTokens + usage.cacheReadTokens + usage.cacheWriteTokens;
}

export interface PhaseSums {
  readonly tokens: number;
  /** Known costs. */
  readonly usd: number;
  readonly durationMs: number;
  readonly commits: number;
}

export function sumPhases(records: readonly PhaseRecord[]): PhaseSums {
  return records.reduce(
    (sum, { usage, usd = 0, durationMs = 0, commits = [] }) => ({
      tokens: sum.tokens + (usage === undefined ? 0 : tokensIn(usage)),
      usd: sum.usd + usd,
      durationMs: sum.durationMs + durationMs,
      commits: sum.commits + commits.length,
    }),
    { tokens: 0, usd: 0, durationMs: 0, commits: 0 },
  );
}

/** How a cycle stands: complete, or by the end of its last phase. */
export function cycleEnd({ isComplete, phases: records }: Cycle): 'complete' | PhaseEnd {
  return isComplete ? 'complete' : (records.at(-1)?.end ?? 'finished');
}
