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
  oneLine,
  plural,
  shortened,
} from '../../src/base/text.ts';

test.each([
  ['', ''],
  [' \n\t', ''],
  ['  two\r\n\n  words ', 'two words'],
  ['no\u00a0break', 'no break'],
])('%j becomes %j', (text, expected) => expect(oneLine(text)).toBe(expected));

function check<T>(actual: T, expected: T): void {
  expect(actual).toEqual(expected);
}

const escapeCode = String.fromCharCode(27);

describe('what a terminal may see', () => {
  test('no cursor moves, no colours, no bells', () => check(harmless(`a${escapeCode}[2Jb\u0007\r\u009bc`), 'a[2Jbc'));
  test('lines and tabs stay', () => check(harmless('a\n\tb'), 'a\n  b'));
});

describe('first line', () => {
  test('alone', () => check(firstLine('one\n'), 'one'));
  test('of several', () => check(firstLine('\none\ntwo'), 'one …'));
});

describe('of a long text', () => {
  test.each([
    ['short', 5, 'short'],
    ['longer', 5, 'long…'],
    ['a\u{1f600}bc', 3, 'a…'],
    ['\u{1f600}bcd', 4, '\u{1f600}b…'],
  ])('the beginning of %j in %i characters is %j', (text, max, expected) => check(beginning(text, max), expected));

  test.each([
    [' two\n words ', 20, 'two words'],
    ['one two three', 8, 'one two…'],
    [`a${' '.repeat(100)}b`, 8, 'a …'],
  ])('the excerpt of %j in %i characters is %j', (text, max, expected) => check(excerpt(text, max), expected));

  test('is said how much is left out', () => {
    check(shortened('short', 5), 'short');
    check(shortened('longer', 5), 'longe\n(1 more characters are left out)');
  });
});

test('a sentence begins with a capital', () => {
  check(['', 'one two', 'Above'].map(capitalized), ['', 'One two', 'Above']);
});

describe('figures', () => {
  test('durations', () =>
    check([0, 7_900, 750_000, 3_723_000].map(formatDuration), ['0:00', '0:07', '12:30', '1:02:03']));
  test('bytes', () => check([812, 12_345, 4_000_000].map(formatBytes), ['812 B', '12.3 kB', '4.0 MB']));
  test('counts', () => check([950, 12_300, 1_234_567].map(formatCount), ['950', '12,300', '1,234,567']));
  test('plurals', () =>
    check(
      [0, 1, 2].map((count) => plural(count, 'call')),
      ['0 calls', '1 call', '2 calls'],
    ));
});
