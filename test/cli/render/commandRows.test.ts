import { expect, test } from 'vitest';
import { formatCommandRows } from '../../../src/cli/render/commandRows.ts';

const rows = [
  ['ravel next', 'lists what can start'],
  ['export V=/a/b', ''],
] as const;

test('commands stand on lines of their own, beside what they do if the lines hold that', () => {
  expect(formatCommandRows('Next:', rows, 80)).toEqual([
    'Next:',
    '  ravel next      lists what can start',
    '  export V=/a/b',
  ]);
  expect(formatCommandRows('Next:', rows, 24)).toEqual([
    'Next:',
    '  ravel next',
    '      lists what can',
    '      start',
    '  export V=/a/b',
  ]);
});
