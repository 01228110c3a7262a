import { expect, test } from 'vitest';
import { colourStyle, plainStyle } from '../../../src/cli/render/style.ts';
import { terminalText } from '../../../src/cli/render/terminalText.ts';

const esc = '\u001b';

test('emphases stay if the style has any', () => {
  const text = `${colourStyle.bad('error')} ${colourStyle.strong('a')} ${colourStyle.faint('b')} ${colourStyle.good('c')}${colourStyle.notice('d')}${colourStyle.accent('e')}\n`;
  expect(terminalText(text, colourStyle)).toBe(text);
  expect(terminalText(colourStyle.bad('x'), plainStyle)).toBe('\\u{1b}[31mx\\u{1b}[39m');
});

test.each([
  ['an escape that moves the cursor', `a${esc}[2Jb`, 'a\\u{1b}[2Jb'],
  ['an escape that sets the title', `${esc}]0;x\u0007`, '\\u{1b}]0;x\\u{7}'],
  ['the one-byte form of an escape', '\u009b2J', '\\u{9b}2J'],
  ['a return to the beginning of the line', 'safe\rrm', 'safe\\u{d}rm'],
  ['a right-to-left override', 'a\u202eb', 'a\\u{202e}b'],
  ['an isolate', '\u2066a\u2069', '\\u{2066}a\\u{2069}'],
  ['a blank of no width', 'ad\u200bmin', 'ad\\u{200b}min'],
  ['another colour than ours', `${esc}[38;5;1mx`, '\\u{1b}[38;5;1mx'],
])('%s is spelled out', (_name, text, expected) => {
  expect(terminalText(text, plainStyle)).toBe(expected);
  expect(terminalText(text, colourStyle)).toBe(expected);
});

test('what writing needs stays', () => {
  const text = 'tab\tnewline\nein \u00dcber \u05e9\u05dc\u05d5\u05dd \ud83d\udc69\u200d\ud83d\udcbb\n';
  expect(terminalText(text, plainStyle)).toBe(text);
});
