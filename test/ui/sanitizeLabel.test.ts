import { describe, expect, test } from 'vitest';
import {
  plainBlock,
  plainChoice,
  plainMarkdown,
  plainNotice,
  plainText,
  sanitizeLabel,
} from '../../src/ui/sanitizeLabel.ts';

test.each([
  ['as it is', 'as it is'],
  ['a\nb\t\tc  d', 'a b c d'],
  ['\u001b[31mred\u001b[0m', '[31mred [0m'],
  ['safe\u202egpj.exe', 'safe gpj.exe'],
  ['a\u2066b\u2069c', 'a b c'],
  ['a\u200bb\u00adc\ufeffd', 'a b c d'],
  ['\u0000\u2028\u2029', ''],
  ['half \ud83d of one', 'half \ufffd of one'],
  ['whole 🙂 one', 'whole 🙂 one'],
])('sanitizeLabel shows %j as %j', (text, shown) => {
  expect(sanitizeLabel(text)).toBe(shown);
});

describe('a long label', () => {
  test('is cut with a mark, but not inside a character', () => {
    expect(sanitizeLabel('abcdef', 4)).toBe('abc…');
    expect(sanitizeLabel('ab🙂cd', 4)).toBe('ab…');
  });

  test('a long label of five million characters is cut quickly', () => {
    expect(sanitizeLabel('\u202ex'.repeat(2_500_000), 20)).toHaveLength(20);
  });
});

test('plainChoice escapes icons', () => {
  expect(plainChoice('run $(trash) now')).toBe('run \\$(trash) now');
});

test.each(['[a](command:x)', '<img src=x onerror=y>', '**b**', '`c`', '$(zap)', '| a |', '&amp;', 'https://a.b'])(
  'plainMarkdown escapes %j',
  (text) => {
    expect(plainMarkdown(text)).not.toMatch(/[[\]()<>*`$|]|:\/\/|&(?!#\d+;)/);
  },
);

test('plainText keeps lines and tabs, replaces control characters and cuts with a count', () => {
  expect(plainText('a\r\nb\tc\rd\u0007')).toBe('a\nb\tc\nd\ufffd');
  expect(plainText('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…\n20 more characters`);
});

test('plainBlock uses a fence that its text cannot close', () => {
  expect(plainBlock('a\n```\n# b\n````')).toBe('`````text\na\n```\n# b\n````\n`````');
});

test('plainNotice breaks links in quoted text', () => {
  expect(plainNotice('Go [on](command:ravel.stop) [here](https://example.org)')).toBe(
    'Go [on] (command:ravel.stop) [here] (https://example.org)',
  );
});
