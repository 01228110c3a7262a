import { expect, test } from 'vitest';
import type { Phase } from '../../src/model/phase.ts';
import { phaseSteps } from '../../webview/phaseStepper.ts';

function check(current: Phase | undefined, expected: string): void {
  const signs = { past: '✓', current: '●', ahead: '○' };
  expect(
    phaseSteps(current)
      .map(({ name, state }) => signs[state] + name)
      .join(' '),
  ).toBe(expected);
}

test('phases before the current one are over, and commits are named by their content', () =>
  check(
    'reflect',
    '✓work ✓analyse-work ✓commit work ●reflect ○commit reflect ○dream ○commit dream ○triage ○commit triage',
  ));

test.each([['work'], [undefined]] as const)('nothing of a cycle at %s is over', (current) =>
  expect(phaseSteps(current).filter(({ state }) => state === 'past')).toEqual([]),
);
