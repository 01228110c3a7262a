import { describe, expect, test } from 'vitest';
import { chop, clip, padEnd, widthOf, wrap } from '../../../src/cli/render/text.ts';

function check<T>(actual: T, expected: T): void {
  expect(actual).toEqual(expected);
}

const escapeCode = String.fromCharCode(27);

describe('widthOf', () => {
  test('counts letters as 1', () => check(widthOf('abc'), 3));
  test('counts wide characters as 2', () => check(widthOf('日本'), 4));
  test('counts an emoji as 2', () => check(widthOf('🎉'), 2));
  test('counts a letter with a combining accent as 1', () => check(widthOf('e\u0301'), 1));
  test('counts colour codes as 0', () => check(widthOf(`${escapeCode}[31mred${escapeCode}[39m`), 3));
  test('is what padEnd fills up to', () => check(padEnd('日', 4), '日  '));
});

describe('clip', () => {
  test('keeps a text that fits', () => check(clip('abcd', 4), 'abcd'));
  test('ends a text that does not fit with an ellipsis', () => check(clip('abcde', 4), 'abc…'));
  test('never cuts a wide character in half', () => check(clip('日本語', 4), '日…'));
});

describe('wrap', () => {
  test('breaks between words', () => check(wrap('one two three', 8), ['one two', 'three']));
  test('keeps a long word whole', () => check(wrap('a verylongword b', 5), ['a', 'verylongword', 'b']));
  test('keeps a command in backticks whole', () =>
    check(wrap('do `ravel run x`, now', 8), ['do', '`ravel run x`,', 'now']));
  test('keeps double spaces', () => check(wrap('a  b', 8), ['a  b']));
  test('keeps line breaks', () => check(wrap('one\n\ntwo\n', 80), ['one', '', 'two']));
});

test('a long line is cut behind a blank, a long word where the line is full, and no character is lost', () => {
  const line = `Claude Code cannot be started ${'x'.repeat(60)} now`;
  const pieces = chop(line, 30);
  expect(pieces).toEqual(['Claude Code cannot be started ', 'x'.repeat(30), 'x'.repeat(30), ' now']);
  expect(chop(`on ${'x'.repeat(60)}`, 30)[0]).toBe(`on ${'x'.repeat(27)}`);
  expect(pieces.join('')).toBe(line);
});

test('an id or a command that fits on a line is not broken', () => {
  const id = 'write-a-test-that-fails-until';
  expect(chop(`[test] (${id})`, 32)).toEqual(['[test] ', `(${id})`]);
  expect(chop('Add with `ravel experts add rust` now', 30)).toEqual(['Add with ', '`ravel experts add rust` now']);
  expect(chop(`see \`${'x '.repeat(20)}\``, 30).every((line) => line.length <= 30)).toBe(true);
});
