import { oneLine } from './text.ts';

/**
 * Foreign text between two fences that nothing in it can close: they are longer than any run of the characters that
 * make one. It begins and ends with its fence, each on a line of its own.
 */
export function fenced(text: string, label = 'text'): string {
  const content = visible(text).trimEnd();
  const longest = longestRun(content);
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}${label}\n${content}\n${fence}`;
}

/** The length of the longest run of backticks, or of tildes. */
function longestRun(text: string): number {
  let longest = 0;
  let run = 0;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code !== 0x60 && code !== 0x7e) run = 0;
    else {
      run = code === text.charCodeAt(at - 1) ? run + 1 : 1;
      longest = Math.max(longest, run);
    }
  }
  return longest;
}

/** A foreign name inside a sentence: one line, and nothing in it ends the backticks around it. */
export function inlined(text: string): string {
  return oneLine(visible(text)).split('`').join("'");
}

/** Longest run of characters that cannot be seen which is spelled out. */
const spelledMax = 8;

/** The text with what cannot be seen spelled out, as in `\u{202e}`; a long run of it is only counted. A CRLF is a newline. */
export function visible(text: string): string {
  const known = new Map<number, string>();
  return withUnseen(text.includes('\r') ? text.split('\r\n').join('\n') : text, (run) => {
    let [words, characters] = ['', 0];
    for (let at = 0; at < run.length; characters += 1) {
      const code = run.codePointAt(at) ?? 0;
      at += code > 0xffff ? 2 : 1;
      if (characters >= spelledMax) continue;
      const spelled = known.get(code) ?? `\\u{${code.toString(16)}}`;
      known.set(code, spelled);
      words += spelled;
    }
    return characters > spelledMax ? `(${characters} characters that cannot be seen)` : words;
  });
}

/** A text of JSON that means the same, and in which nothing is unseen: each such character is written by its code. */
export function visibleJson(json: string): string {
  const known = new Map<number, string>();
  return withUnseen(json, (run) => {
    const units: string[] = [];
    for (let at = 0; at < run.length; at++) {
      const unit = run.charCodeAt(at);
      const spelled = known.get(unit) ?? `\\u${unit.toString(16).padStart(4, '0')}`;
      known.set(unit, spelled);
      units.push(spelled);
    }
    return units.join('');
  });
}

/**
 * The text with other words for each run of characters that a reader does not see. Walks over the text by itself: a regular
 * expression that calls back for each run takes three times as long if there are many.
 */
function withUnseen(text: string, spell: (run: string) => string): string {
  let result = '';
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const length = lengthUnseen(text, at);
    if (length === 0) {
      at += 1;
      continue;
    }
    const end = endOfUnseen(text, at + length);
    result += text.slice(from, at) + spell(text.slice(at, end));
    at = end;
    from = end;
  }
  return from === 0 ? text : result + text.slice(from);
}

function endOfUnseen(text: string, from: number): number {
  let end = from;
  for (let length = lengthUnseen(text, end); length > 0; length = lengthUnseen(text, end)) end += length;
  return end;
}

/**
 * The number of code units of the character that begins here if a reader does not see it or if it changes how other
 * characters are displayed; otherwise 0. These are control characters, line separators other than newline, direction
 * marks, word joiners, tags, and the variation selectors that can hide text. Characters that ordinary writing needs
 * stay: tab, newline, zero-width joiner and non-joiner, and the selectors of emoji.
 */
function lengthUnseen(text: string, at: number): 0 | 1 | 2 {
  const code = text.charCodeAt(at);
  if (code < 0x20) return code === 0x09 || code === 0x0a ? 0 : 1;
  if (code < 0x61c) return code >= 0x7f && code <= 0x9f ? 1 : 0;
  if (code === 0xdb40) {
    const second = text.charCodeAt(at + 1);
    const isTag = second >= 0xdc00 && second <= 0xdc7f;
    const isSelector = second >= 0xdd00 && second <= 0xddef;
    return isTag || isSelector ? 2 : 0;
  }
  if (code < 0x200b) return code === 0x61c ? 1 : 0;
  if (code <= 0x206f) return isUnseenMark(code) ? 1 : 0;
  return code === 0xfeff || (code >= 0xfff9 && code <= 0xfffb) ? 1 : 0;
}

/** Of the marks in the general punctuation. */
function isUnseenMark(code: number): boolean {
  if (code <= 0x200f) return code === 0x200b || code >= 0x200e;
  return (code >= 0x2028 && code <= 0x202e) || code >= 0x2060;
}
