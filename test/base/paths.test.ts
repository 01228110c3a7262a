import { expect, test } from 'vitest';
import { isWithin } from '../../src/base/paths.ts';

test.each([
  ['/a', '/a', true],
  ['/a', '/a/b/c', true],
  ['/a', '/a/..b', true],
  ['/', '/a', true],
  ['/a/', '/a/b', true],
  ['/a', '/ab', false],
  ['/a', '/', false],
  ['/a', '/a/../b', false],
  ['/a', '/b', false],
])('isWithin(%j, %j) is %s', (folder, path, expected) => expect(isWithin(folder, path)).toBe(expected));
