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
  return withUnseen(text.includes('\r') ? text.split('\r\n').join('\n') : text, (run) => {
    const characters = charactersIn(run);
    if (characters > spelledMax) return `(${characters} characters that cannot be seen)`;
    return Array.from(run, (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`).join('');
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

function charactersIn(run: string): number {
  let count = 0;
  for (let at = 0; at < run.length; at += lengthUnseen(run, at)) count += 1;
  return count;
}

/**
 * The text with other words for each run of characters that a reader does not see. Walks over the text by itself: a regular
 * expression that calls back for each run takes three times as long where there are many.
 */
function withUnseen(text: string, spell: (run: string) => string): string {
  // What stands alone is spelled once for each code unit.
  const known = new Map<number, string>();
  const parts: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOfUnseen(text, at);
    if (end === at) {
      at += 1;
      continue;
    }
    if (at > from) parts.push(text.slice(from, at));
    const code = text.charCodeAt(at);
    const spelled = (end === at + 1 ? known.get(code) : undefined) ?? spell(text.slice(at, end));
    if (end === at + 1) known.set(code, spelled);
    parts.push(spelled);
    at = end;
    from = end;
  }
  if (from === 0) return text;
  parts.push(text.slice(from));
  return parts.join('');
}

function endOfUnseen(text: string, from: number): number {
  let end = from;
  for (let length = lengthUnseen(text, end); length > 0; length = lengthUnseen(text, end)) end += length;
  return end;
}

/**
 * How many code units the character has that begins here, if it is one that a reader does not see or that changes how others
 * are seen; otherwise 0. Such are controls, separators of lines that are no newline, marks of direction, joiners of words,
 * tags and the variation selectors that text can be hidden in. What writing needs stays: tab, newline, zero-width joiner and
 * non-joiner, and the selectors of emoji.
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
  return unseenRanges.some(([first, last]) => code >= first && code <= last) ? 1 : 0;
}

/** Beside the controls, in the basic plane. */
const unseenRanges = [
  [0x61c, 0x61c],
  [0x200b, 0x200b],
  [0x200e, 0x200f],
  [0x2028, 0x202e],
  [0x2060, 0x206f],
  [0xfeff, 0xfeff],
  [0xfff9, 0xfffb],
] as const;
