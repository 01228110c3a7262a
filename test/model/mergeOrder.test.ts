import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeOrder, orderSteps } from '../../src/model/mergeOrder.ts';

describe('the order of both sides', () => {
  function check(base: string, session: string, person: string, expected: string): void {
    const order = mergeOrder({ base: [...base], session: [...session], person: [...person] }, (id) =>
      expected.includes(id),
    );
    expect(order.join('')).toBe(expected);
  }

  test.each<[string, string, string, string, string]>([
    ['nobody moved', 'abc', 'abc', 'abc', 'abc'],
    ['the session moved', 'abc', 'cab', 'abc', 'cab'],
    ['the person moved', 'abc', 'abc', 'cab', 'cab'],
    ['both moved', 'abc', 'cab', 'bac', 'bac'],
    ['new of the session, after its predecessor', 'abc', 'axbc', 'abc', 'axbc'],
    ['new of the session, first', 'ab', 'xyab', 'ab', 'xyab'],
    ['new of the session, its predecessor gone', 'abc', 'abxc', 'ac', 'axc'],
    ['new of the person in an order of the session', 'abc', 'cab', 'abpc', 'cabp'],
    ['new of both', 'ab', 'axb', 'apb', 'axpb'],
    ['new of both at the end', 'a', 'ax', 'ap', 'axp'],
    ['deletions move nothing', 'abcd', 'bd', 'abcd', 'bd'],
  ])('%s', (_, ...sides) => check(...sides));
});

test('the steps lead from any order to any other, with no needless one', () => {
  const ids = fc.uniqueArray(fc.constantFrom(...'abcdefgh'), { minLength: 0, maxLength: 8 });
  return fc.assert(
    fc.property(ids, fc.array(fc.nat(), { minLength: 8, maxLength: 8 }), fc.nat(8), (after, ranks, count) => {
      const before = after
        .slice(0, count)
        .sort((a, b) => (ranks[a.charCodeAt(0) - 97] ?? 0) - (ranks[b.charCodeAt(0) - 97] ?? 0));
      const current = [...before];
      const steps = orderSteps(before, after);
      for (const step of steps) {
        if (step.op === 'insert') current.splice(step.index, 0, step.id);
        else current.splice(step.to, 0, ...current.splice(step.from, 1));
      }
      expect(current).toEqual(after);
      if (before.join() === after.join()) expect(steps).toEqual([]);
    }),
  );
});

test('one moved record is one move', () => {
  expect(orderSteps([...'abcdef'], [...'bcdefa'])).toEqual([{ op: 'move', from: 0, to: 5 }]);
  expect(orderSteps([...'abcdef'], [...'fabcde'])).toEqual([{ op: 'move', from: 5, to: 0 }]);
});
