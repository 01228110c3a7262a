import { expect, test } from 'vitest';
import { knownPlaces } from '../../webview/chartAxis.ts';

test('knownPlaces hides the marks of cycles that do not exist', () => {
  expect(knownPlaces([1], [0, 1, 2])).toEqual([null, 1, null]);
  expect(knownPlaces([3, 4, 5, 6], [2, 4, 6, 8])).toEqual([null, 4, 6, null]);
});
