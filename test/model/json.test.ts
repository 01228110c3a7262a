import { describe, expect, test } from 'vitest';
import { equalJson, isJsonArray, isJsonObject, type Json, objectFrom, ownValue } from '../../src/model/json.ts';

describe('equalJson', () => {
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
  ])('of %j and %j is %s in both directions', check);
});

test('isJsonObject and isJsonArray tell objects, arrays and scalars apart', () => {
  expect([{}, [], null, 'a', 1].map(isJsonObject)).toEqual([true, false, false, false, false]);
  expect([{}, [], null].map(isJsonArray)).toEqual([false, true, false]);
});

test('ownValue ignores inherited values, and objectFrom keeps "__proto__" as an own key', () => {
  expect(ownValue({}, 'constructor')).toBeUndefined();
  const object = objectFrom([['__proto__', { a: 1 }]]);
  expect(ownValue(object, '__proto__')).toEqual({ a: 1 });
  expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
});
