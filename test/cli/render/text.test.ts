import { describe, expect, test } from 'vitest';
import { clip, padEnd, widthOf, wrap } from '../../../src/cli/render/text.ts';

function check<T>(actual: T, expected: T): void {
  expect(actual).toEqual(expected);
}

const escapeCode = String.fromCharCode(27);

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
