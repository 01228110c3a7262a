import { expect, test } from 'vitest';
import { failure } from '../../src/model/codes.ts';
import { failureText } from '../../webview/failureText.ts';

test('a failure names what helps by the commands of the window', () => {
  const error = failure('plan/busy', 'shop/project-root', 'It runs.');
  expect(failureText(error)).toBe('It runs. Watch it with “Ravel: Open Plan”, or end it with “Ravel: Stop Plan”.');
});
