import { expect, test } from 'vitest';
import { formatHistory } from '../../../src/cli/render/history.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import type { Ulid } from '../../../src/model/id.ts';
import type { PhaseRecord } from '../../../src/model/phaseRecord.ts';

const session = '01HZY0000000000000000000S1' as Ulid;
const record: PhaseRecord = {
  phase: 'work',
  session,
  end: 'failed',
  summary: 'It broke.',
  endedAt: '2026-01-02T03:04:05Z',
};
const usage = { inputTokens: 1200, outputTokens: 34, cacheReadTokens: 0, cacheWriteTokens: 0 };

test('the history of a plan that never ran says so', () => {
  expect(formatHistory({ cycles: [], total: 0 }, plainStyle, 120)).toEqual(['No phase of this plan has ended yet.']);
});

test('the history lists cycles oldest first, names each once, and leaves unknown values blank', () => {
  const done: PhaseRecord = { ...record, end: 'finished', summary: 'Done.', durationMs: 61_000, usage, usd: 0.5 };
  const memory = { given: 10, later: 2, read: 1, used: 4 };
  const confined: PhaseRecord = { ...done, confinement: 'confined', memory };
  const failed: PhaseRecord = { ...record, confinement: 'unconfined' };
  const commits = [{ commit: 'a1b2c3d4e5f6', title: 'Fix it', files: 1 }];
  const committed: PhaseRecord = { ...record, phase: 'git-commit-work', end: 'finished', summary: 'Done.', commits };
  const cycles = [
    { cycle: 5, isComplete: false, phases: [failed] },
    { cycle: 4, isComplete: true, phases: [{ ...confined, task: 'pay' }, committed] },
  ];
  const id = session.slice(-8);
  expect(formatHistory({ cycles, total: 5, next: 4 }, plainStyle, 130)).toEqual([
    'CYCLE  PHASE            END       SANDBOX     TIME  TOKENS  COST   MEMORY USED  ID        SUMMARY',
    '4      total            complete              1:01  1,234   $0.50                         task pay, 1 commit',
    `       work             finished  confined    1:01  1,234   $0.50  4 of 12      ${id}  Done.`,
    `       git-commit-work  finished                                                ${id}  Done.`,
    '         commit                                                                 a1b2c3d4  Fix it',
    '5      total            failed                0:00',
    `       work             failed    unconfined                                    ${id}  It broke.`,
    '3 older cycles not shown; --limit shows more.',
  ]);
});

test('columns that no phase fills are left out', () => {
  const cycles = [{ cycle: 1, isComplete: false, phases: [record] }];
  const [head] = formatHistory({ cycles, total: 1 }, plainStyle, 130);
  expect(head).toBe('CYCLE  PHASE  END     TIME  ID        SUMMARY');
});

test('a history without a cycle in the time that is asked for says so', () =>
  expect(formatHistory({ cycles: [], total: 5 }, plainStyle, 130)).toEqual([
    'No phase of this plan has ended since then.',
  ]));
