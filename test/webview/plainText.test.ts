import { describe, expect, test } from 'vitest';
import { cutText, plainText } from '../../webview/session/plainText.ts';

const escapeCode = String.fromCharCode(27);

describe('the text of a program', () => {
  test.each([
    ['colours', `${escapeCode}[31;1mred${escapeCode}[0m`, 'red'],
    ['a cursor that moves', `a${escapeCode}[2J${escapeCode}[1;1Hb`, 'ab'],
    ['a title', `${escapeCode}]0;title\u0007a`, 'a'],
    ['a link', `${escapeCode}]8;;https://example.org${escapeCode}\\here${escapeCode}]8;;${escapeCode}\\`, 'here'],
    ['a sequence that ends nowhere', `a${escapeCode}]0;b`, 'a'],
    ['a lone escape', `a${escapeCode}`, 'a'],
    ['eight-bit sequences', '\u009b31mred', 'red'],
    ['a direction that is turned', 'a\u202eb\u2066c', 'abc'],
    ['bells and nulls', 'a\u0007\u0000b', 'ab'],
    ['line ends of every kind', 'a\r\nb\rc\n', 'a\nb\nc\n'],
    ['tabs', 'a\tb', 'a\tb'],
    ['emoji and accents', 'e\u0301 🎉 日本', 'e\u0301 🎉 日本'],
  ])('%s', (_name, text, expected) => expect(plainText(text)).toBe(expected));
});

describe('a long text', () => {
  test('that fits is whole', () => expect(cutText('abc', 3)).toEqual({ shown: 'abc', isCut: false }));
  test('is cut at a line', () => expect(cutText('abcd\nefgh', 7)).toEqual({ shown: 'abcd', isCut: true }));
  test('of one line is cut anywhere', () => expect(cutText('abcdefgh', 5)).toEqual({ shown: 'abcde', isCut: true }));
  test('is never cut within a character', () => expect(cutText('abc🎉de', 4)).toEqual({ shown: 'abc', isCut: true }));
});
