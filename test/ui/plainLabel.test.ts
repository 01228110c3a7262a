import { describe, expect, test } from 'vitest';
import { plainBlock, plainChoice, plainLabel, plainMarkdown, plainNotice, plainText } from '../../src/ui/plainLabel.ts';

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
])('%j is shown as %j', (text, shown) => {
  expect(plainLabel(text)).toBe(shown);
});

describe('a long text', () => {
  test('is cut with a mark, and not within a character', () => {
    expect(plainLabel('abcdef', 4)).toBe('abc…');
    expect(plainLabel('ab🙂cd', 4)).toBe('ab…');
  });

  test('of five million characters takes no time worth naming', () => {
    expect(plainLabel('\u202ex'.repeat(2_500_000), 20)).toHaveLength(20);
  });
});

test('where the editor draws pictures none is drawn', () => {
  expect(plainChoice('run $(trash) now')).toBe('run \\$(trash) now');
});

test.each(['[a](command:x)', '<img src=x onerror=y>', '**b**', '`c`', '$(zap)', '| a |', '&amp;', 'https://a.b'])(
  '%j is no Markdown',
  (text) => {
    expect(plainMarkdown(text)).not.toMatch(/[[\]()<>*`$|]|:\/\/|&(?!#\d+;)/);
  },
);

test('a text keeps its lines and its tabs, and loses what an editor would obey', () => {
  expect(plainText('a\r\nb\tc\rd\u0007')).toBe('a\nb\tc\nd\ufffd');
  expect(plainText('x'.repeat(30), 10)).toBe(`${'x'.repeat(9)}…\n20 more characters`);
});

test('a block ends where it should, whatever is in it', () => {
  expect(plainBlock('a\n```\n# b\n````')).toBe('`````text\na\n```\n# b\n````\n`````');
});

test('a notification makes no link of what it quotes', () => {
  expect(plainNotice('Go [on](command:ravel.stop) [here](https://example.org)')).toBe(
    'Go [on] (command:ravel.stop) [here] (https://example.org)',
  );
});
