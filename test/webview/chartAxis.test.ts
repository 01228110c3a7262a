import { expect, test } from 'vitest';
import { knownPlaces } from '../../webview/chartAxis.ts';

test('an axis marks no cycle that has not been', () => {
  expect(knownPlaces([1], [0, 1, 2])).toEqual([null, 1, null]);
  expect(knownPlaces([3, 4, 5, 6], [2, 4, 6, 8])).toEqual([null, 4, 6, null]);
});
