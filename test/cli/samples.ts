import type { RavelEvent } from '../../src/model/event.ts';
import { type QualifiedId, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { PlanRow, PlanStatus } from '../../src/model/requests/plans.ts';
import type { PhaseReport } from '../../src/model/requests/runs.ts';
import type { Usage } from '../../src/model/usage.ts';

export const samplePlan: QualifiedId = toQualifiedId('demo/project-root');
export const sampleSession = '01HZY0000000000000000000S1' as Ulid;

export const sampleUsage: Usage = {
  inputTokens: 2_000,
  outputTokens: 160,
  cacheReadTokens: 100,
  cacheWriteTokens: 0,
  costUsd: 0.013,
  costBasis: 'reported',
};

type Body<Event> = Event extends RavelEvent ? Omit<Event, 'at' | 'actor'> : never;

/** An event without its stamp and actor, which every sample shares. */
export function sampleEvent(body: Body<RavelEvent>): RavelEvent {
  return { at: '2026-01-02T03:04:05Z', actor: samplePlan, ...body } as RavelEvent;
}

export function sampleReport(changes: Partial<PhaseReport> = {}): PhaseReport {
  return {
    phase: 'work',
    session: sampleSession,
    end: 'finished',
    next: 'reflect',
    summary: 'The crash is fixed.\nA test shows it.',
    commits: [{ commit: 'a1b2c3d4e5f60718', title: 'Fix the crash' }],
    usage: sampleUsage,
    durationMs: 72_000,
    givenBytes: 12_345,
    ...changes,
  };
}

export function sampleRow(changes: Partial<PlanRow> = {}): PlanRow {
  return {
    plan: samplePlan,
    description: 'A parser, correct and small',
    phase: 'work',
    counts: { ready: 2, blocked: 1, inProgress: 0, done: 3, received: 0, handoffs: 0 },
    faults: [],
    ...changes,
  };
}

export function sampleStatus(changes: Partial<PlanStatus> = {}): PlanStatus {
  return {
    ...sampleRow(),
    directory: '/vault/projects/demo/project-root',
    project: '/code/demo',
    children: [],
    memoryEntries: 1,
    memoryWords: 1_234,
    nextTask: { id: 'fix-the-crash', title: 'Fix the crash' },
    ...changes,
  };
}
