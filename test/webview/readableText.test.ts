import { describe, expect, test } from 'vitest';
import { cutAtLine, readableText } from '../../webview/session/readableText.ts';

const escapeCode = String.fromCharCode(27);

describe('readableText', () => {
  test.each([
    ['removes colours', `${escapeCode}[31;1mred${escapeCode}[0m`, 'red'],
    ['removes cursor moves', `a${escapeCode}[2J${escapeCode}[1;1Hb`, 'ab'],
    ['removes a window title', `${escapeCode}]0;title\u0007a`, 'a'],
    [
      'keeps only the text of a link',
      `${escapeCode}]8;;https://example.org${escapeCode}\\here${escapeCode}]8;;${escapeCode}\\`,
      'here',
    ],
    ['removes an unfinished sequence', `a${escapeCode}]0;b`, 'a'],
    ['removes a lone escape', `a${escapeCode}`, 'a'],
    ['removes eight-bit sequences', '\u009b31mred', 'red'],
    ['removes direction marks', 'a\u202eb\u2066c', 'abc'],
    ['removes bells and nulls', 'a\u0007\u0000b', 'ab'],
    ['normalises every kind of line end', 'a\r\nb\rc\n', 'a\nb\nc\n'],
    ['keeps tabs', 'a\tb', 'a\tb'],
    ['keeps emoji and accents', 'e\u0301 🎉 日本', 'e\u0301 🎉 日本'],
  ])('%s', (_name, text, expected) => expect(readableText(text)).toBe(expected));
});

describe('cutAtLine', () => {
  test('keeps a text that fits', () => expect(cutAtLine('abc', 3)).toEqual({ shown: 'abc', isCut: false }));
  test('cuts at a line break', () => expect(cutAtLine('abcd\nefgh', 7)).toEqual({ shown: 'abcd', isCut: true }));
  test('cuts a single line anywhere', () => expect(cutAtLine('abcdefgh', 5)).toEqual({ shown: 'abcde', isCut: true }));
  test('never cuts inside a character', () => expect(cutAtLine('abc🎉de', 4)).toEqual({ shown: 'abc', isCut: true }));
});
