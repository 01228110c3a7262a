import { expect, test } from 'vitest';
import { chooseStyle } from '../../../src/cli/render/style.ts';
import { formatTable } from '../../../src/cli/render/table.ts';

const plain = chooseStyle({ isTty: false, colorFlag: false, environment: {} });

test('columns are as wide as they need', () => {
  const rows = [
    ['a', 'one'],
    ['日本', 'two\nlines \u001b[31m'],
    ['', ''],
  ];
  expect(formatTable(['ID', 'TITLE'], rows, plain, 80)).toEqual([
    'ID    TITLE',
    'a     one',
    '日本  two lines [31m',
    '',
  ]);
});

test('what the line cannot hold is cut at its end', () => {
  expect(formatTable(['ID', 'TITLE'], [['a', 'much too long']], plain, 10)).toEqual(['ID  TITLE', 'a   much …']);
});
