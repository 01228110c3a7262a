import { describe, expect, test } from 'vitest';
import { applyEdits, type Edit, valueAt } from '../../src/model/edit.ts';
import type { Json } from '../../src/model/json.ts';

describe('applyEdits', () => {
  function check(value: Json, edit: Edit, expected: Json): void {
    const before = JSON.stringify(value);
    expect(applyEdits(value, [edit])).toEqual(expected);
    expect(JSON.stringify(value)).toBe(before);
  }

  test.each<[Json, Edit, Json]>([
    [{ a: 1 }, { op: 'set', path: ['a'], value: 2 }, { a: 2 }],
    [{ a: null }, { op: 'set', path: ['a', 'b'], value: 2 }, { a: { b: 2 } }],
    [null, { op: 'set', path: ['a', 'b'], value: 2 }, { a: { b: 2 } }],
    [[1], { op: 'set', path: [], value: 2 }, 2],
    [[1, 2], { op: 'delete', path: [0] }, [2]],
    [{ a: 1 }, { op: 'delete', path: ['b', 'c'] }, { a: 1 }],
    [{ a: { b: 1 } }, { op: 'delete', path: ['a', 'b'] }, { a: {} }],
    [{}, { op: 'insert', path: ['a'], index: 0, value: 1 }, { a: [1] }],
    [{ a: [1, 2] }, { op: 'insert', path: ['a'], index: 1, value: 3 }, { a: [1, 3, 2] }],
    [[1, 2, 3], { op: 'move', path: [], from: 0, to: 2 }, [2, 3, 1]],
    [[1, 2, 3], { op: 'move', path: [], from: 2, to: 0 }, [3, 1, 2]],
  ])('turns %j by %j into %j and leaves the original unchanged', check);

  test('keeps the order of keys', () => {
    const edited = applyEdits({ a: 1, b: 2 }, [{ op: 'set', path: ['a'], value: 3 }]);
    expect(Object.keys(edited as object)).toEqual(['a', 'b']);
  });

  test.each<[Json, Edit]>([
    [{ a: 1 }, { op: 'set', path: ['a', 'b'], value: 2 }],
    [[1], { op: 'set', path: [1], value: 2 }],
    [[1], { op: 'insert', path: [], index: 2, value: 2 }],
    [[1], { op: 'insert', path: [], index: -1, value: 2 }],
    ['x', { op: 'insert', path: [], index: 0, value: 2 }],
    [[1], { op: 'move', path: [], from: 1, to: 0 }],
    [[1], { op: 'move', path: [], from: 0, to: 1 }],
  ])('throws if %j does not fit the edit %j', (value, edit) => {
    expect(() => applyEdits(value, [edit])).toThrow();
  });
});

test('valueAt finds own values only and returns undefined for a missing path', () => {
  const value = { a: [{ b: 1 }] };
  expect(valueAt(value, ['a', 0, 'b'])).toBe(1);
  expect(valueAt(value, ['a', 1, 'b'])).toBeUndefined();
  expect(valueAt(value, ['a', 'length'])).toBeUndefined();
  expect(valueAt(value, ['toString'])).toBeUndefined();
});
