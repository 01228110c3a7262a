import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { FactSelection } from '../../../src/routing/facts/factSelection.ts';

test('fact selection prefers the lightest number, then the earliest place in the text, then the first term', () => {
  const selection = new FactSelection([2, 1, 1, 1], 3);
  selection.add(0, 0);
  selection.add(3, 1);
  selection.add(2, 1);
  selection.add(1, 5);
  expect(selection.chosen).toEqual([2, 3, 1]);
  selection.clear();
  expect(selection.chosen).toEqual([]);
});

test('fact selection is settled once its choices have the lightest weight', () => {
  const selection = new FactSelection([2, 1, 1], 2);
  const settled = [0, 1, 2].map((term, at) => {
    selection.add(term, at);
    return selection.isSettled;
  });
  expect(settled).toEqual([false, false, true]);
});

test('fact selection chooses the same terms as sorting all of them', () => {
  const term = fc.nat({ max: 30 });
  return fc.assert(
    fc.property(
      fc.array(term, { maxLength: 60 }),
      fc.array(fc.nat({ max: 3 }), { minLength: 31, maxLength: 31 }),
      (terms, weights) => {
        const selection = new FactSelection(weights);
        // Once it is settled, nothing that follows changes it.
        const settled = terms.findIndex((term, at) => {
          selection.add(term, at);
          return selection.isSettled;
        });
        const early = settled < 0 ? undefined : [...selection.chosen];
        for (const [at, term] of terms.entries()) if (settled >= 0 && at > settled) selection.add(term, at);
        if (early !== undefined) expect(selection.chosen).toEqual(early);
        const sorted = [...new Set(terms)].sort(
          (a, b) => (weights[a] ?? 0) - (weights[b] ?? 0) || terms.indexOf(a) - terms.indexOf(b),
        );
        expect(selection.chosen).toEqual(sorted.slice(0, 5));
      },
    ),
  );
});
