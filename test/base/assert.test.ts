import { expect, test } from 'vitest';
import { AssertionError, assert } from '../../src/base/assert.ts';

test.each([true, 1, 'x', {}])('assert accepts the truthy value %j', (condition) =>
  expect(() => assert(condition, 'it holds')).not.toThrow(),
);

test.each([false, 0, '', null, undefined])('assert throws its message for the falsy value %j', (condition) =>
  expect(() => assert(condition, 'it holds')).toThrow(new AssertionError('it holds')),
);
