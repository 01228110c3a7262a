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
  const rows = [['a', 'much too long for a line of so few columns']];
  expect(formatTable(['ID', 'TITLE'], rows, plain, 32)).toEqual(['ID  TITLE', 'a   much too long for a line of…']);
});

test('where too little is left for the last column it stands below', () => {
  const rows = [['an-id-that-is-not-cut', 'done', 'a title of some words']];
  expect(formatTable(['ID', 'STATUS', 'TITLE'], rows, plain, 30)).toEqual([
    'ID                     STATUS  TITLE',
    'an-id-that-is-not-cut  done',
    '    a title of some words',
  ]);
});

test('a short last column needs no line of its own', () => {
  expect(formatTable(['A', 'B'], [['x'.repeat(20), 'y']], plain, 24)).toEqual([
    `A${' '.repeat(21)}B`,
    `${'x'.repeat(20)}  y`,
  ]);
});
