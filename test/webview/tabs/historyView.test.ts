import { expect, test } from 'vitest';
import type { Cycle } from '../../../src/model/history.ts';
import type { Ulid } from '../../../src/model/id.ts';
import type { PhaseRecord, RollbackRecord } from '../../../src/model/phaseRecord.ts';
import { chartMemory, chartMemoryUse, chartPhases, shortCount, viewCycle } from '../../../webview/tabs/historyView.ts';

function record(phase: PhaseRecord['phase'], more: Partial<PhaseRecord> = {}): PhaseRecord {
  const session = '01HZY0000000000000000000S1' as Ulid;
  return { phase, session, end: 'finished', summary: `did ${phase}`, endedAt: '2026-01-02T03:04:05Z', ...more };
}

const usage = { inputTokens: 10, outputTokens: 5, cacheReadTokens: 0, cacheWriteTokens: 0 };
const first: Cycle = {
  cycle: 1,
  isComplete: true,
  phases: [
    ...[record('work', { usage, usd: 1, end: 'failed' }), record('work', { usage, usd: 2, memoryWords: 40 })],
    ...[record('reflect', { usd: 0.5, memoryWords: 60 }), record('git-commit-triage')],
  ],
};
const second: Cycle = { cycle: 2, isComplete: false, phases: [record('work', { end: 'waiting', memoryWords: 55 })] };

test('a cycle shows its last work, its end and its sums', () => {
  expect(viewCycle(first)).toMatchObject({
    ...{ cycle: 1, word: 'complete', isGood: true, summary: 'did work' },
    sums: { tokens: 30, usd: 3.5 },
  });
  expect(viewCycle(first).phases.map(({ isSession, tokens }) => [isSession, tokens])).toEqual([
    ...[
      [true, 15],
      [true, 15],
      [true, undefined],
      [false, undefined],
    ],
  ]);
  expect(viewCycle(second)).toMatchObject({ word: 'needs your answer', isGood: false, summary: 'did work' });
});

test('a rollback is a row between the phases, and in none of the sums', () => {
  const put: RollbackRecord = {
    ...{ rollback: 'c0ffee', cycle: 1, isAfterCycle: true, endedAt: '2026-01-03T00:00:00Z' },
    ...{ by: 'ada', files: ['memory.yaml'], commits: [] },
  };
  const view = viewCycle({ ...first, rollbacks: [put] });
  expect(view.rows.at(-1)).toBe(put);
  expect(view).toMatchObject({ phases: viewCycle(first).phases, sums: viewCycle(first).sums });
});

test('a chart goes from oldest to newest, includes retries and leaves out phases without a value', () => {
  expect(chartPhases([second, first], 'usd')).toEqual({
    cycles: [1, 2],
    lines: [
      { label: 'work', values: [3, 0] },
      { label: 'reflect', values: [0.5, 0] },
    ],
  });
});

test('the memory chart shows the words at the end of each cycle beside the limit of the next dream', () => {
  expect(chartMemory([second, first, { cycle: 0, isComplete: true, phases: [record('work')] }], 100)).toEqual({
    cycles: [1, 2],
    lines: [
      { label: 'Words', values: [60, 55] },
      { label: 'A dream is due above', values: [100, 100] },
    ],
  });
});

test('the chart of memory use shows what the work of each cycle was given, later as well, and what it used', () => {
  const memory = { given: 10, later: 2, read: 1, used: 4 };
  const cycle = { cycle: 3, isComplete: true, phases: [{ ...record('work'), memory }, record('reflect')] };
  expect(chartMemoryUse([cycle, first])).toEqual({
    cycles: [3],
    lines: [
      { label: 'Given', values: [12] },
      { label: 'Used', values: [4] },
    ],
  });
});

test.each([
  [0, '0'],
  [9_999, '9,999'],
  [45_600, '45.6 k'],
  [20_000, '20 k'],
  [1_234_567, '1.2 M'],
])('shortCount(%i) is %s', (count, text) => expect(shortCount(count)).toBe(text));
