import { describe, expect, test } from 'vitest';
import {
  clip,
  firstLine,
  formatBytes,
  formatCount,
  formatDuration,
  harmless,
  padEnd,
  plural,
  widthOf,
  wrap,
} from '../../../src/cli/render/text.ts';

function check<T>(actual: T, expected: T): void {
  expect(actual).toEqual(expected);
}

const escapeCode = String.fromCharCode(27);

describe('what a terminal may see', () => {
  test('no cursor moves, no colours, no bells', () => check(harmless(`a${escapeCode}[2Jb\u0007\r\u009bc`), 'a[2Jbc'));
  test('lines and tabs stay', () => check(harmless('a\n\tb'), 'a\n  b'));
});

describe('widths', () => {
  test('letters', () => check(widthOf('abc'), 3));
  test('wide characters', () => check(widthOf('日本'), 4));
  test('an emoji', () => check(widthOf('🎉'), 2));
  test('a combining accent', () => check(widthOf('e\u0301'), 1));
  test('colours take no room', () => check(widthOf(`${escapeCode}[31mred${escapeCode}[39m`), 3));
  test('padding', () => check(padEnd('日', 4), '日  '));
});

describe('clip', () => {
  test('fits', () => check(clip('abcd', 4), 'abcd'));
  test('does not fit', () => check(clip('abcde', 4), 'abc…'));
  test('never cuts a wide character in two', () => check(clip('日本語', 4), '日…'));
});

describe('wrap', () => {
  test('at words', () => check(wrap('one two three', 8), ['one two', 'three']));
  test('a long word stays whole', () => check(wrap('a verylongword b', 5), ['a', 'verylongword', 'b']));
  test('a command stays whole', () => check(wrap('do `ravel run x`, now', 8), ['do', '`ravel run x`,', 'now']));
  test('spaces stay', () => check(wrap('a  b', 8), ['a  b']));
  test('lines stay lines', () => check(wrap('one\n\ntwo\n', 80), ['one', '', 'two']));
});

describe('first line', () => {
  test('alone', () => check(firstLine('one\n'), 'one'));
  test('of several', () => check(firstLine('\none\ntwo'), 'one …'));
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
