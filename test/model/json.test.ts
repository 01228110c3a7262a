import { describe, expect, test } from 'vitest';
import { equalJson, isJsonArray, isJsonObject, type Json, objectFrom, ownValue } from '../../src/model/json.ts';

describe('equality', () => {
  function check(left: Json | undefined, right: Json | undefined, expected: boolean): void {
    expect(equalJson(left, right)).toBe(expected);
    expect(equalJson(right, left)).toBe(expected);
  }

  test.each<[Json | undefined, Json | undefined, boolean]>([
    [undefined, undefined, true],
    [undefined, null, false],
    [1, '1', false],
    [{ a: 1, b: [2] }, { b: [2], a: 1 }, true],
    [{ a: 1 }, { a: 1, b: 2 }, false],
    [{ a: 1 }, { b: 1 }, false],
    [[1, 2], [2, 1], false],
    [[1], [1, 2], false],
    [[], {}, false],
    [{}, null, false],
    [{ constructor: 1 }, { a: 1 }, false],
  ])('%j and %j: %s', check);
});

test('kinds', () => {
  expect([{}, [], null, 'a', 1].map(isJsonObject)).toEqual([true, false, false, false, false]);
  expect([{}, [], null].map(isJsonArray)).toEqual([false, true, false]);
});

test('only own values are found', () => {
  expect(ownValue({}, 'constructor')).toBeUndefined();
  const object = objectFrom([['__proto__', { a: 1 }]]);
  expect(ownValue(object, '__proto__')).toEqual({ a: 1 });
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
});
