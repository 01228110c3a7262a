import { expect, test } from 'vitest';
import { formatMarkdownTable } from '../../src/model/markdownTable.ts';

test('a table without rows consists of its header', () => {
  expect(formatMarkdownTable(['a', 'b'], [])).toBe('| a | b |\n| --- | --- |');
});

test.each([
  ['plain', 'plain'],
  ['a | b', 'a \\| b'],
  ['a \\| b', 'a \\\\\\| b'],
  ['a\n\n  b\tc\n', 'a b c'],
])('the cell %j is escaped as %j', (cell, expected) => {
  expect(formatMarkdownTable(['x'], [[cell]])).toBe(`| x |\n| --- |\n| ${expected} |`);
});
