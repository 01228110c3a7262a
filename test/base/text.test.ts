import { describe, expect, test } from 'vitest';
import {
  beginning,
  capitalized,
  excerpt,
  firstLine,
  formatBytes,
  formatCount,
  formatDuration,
  harmless,
  headline,
  oneLine,
  plural,
  shortened,
  withArticle,
} from '../../src/base/text.ts';

test.each([
  ['', ''],
  [' \n\t', ''],
  ['  two\r\n\n  words ', 'two words'],
  ['no\u00a0break', 'no break'],
])('oneLine(%j) is %j', (text, expected) => expect(oneLine(text)).toBe(expected));

function check<T>(actual: T, expected: T): void {
  expect(actual).toEqual(expected);
}

const escapeCode = String.fromCharCode(27);

describe('harmless', () => {
  test('removes cursor moves, colours and bells', () => check(harmless(`a${escapeCode}[2Jb\u0007\r\u009bc`), 'a[2Jbc'));
  test('keeps line breaks and tabs', () => check(harmless('a\n\tb'), 'a\n  b'));
});

describe('firstLine', () => {
  test('returns a single line as it is', () => check(firstLine('one\n'), 'one'));
  test('marks that more lines follow', () => check(firstLine('\none\ntwo'), 'one …'));
});

describe('shortening a long text', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['a\u{1f600}bc', 3, 'a…'],
    ['\u{1f600}bcd', 4, '\u{1f600}b…'],
  ])('beginning(%j, %i) is %j', (text, max, expected) => check(beginning(text, max), expected));

  test.each([
    [' two\n words ', 20, 'two words'],
    ['one two three', 8, 'one two…'],
    [`a${' '.repeat(100)}b`, 8, 'a …'],
  ])('excerpt(%j, %i) is %j', (text, max, expected) => check(excerpt(text, max), expected));

  test('shortened says how many characters are left out', () => {
    check(shortened('short', 5), 'short');
    check(shortened('longer', 5), 'longe\n(1 more characters are left out)');
  });
});

test('capitalized makes the first letter a capital', () => {
  check(['', 'one two', 'Above'].map(capitalized), ['', 'One two', 'Above']);
});

describe('formatting numbers', () => {
  test('formatDuration shows minutes and seconds, and hours if there are any', () =>
    check([0, 7_900, 750_000, 3_723_000].map(formatDuration), ['0:00', '0:07', '12:30', '1:02:03']));
  test('formatBytes uses decimal units', () =>
    check([812, 12_345, 4_000_000].map(formatBytes), ['812 B', '12.3 kB', '4.0 MB']));
  test('formatCount groups thousands', () =>
    check([950, 12_300, 1_234_567].map(formatCount), ['950', '12,300', '1,234,567']));
  test('plural uses the singular for one only', () =>
    check(
      [0, 1, 2].map((count) => plural(count, 'call')),
      ['0 calls', '1 call', '2 calls'],
    ));
});

test('withArticle puts "an" before a vowel', () => {
  expect(['unroutable-message', 'Answer', 'tool-request'].map(withArticle)).toEqual([
    'an unroutable-message',
    'an Answer',
    'a tool-request',
  ]);
});

describe('headline', () => {
  test('is the first line alone, whatever follows', () => check(headline('\n one  two \nthree', 20), 'one two'));
  test('is cut if it is too long', () => check(headline('one two', 5), 'one …'));
});
