import { expect, test } from 'vitest';
import { resumesByItself } from '../../src/model/resumesByItself.ts';

test.each([
  ['accept', 'retry', 'retry'],
  ['accept', 'run', 'run_phase'],
  ['accept', 'resume', 'resume'],
  ['edit', 'retry', 'retry'],
  ['accept', undefined, undefined],
  ['reject', 'run', undefined],
  ['reject', 'retry', undefined],
] as const)('after %s with %s what goes on by itself is %s', (decision, next, expected) =>
  expect(resumesByItself({ decision, ...(next !== undefined && { next: next }) })).toBe(expected),
);
