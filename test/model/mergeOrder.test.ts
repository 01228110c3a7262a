import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mergeOrder, orderSteps } from '../../src/model/mergeOrder.ts';

describe('mergeOrder', () => {
  function check(base: string, session: string, person: string, expected: string): void {
    const order = mergeOrder({ base: [...base], session: [...session], person: [...person] }, (id) =>
      expected.includes(id),
    );
    expect(order.join('')).toBe(expected);
  }

  test.each<[string, string, string, string, string]>([
    ['keeps the order if neither side moved a record', 'abc', 'abc', 'abc', 'abc'],
    ['takes the order of the session if only it moved records', 'abc', 'cab', 'abc', 'cab'],
    ['takes the order of the person if only they moved records', 'abc', 'abc', 'cab', 'cab'],
    ['takes the order of the person if both moved records', 'abc', 'cab', 'bac', 'bac'],
    ['puts a new record of the session after its predecessor', 'abc', 'axbc', 'abc', 'axbc'],
    ['keeps new first records of the session first', 'ab', 'xyab', 'ab', 'xyab'],
    ['puts a new record of the session after the nearest predecessor left', 'abc', 'abxc', 'ac', 'axc'],
    ['puts a new record of the person into the order of the session', 'abc', 'cab', 'abpc', 'cabp'],
    [
      'puts the new records of both sides after their common predecessor, the session first',
      'ab',
      'axb',
      'apb',
      'axpb',
    ],
    ['appends the new records of both sides, the session first', 'a', 'ax', 'ap', 'axp'],
    ['moves no record because of deletions', 'abcd', 'bd', 'abcd', 'bd'],
  ])('%s', (_, ...sides) => check(...sides));
});

test('orderSteps leads from any order to any other and needs no step for equal orders', () => {
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

test('orderSteps needs one step to move one record', () => {
  expect(orderSteps([...'abcdef'], [...'bcdefa'])).toEqual([{ op: 'move', from: 0, to: 5 }]);
  expect(orderSteps([...'abcdef'], [...'fabcde'])).toEqual([{ op: 'move', from: 5, to: 0 }]);
});
