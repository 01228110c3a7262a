import { expect, test } from 'vitest';
import { chooseStyle } from '../../../src/cli/render/style.ts';
import { formatTable } from '../../../src/cli/render/table.ts';

const plain = chooseStyle({ isTty: false, colorFlag: false, environment: {} });

test('columns are as wide as their widest cell', () => {
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

test('a row that is too long is cut at its end', () => {
  const rows = [['a', 'much too long for a line of so few columns']];
  expect(formatTable(['ID', 'TITLE'], rows, plain, 32)).toEqual(['ID  TITLE', 'a   much too long for a line of…']);
});

test('a last column with too little room goes below its row', () => {
  const rows = [['an-id-that-is-not-cut', 'done', 'a title of some words']];
  expect(formatTable(['ID', 'STATUS', 'TITLE'], rows, plain, 30)).toEqual([
    'ID                     STATUS',
    '    TITLE',
    'an-id-that-is-not-cut  done',
    '    a title of some words',
  ]);
});

test('columns that the line cannot hold go below the row with the last one, an empty cell leaves nothing', () => {
  const rows = [
    ['an-id-that-is-not-cut', 'done', 'a title of some words'],
    ['another', '', ''],
  ];
  expect(formatTable(['ID', 'STATUS', 'TITLE'], rows, plain, 26)).toEqual([
    'ID',
    '    STATUS · TITLE',
    'an-id-that-is-not-cut',
    '    done · a title of some',
    '    words',
    'another',
  ]);
});

test('a last column that is kept is neither cut nor moved', () => {
  const rows = [['a', 'knowledge/tools/retries.md']];
  expect(formatTable(['ID', 'PATH'], rows, plain, 10, { keepsLast: true })).toEqual([
    'ID  PATH',
    'a   knowledge/tools/retries.md',
  ]);
});

test('a short last column stays on its row', () => {
  expect(formatTable(['A', 'B'], [['x'.repeat(20), 'y']], plain, 24)).toEqual([
    `A${' '.repeat(21)}B`,
    `${'x'.repeat(20)}  y`,
  ]);
});
