import { describe, expect, test } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import {
  closePhase,
  cycleAfter,
  cycleEnd,
  cyclesOf,
  foldPhase,
  type OpenPhase,
  recordsOfCycle,
  sumPhases,
} from '../../src/model/history.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { Phase } from '../../src/model/phase.ts';
import { type PhaseRecord, phaseRecordSchema, type RollbackRecord } from '../../src/model/phaseRecord.ts';
import type { Usage } from '../../src/model/usage.ts';

const actor = toQualifiedId('shop/project-root');
const session = '01HZY0000000000000000000S1' as Ulid;
const other = '01HZY0000000000000000000S2' as Ulid;
const at = '2026-01-02T03:04:05Z';
const later = '2026-01-02T03:05:05Z';
const usage: Usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 100, cacheWriteTokens: 1 };

function fold(events: readonly RavelEvent[]): OpenPhase | undefined {
  return events.reduce<OpenPhase | undefined>(foldPhase, undefined);
}

function ended(phase: Phase, of = session): Extract<RavelEvent, { type: 'phase.ended' }> {
  return { at: later, actor, type: 'phase.ended', phase, end: 'finished', next: 'work', session: of, summary: 'Done.' };
}

const started: RavelEvent = {
  at,
  actor,
  type: 'phase.started',
  phase: 'work',
  session,
  harness: 'scripted',
  task: 'a',
};
const ready: RavelEvent = {
  ...{ at, actor, type: 'session.output', session, seq: 1 },
  output: { kind: 'ready', model: 'opus', version: '1', tools: [] },
};
const over: RavelEvent = { at, actor, type: 'session.ended', session, end: 'exited', usage, durationMs: 1200 };

describe('the history record of a phase', () => {
  test('is built from the events of the phase', () => {
    expect(closePhase(fold([started, ready, over]), ended('work'))).toEqual({
      ...{ phase: 'work', session, end: 'finished', summary: 'Done.', startedAt: at, endedAt: later },
      ...{ harness: 'scripted', task: 'a', model: 'opus', usage, durationMs: 1200 },
    });
  });

  test.each([
    ['confined', { state: 'confined' }],
    ['unconfined', { state: 'unconfined', reason: 'bubblewrap is missing.' }],
    [undefined, undefined],
  ] as const)('says whether its session was confined: %s', (word, confinement) => {
    const began: RavelEvent = {
      ...{ at, actor, type: 'session.started', session, phase: 'work', harness: 'scripted' },
      ...{ givenBytes: 1, givenTokens: 1, reattached: false, ...(confinement !== undefined && { confinement }) },
    };
    expect(closePhase(fold([started, began, over]), ended('work'))?.confinement).toBe(word);
    expect(closePhase(fold([began, over]), ended('work'))?.confinement).toBe(word);
  });

  test('counts what each gate refused of its own session', () => {
    const judged = (gate: string, outcome: 'accept' | 'reject', of = session): RavelEvent => ({
      ...{ at, actor, type: 'gate.judged', session: of, gate, outcome },
    });
    const events = [judged('claims', 'reject'), judged('claims', 'reject'), judged('paths', 'accept')];
    const record = closePhase(fold([started, ...events, judged('paths', 'reject', other), over]), ended('work'));
    expect(record?.refusals).toEqual({ claims: 2 });
    expect(phaseRecordSchema.parse({ ...record, refusals: 'many' }).refusals).toBe(undefined);
  });

  test('counts the commits of a code phase and the time between its events', () => {
    const begun: RavelEvent = { at, actor, type: 'phase.started', phase: 'git-commit-work', session };
    const made: RavelEvent = {
      ...{ at, actor, type: 'commit.made', phase: 'git-commit-work' },
      ...{ commit: 'c0ffee', title: 'Add it', paths: ['a', 'b'] },
    };
    expect(closePhase(fold([begun, made]), ended('git-commit-work'))).toMatchObject({
      durationMs: 60_000,
      commits: [{ commit: 'c0ffee', title: 'Add it', files: 2 }],
    });
  });

  test('the history record of a phase of a reattached session takes its harness from the new start and has no start time', () => {
    const reattached: RavelEvent = {
      ...{ at, actor, type: 'session.started', session, phase: 'work', harness: 'claude-code' },
      ...{ givenBytes: 1, givenTokens: 1, reattached: true },
    };
    const record = closePhase(fold([reattached, over]), ended('work'));
    expect(record).toMatchObject({ harness: 'claude-code', durationMs: 1200 });
    expect(record?.startedAt).toBeUndefined();
  });

  test('ignores a session that answers a message during the phase', () => {
    const asked: RavelEvent = {
      ...{ at, actor, type: 'session.started', session: other, phase: 'answer', harness: 'scripted' },
      ...{ givenBytes: 1, givenTokens: 1, reattached: false },
    };
    const output = { kind: 'ready', model: 'another', version: '1', tools: [] } as const;
    const said: RavelEvent = { at, actor, type: 'session.output', session: other, seq: 1, output };
    const record = closePhase(fold([started, asked, said, over]), ended('work'));
    expect(record).toEqual(closePhase(fold([started, over]), ended('work')));
  });

  test('ignores events of another session', () => {
    expect(closePhase(fold([started, over]), ended('work', other))).toEqual({
      ...{ phase: 'work', session: other, end: 'finished', summary: 'Done.', endedAt: later },
    });
  });

  test('parses back to what was written', () => {
    const record = closePhase(fold([started, ready, over]), ended('work'));
    const line = JSON.parse(JSON.stringify({ ...record, usd: 1, basis: 'reported', memoryWords: 7 }));
    expect(phaseRecordSchema.parse(line)).toEqual(line);
  });
});

