import { randomUUID } from 'node:crypto';
import { pathToFileURL } from 'node:url';
import { plainStyle, type Style } from './style.ts';

/** A text that opens a file where the terminal can do that; elsewhere the text alone. The text has no emphases in it. */
export type FileLink = (text: string, file: string | undefined) => string;

export const noLink: FileLink = (text) => text;

const esc = '\u001b';
/** No one else knows it, so a text of others cannot bring a link of its own. */
const begin = `${esc}]8;id=ravel-${randomUUID()};`;
const urlEnd = `${esc}\\`;
const end = `${esc}]8;;${esc}\\`;

const hyperlink: FileLink = (text, file) =>
  file === undefined ? text : `${begin}${pathToFileURL(file).href}${urlEnd}${text}${end}`;

/** Terminals that show links, by what they say in the environment. */
const programs = new Set(['vscode', 'iTerm.app', 'WezTerm', 'ghostty', 'zed']);
const marks = ['WT_SESSION', 'KITTY_WINDOW_ID', 'ALACRITTY_WINDOW_ID', 'DOMTERM'] as const;
/** Since 0.50; an earlier one would write the link out. */
const vteVersionMin = 5000;

/** `FORCE_HYPERLINK` decides where the terminal does not say enough; without colours there are no links either. */
export function chooseLink(style: Style, environment: Readonly<Record<string, string | undefined>>): FileLink {
  const forced = environment['FORCE_HYPERLINK'] ?? '';
  if (style === plainStyle || forced === '0') return noLink;
  const program = environment['TERM_PROGRAM'] ?? '';
  const isKnown =
    programs.has(program) ||
    marks.some((name) => (environment[name] ?? '') !== '') ||
    Number(environment['VTE_VERSION'] ?? 0) >= vteVersionMin;
  // A file of this machine is none of the machine that shows the terminal; the editor knows which one is meant.
  const isElsewhere = (environment['SSH_CONNECTION'] ?? '') !== '' && program !== 'vscode';
  return forced !== '' || (isKnown && !isElsewhere) ? hyperlink : noLink;
}

/** The text in pieces, with our own links as they are sent and everything else through `rest`. */
export function keepLinks(text: string, rest: (piece: string) => string): string {
  const [first = '', ...others] = text.split(begin);
  return [
    rest(first),
    ...others.map((piece) => {
      const [url = '', ...shown] = piece.split(urlEnd);
      const [label = '', ...after] = shown.join(urlEnd).split(end);
      return `${begin}${url}${urlEnd}${rest(label)}${end}${rest(after.join(end))}`;
    }),
  ].join('');
}
