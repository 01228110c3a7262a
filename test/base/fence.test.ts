import { describe, expect, test } from 'vitest';
import { fenced, inlined, visible, visibleJson } from '../../src/base/fence.ts';
import { workOf } from '../support/workOf.ts';

describe('what cannot be seen is spelled out:', () => {
  test.each([
    ['a terminal sequence', 'a\u001b[2Jb', 'a\\u{1b}[2Jb'],
    ['a mark of direction', 'a\u202eb', 'a\\u{202e}b'],
    ['a joiner of words', 'a\u200bb\ufeff', 'a\\u{200b}b\\u{feff}'],
    ['a lone carriage return', 'a\rb', 'a\\u{d}b'],
    ['separators of lines that are no newline', 'a\u2028b\u0085c', 'a\\u{2028}b\\u{85}c'],
    ['a few tags', '\u{e0041}\u{e0042}', '\\u{e0041}\\u{e0042}'],
    ['a long run of tags, which is only counted', `a${'\u{e0041}'.repeat(9)}b`, 'a(9 characters that cannot be seen)b'],
    ['selectors that text can be hidden in', 'a\u{e0101}', 'a\\u{e0101}'],
  ])('%s', (_name, text, expected) => expect(visible(text)).toBe(expected));

  test('inside of a fence', () => expect(fenced('a\u202eb', 'x')).toBe('```x\na\\u{202e}b\n```'));

  test('not what writing needs', () => {
    const text = 'tab\tnewline\n👩‍🚀 ❤️ نمی‌خواهم é';
    expect(visible(text)).toBe(text);
    expect(visible('a\r\nb')).toBe('a\nb');
  });
});

test('a fence is longer than any run inside, also one that joins when something unseen is spelled out', () => {
  expect(fenced('x', 'readme')).toBe('```readme\nx\n```');
  expect(fenced('````\n~~~~~\n', 'text')).toBe('``````text\n````\n~~~~~\n``````');
});

test('a name in a sentence stays in its backticks and on its line', () => {
  expect(inlined('a`b\n# c')).toBe("a'b # c");
});

test('a megabyte of either takes no time that grows with its square', () => {
  const texts = ['\u001b', '`~', '\u{e0041}', 'a\u202e'].map((unit) => unit.repeat(1_000_000 / unit.length));
  const work = workOf(() => {
    for (const text of texts) fenced(text);
  });
  expect(work).toBeLessThan(4000);
});

test('JSON whose unseen characters are escaped means the same', () => {
  const value = { a: 'x\u001b\u009b\u202e\u200b\u{e0041}y', b: 'ein Über, שלום 👩‍💻' };
  const json = visibleJson(JSON.stringify(value));
  expect(json).toBe('{"a":"x\\u001b\\u009b\\u202e\\u200b\\udb40\\udc41y","b":"ein Über, שלום 👩‍💻"}');
  expect(JSON.parse(json)).toEqual(value);
});
