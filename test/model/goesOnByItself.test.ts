import { expect, test } from 'vitest';
import { goesOnByItself } from '../../src/model/goesOnByItself.ts';

test.each([
  ['accept', 'retry', 'retry'],
  ['accept', 'run', 'run_phase'],
  ['accept', 'resume', 'resume'],
  ['edit', 'retry', 'retry'],
  ['accept', undefined, undefined],
  ['reject', 'run', undefined],
  ['reject', 'retry', undefined],
] as const)('after %s with %s what goes on by itself is %s', (decision, goOn, expected) =>
  expect(goesOnByItself({ decision, ...(goOn !== undefined && { goOn }) })).toBe(expected),
);
