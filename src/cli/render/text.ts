import { visible } from '../../base/fence.ts';
import { harmless } from '../../base/text.ts';

const colours = /\p{Cc}\[[0-9;]*m/gu;

/** Columns that a text takes; East Asian wide characters and emoji count two. */
export function widthOf(text: string): number {
  let width = 0;
  for (const character of text.includes('[') ? text.replace(colours, '') : text) width += characterWidth(character);
  return width;
}

/** At most `columns` wide, with an ellipsis if something was cut. Takes plain text, without colours. */
export function clip(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  let result = '';
  let width = 1;
  for (const character of text) {
    width += characterWidth(character);
    if (width > columns) break;
    result += character;
  }
  return `${result}…`;
}

export function padEnd(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/**
 * The lines of a text in pieces of at most `columns`, every character of them, so that a terminal breaks none by itself: a
 * text could use that to look like something that stands around it.
 */
export function chop(text: string, columns: number): string[] {
  return visible(text)
    .replaceAll('\t', '  ')
    .split('\n')
    .flatMap((line) => chopLine(line, columns));
}

/** The lines of a text as they are, for a terminal or a pager to break: a second break would tear them. */
export function ownLines(text: string): string[] {
  return visible(text).replaceAll('\t', '  ').split('\n');
}

/** An id or a `command` that fits on a line stays whole, to be copied; a longer one is cut where the line is full. */
function chopLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  let width = 0;
  const add = (part: string, own: number) => {
    if (width + own > columns && current !== '') {
      lines.push(current);
      current = '';
      width = 0;
    }
    current += part;
    width += own;
  };
  for (const part of partsOf(line)) {
    const own = widthOf(part);
    if (own <= columns) add(part, own);
    else for (const character of part) add(character, characterWidth(character));
  }
  return [...lines, current];
}

/** Blanks, words, and what stands between backticks; together the whole line. */
function partsOf(line: string): string[] {
  return line.match(/ +|(?:`[^`]*`|[^ ])+/g) ?? [];
}

/** Words of a text in lines of at most `columns`; a longer word keeps a line of its own, and `a command` stays whole. */
export function wrap(text: string, columns: number): string[] {
  return harmless(text)
    .trim()
    .split('\n')
    .flatMap((line) => wrapLine(line, columns));
}

function wrapLine(line: string, columns: number): string[] {
  const lines: string[] = [];
  let current = '';
  let width = 0;
  for (const word of words(line)) {
    const own = widthOf(word);
    if (current !== '' && width + 1 + own > columns) {
      lines.push(current);
      current = word;
      width = own;
    } else {
      width = current === '' ? own : width + 1 + own;
      current = current === '' ? word : `${current} ${word}`;
    }
  }
  return [...lines, current];
}

/** What stands between backticks is one word, so that it can be copied whole. */
function words(line: string): string[] {
  return line.match(/(?:`[^`]*`|[^ ])+|(?<= )(?= )/g) ?? [''];
}

function characterWidth(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code < 0x300) return 1;
  // Most of what is written otherwise, without the question below.
  if (code < 0x370) return 0;
  if ((code >= 0x4e00 && code <= 0x9fff) || (code >= 0xac00 && code <= 0xd7a3)) return 2;
  if (code === 0x200d || code === 0xfe0f || /\p{Mark}/u.test(character)) return 0;
  const wide =
    (code >= 0x1100 && code <= 0x115f) ||
    (code >= 0x2e80 && code <= 0xa4cf) ||
    (code >= 0xac00 && code <= 0xd7a3) ||
    (code >= 0xf900 && code <= 0xfaff) ||
    (code >= 0xfe30 && code <= 0xfe6f) ||
    (code >= 0xff00 && code <= 0xff60) ||
    (code >= 0x1f300 && code <= 0x1faff) ||
    (code >= 0x20000 && code <= 0x3fffd);
  return wide ? 2 : 1;
}
