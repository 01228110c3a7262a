import { expect, test } from 'vitest';
import { joinParts } from '../../../src/ui/trees/treeRow.ts';

test('only the parts that there are', () => {
  expect(joinParts(['a', undefined, false, '', 'b'])).toBe('a · b');
});
