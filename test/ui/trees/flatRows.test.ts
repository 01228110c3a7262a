import { expect, test } from 'vitest';
import { flatRows } from '../../../src/ui/trees/flatRows.ts';

test('flatRows returns rows without children', async () => {
  const row = { id: 'a', label: 'A', icon: { name: 'dot' }, ariaLabel: 'A', contextValue: '' };
  const rows = flatRows([{ row, tooltip: 'About A' }]);
  expect(rows.roots()).toEqual(['a']);
  expect(rows.childrenOf('a')).toEqual([]);
  expect(rows.rowOf('a')).toBe(row);
  expect(rows.rowOf('b')).toBeUndefined();
  expect(await rows.tooltipOf('a', new AbortController().signal)).toBe('About A');
});
