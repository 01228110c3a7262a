import { describe, expect, test } from 'vitest';
import { formatLive, formatStepper } from '../../../src/cli/render/live.ts';
import { noProgress, type Progress } from '../../../src/cli/render/progress.ts';
import { plainStyle } from '../../../src/cli/render/style.ts';
import { sampleUsage } from '../samples.ts';

describe('the live rows', () => {
  function check(changes: Partial<Progress>, expected: readonly string[], columns = 120): void {
    const progress = { ...noProgress, phase: 'work' as const, startedMs: 1_000, ...changes };
    expect(formatLive(progress, { style: plainStyle, columns, nowMs: 66_000 }).slice(1)).toEqual(expected);
  }

  test('show how many plans are verified', () => {
    const format = { style: plainStyle, columns: 80, nowMs: 0 };
    const progress = { ...noProgress, verifying: { done: 1200, total: 10_000 } };
    expect(formatLive(progress, format)).toEqual(['  · 1,200 of 10,000 plans verified']);
  });

  test('are empty without a phase', () =>
    expect(formatLive(noProgress, { style: plainStyle, columns: 80, nowMs: 0 })).toEqual([]));
  test('say that the session is thinking while it has no call', () =>
    check({}, ['  · thinking …', '  1:05 · 0 calls']));
  test('say that a phase by hand is open', () => check({ manual: true }, ['  · open by hand …', '  1:05 · 0 calls']));
  test('say that a code phase is committing', () =>
    check({ phase: 'git-commit-work' }, ['  · committing …', '  1:05 · 0 calls']));
  test.each([
    [1, 'once'],
    [2, 'twice'],
    [3, '3 times'],
  ])('count refusals in words: %i is "refused %s"', (gatesRefused, words) =>
    check({ gatesRefused }, ['  · thinking …', `  1:05 · 0 calls · refused ${words}`]),
  );
  test('show the last of several calls, the usage and the refusals', () =>
    check(
      {
        calls: [
          { callId: '1', tool: 'Bash', input: { command: 'npm test' } },
          { callId: '2', tool: 'Read', input: { file_path: '/a' } },
        ],
        toolCalls: 7,
        givenBytes: 12_345,
        usage: sampleUsage,
        gatesRefused: 2,
      },
      [
        '  · Read /a (and 1 more)',
        '  1:05 · given 12.3 kB · 7 calls · 2,100 tokens in, 160 out, $0.01 · refused twice',
      ],
    ));
  test('are cut to the width of a narrow terminal', () =>
    check(
      { calls: [{ callId: '1', tool: 'Bash', input: { command: 'npm run a-long-name' } }], usage: sampleUsage },
      ['  · Bash npm run a-…', '  1:05 · 0 calls · …'],
      20,
    ));
});

describe('the stepper', () => {
  const check = (columns: number, expected: string) =>
    expect(formatStepper('git-commit-reflect', plainStyle, columns)).toBe(expected);

  test('shows all phases if they fit', () =>
    check(100, '  work › analyse-work › commit › reflect › [commit] › dream › commit › triage › commit'));
  test('shows the neighbours of the phase if there is less room', () => check(60, '  reflect › [commit] › dream'));
  test('shows the phase alone, with its number, if there is little room', () => check(25, '  [git-commit-reflect] 5…'));
});
