import { expect, test } from 'vitest';
import { joinParts } from '../../../src/ui/trees/treeRow.ts';

test('joinParts leaves out missing parts', () => {
  expect(joinParts(['a', undefined, false, '', 'b'])).toBe('a · b');
});
