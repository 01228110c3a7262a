import { expect, expectTypeOf, test } from 'vitest';
import { defined } from '../../src/base/defined.ts';

test('defined drops what is undefined and keeps the rest in its order', () => {
  const members = { b: 1, a: undefined, c: null, d: false, e: '', f: 0 };
  expect(Object.entries(defined(members))).toEqual(Object.entries({ b: 1, c: null, d: false, e: '', f: 0 }));
  expect('a' in defined(members)).toBe(false);
  expect(defined({})).toEqual({});
});

test('a member that can be undefined becomes an optional one, and the others stay', () => {
  const name = 'Tom' as string | undefined;
  const cat = { id: 'r1', ...defined({ name, word: 'meow', cause: 7 as unknown }) };
  expectTypeOf(cat).toEqualTypeOf<{ id: string; name?: string; word: 'meow'; cause?: unknown }>();
  expect(cat).toEqual({ id: 'r1', name: 'Tom', word: 'meow', cause: 7 });
});
