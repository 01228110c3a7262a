import { expect, test } from 'vitest';
import { countOf, joinParts } from '../../../src/ui/trees/treeRow.ts';

test('only the parts that there are', () => {
  expect(joinParts(['a', undefined, false, '', 'b'])).toBe('a · b');
});

test.each([
  [0, '0 plans'],
  [1, '1 plan'],
  [2, '2 plans'],
])('%i is %s', (count, words) => {
  expect(countOf(count, 'plan')).toBe(words);
});