function recordOf(phase: Phase, end: PhaseRecord['end'] = 'finished'): PhaseRecord {
  return { phase, session, end, summary: '', endedAt: at };
}

describe('cycles', () => {
  test('end with the commit of triage, not with an attempt at it that waits', () => {
    const phases = [
      ...[recordOf('work', 'failed'), recordOf('work'), recordOf('git-commit-triage', 'waiting')],
      ...[recordOf('git-commit-triage'), recordOf('work')],
    ];
    const cycles = cyclesOf(phases);
    expect(cycles.map(({ cycle, isComplete, phases: own }) => [cycle, isComplete, own.length])).toEqual([
      [1, true, 4],
      [2, false, 1],
    ]);
    expect(cycles.map(cycleEnd)).toEqual(['complete', 'finished']);
  });

  test('have the rollbacks after them or in them, and the one that follows is counted on', () => {
    const put = (cycle: number, isAfterCycle: boolean, endedAt: string): RollbackRecord => ({
      ...{ rollback: 'c0ffee', cycle, isAfterCycle, endedAt, by: 'ada', files: ['memory.yaml'], commits: [] },
    });
    const between = put(1, true, '2026-01-03T00:00:00Z');
    const within = put(2, false, '2026-01-04T00:00:00Z');
    const next = { ...recordOf('work'), endedAt: '2026-01-05T00:00:00Z' };
    const cycles = cyclesOf([recordOf('work'), recordOf('git-commit-triage'), between, recordOf('work'), within, next]);
    expect(cycles).toMatchObject([
      { cycle: 1, isComplete: true, rollbacks: [between] },
      { cycle: 2, isComplete: false, rollbacks: [within] },
    ]);
    expect(cycles.flatMap(recordsOfCycle).map((one) => ('rollback' in one ? one.rollback : one.phase))).toEqual([
      ...['work', 'git-commit-triage', 'c0ffee'],
      ...['work', 'c0ffee', 'work'],
    ]);
    // A part of the history can begin with one, which says how the cycle before it stood.
    expect(cycleAfter(cyclesOf([put(4, true, at)]).at(-1))).toBe(5);
    expect(cyclesOf([put(4, true, at), recordOf('work')]).map(({ cycle }) => cycle)).toEqual([4, 5]);
    expect(cyclesOf([put(4, false, at), recordOf('work')]).map(({ cycle }) => cycle)).toEqual([4]);
  });

  test('sum the known tokens, dollars, durations and commits of their phases', () => {
    const commits = [{ commit: 'c0ffee', title: 'Add it', files: 1 }];
    const records = [
      { ...recordOf('work'), usage, usd: 0.5, durationMs: 10 },
      { ...recordOf('reflect'), commits },
    ];
    expect(sumPhases(records)).toEqual({ tokens: 116, usd: 0.5, durationMs: 10, commits: 1 });
  });
});
