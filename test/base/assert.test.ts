import { expect, test } from 'vitest';
import { AssertionError, assert } from '../../src/base/assert.ts';

test.each([true, 1, 'x', {}])('%j holds', (condition) => expect(() => assert(condition, 'it holds')).not.toThrow());

test.each([false, 0, '', null, undefined])('%j does not hold, and says what should', (condition) =>
  expect(() => assert(condition, 'it holds')).toThrow(new AssertionError('it holds')),
);
