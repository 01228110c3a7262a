import { expect, test } from 'vitest';
import { chooseLink, noLink } from '../../../src/cli/render/link.ts';
import { colourStyle, plainStyle } from '../../../src/cli/render/style.ts';
import { terminalText } from '../../../src/cli/render/terminalText.ts';

const esc = '\u001b';

test.each<[string, Record<string, string>, boolean]>([
  ['the editor', { TERM_PROGRAM: 'vscode' }, true],
  ['a terminal that nobody knows', { TERM: 'xterm-256color' }, false],
  ['a terminal of GNOME', { VTE_VERSION: '7200' }, true],
  ['one from before links', { VTE_VERSION: '4803' }, false],
  ['kitty', { KITTY_WINDOW_ID: '1' }, true],
  ['another machine', { TERM_PROGRAM: 'WezTerm', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, false],
  ['another machine, in the editor', { TERM_PROGRAM: 'vscode', SSH_CONNECTION: '10.0.0.1 1 10.0.0.2 22' }, true],
  ['a person who wants them', { FORCE_HYPERLINK: '1' }, true],
  ['a person who does not', { FORCE_HYPERLINK: '0', TERM_PROGRAM: 'vscode' }, false],
])('%s gets the links that it can show', (_name, environment, hasLinks) => {
  expect(chooseLink(colourStyle, environment) !== noLink).toBe(hasLinks);
  // A pipe has no colours, and so does who wants none.
  expect(chooseLink(plainStyle, environment)).toBe(noLink);
});

const link = chooseLink(colourStyle, { TERM_PROGRAM: 'vscode' });

test('a link says where it leads, ends after its text, and keeps the emphasis around it', () => {
  const text = terminalText(`${colourStyle.strong(link('shop', '/vault/a plan/backlog.yaml'))} next\n`, colourStyle);
  const [before, inside, after] = text.split(`${esc}]8;`);
  expect(before).toBe(`${esc}[1m`);
  const [url, shown] = (inside ?? '').split(`${esc}\\`);
  expect(url).toMatch(/^id=ravel-[0-9a-f-]{36};file:\/\/\/vault\/a%20plan\/backlog\.yaml$/);
  expect(shown).toBe('shop');
  expect(after).toBe(`;${esc}\\${esc}[22m next\n`);
  expect(link('shop', undefined)).toBe('shop');
  expect(terminalText(link('shop', '/vault'), plainStyle)).not.toContain(esc);
});

test('a text of others brings no link of its own, also inside one of ours', () => {
  const theirs = `${esc}]8;id=ravel-1;https://example.org${esc}\\click${esc}]8;;${esc}\\`;
  const spelled = '\\u{1b}]8;id=ravel-1;https://example.org\\u{1b}\\click\\u{1b}]8;;\\u{1b}\\';
  expect(terminalText(theirs, colourStyle)).toBe(spelled);
  const around = terminalText(`${link(`a${esc}[2J`, '/vault')} ${theirs}`, colourStyle);
  expect(around).toContain('a\\u{1b}[2J');
  expect(around.endsWith(` ${spelled}`)).toBe(true);
  expect(around.split(esc)).toHaveLength(5);
});
