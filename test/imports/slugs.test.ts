import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createSlugs } from '../../src/imports/slugs.ts';
import { allocateSlug } from '../../src/model/id.ts';

test('createSlugs gives the same ids as allocating one after the other', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('A', 'a!', 'A 2', 'a-2', 'a-2-2', '…', 'task', 'task 3')), (titles) => {
      const taken = new Set<string>();
      const expected = titles.map((title) => {
        const id = allocateSlug(title, taken, 'task');
        taken.add(id);
        return id;
      });
      expect(titles.map(createSlugs('task'))).toEqual(expected);
    }),
  );
});

test('createSlugs handles 100,000 equal titles', () => {
  const slug = createSlugs('task');
  const ids = new Set(Array.from({ length: 100_000 }, () => slug('Same')));
  expect(ids.size).toBe(100_000);
});
