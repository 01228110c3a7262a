import { expect, test } from 'vitest';
import { occupiedMarks } from '../../webview/chartAxis.ts';

test('occupiedMarks hides the marks of cycles that do not exist', () => {
  expect(occupiedMarks([1], [0, 1, 2])).toEqual([null, 1, null]);
  expect(occupiedMarks([3, 4, 5, 6], [2, 4, 6, 8])).toEqual([null, 4, 6, null]);
});
