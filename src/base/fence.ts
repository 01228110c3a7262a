import { oneLine } from './text.ts';

/**
 * Foreign text between two fences that nothing in it can close: they are longer than any run of the characters that
 * make one. It begins and ends with its fence, each on a line of its own.
 */
export function fenced(text: string, label = 'text'): string {
  const content = visible(text).trimEnd();
  let longest = 0;
  for (const [run] of content.matchAll(/`+|~+/g)) longest = Math.max(longest, run.length);
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${label}\n${content}\n${fence}`;
}

/** A foreign name inside a sentence: one line, and nothing in it ends the backticks around it. */
export function inlined(text: string): string {
  return oneLine(visible(text)).replaceAll('`', "'");
}

/**
 * Characters that a reader does not see, or that change how others are seen: controls, separators of lines that are no
 * newline, marks of direction, joiners of words, tags and the variation selectors that text can be hidden in. What
 * writing needs stays: tab, newline, zero-width joiner and non-joiner, and the selectors of emoji.
 */
const unseenRun =
  /(?:[^\P{Cc}\t\n]|[\u{61c}\u{200b}\u{200e}\u{200f}\u{2028}-\u{202e}\u{2060}-\u{206f}\u{feff}\u{fff9}-\u{fffb}]|[\u{e0000}-\u{e007f}]|[\u{e0100}-\u{e01ef}])+/gu;

/** Longest run of such characters that is spelled out. */
const spelledMax = 8;

/** The text with what cannot be seen spelled out, as in `\u{202e}`; a long run of it is only counted. A CRLF is a newline. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replace(unseenRun, (run) => {
    const characters = [...run];
    if (characters.length > spelledMax) return `(${characters.length} characters that cannot be seen)`;
    return characters.map((character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');
  });
}

/** A text of JSON that means the same, and in which nothing is unseen: each such character is written by its code. */
export function visibleJson(json: string): string {
  return json.replace(unseenRun, (run) => {
    const units = Array.from({ length: run.length }, (_, at) => run.charCodeAt(at));
    return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
  });
}
