import type { PolicyWord } from '../../model/policy.ts';

/** Stands for blanks inside of a word, so that a quoted text cannot pass for several words. */
const innerBlank = '\u0002';
/** Stands for a value that is not known before the command runs. */
const unknown = '\u0003';

/** A pattern for one simple command: its words, with `*` for any text, blanks between words included. */
export interface CommandPattern {
  /** The words up to the first one with a star, as they are compared. */
  readonly literals: readonly string[];
  readonly encoded: string;
  /** How many stars it has. */
  readonly stars: number;
}

/** Reads what stands in `Bash(…)`. `prefix:*` is the older form of `prefix *`. Quotes keep a word together. */
export function parseCommandPattern(text: string): CommandPattern {
  const words = splitPattern(text.trim().replace(/:\*$/, ' *'));
  const first = words.findIndex((word) => word.includes('*'));
  const encoded = words.join(' ');
  return { literals: first < 0 ? words : words.slice(0, first), encoded, stars: encoded.split('*').length - 1 };
}

function splitPattern(text: string): readonly string[] {
  const words: string[] = [];
  let word = '';
  let quote = '';
  for (const character of text) {
    if (quote !== '') {
      if (character === quote) quote = '';
      else word += /\s/.test(character) ? innerBlank : character;
    } else if (character === '"' || character === "'") quote = character;
    else if (!/\s/.test(character)) word += character;
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  return word === '' ? words : [...words, word];
}

/** The words of a command in the form in which patterns are compared with them. */
export interface EncodedCommand {
  readonly words: readonly string[];
  readonly text: string;
  /** Whether a word has a value, or names files by a pattern, that is not known. */
  readonly isOpen: boolean;
}

export function encodeCommand(words: readonly PolicyWord[]): EncodedCommand {
  const encoded = words.map((word) => {
    const text = (word.isDynamic ? (word.start ?? '') : word.text).replaceAll(/\s/g, innerBlank);
    return word.isDynamic ? text + unknown : text;
  });
  return {
    words: encoded,
    text: encoded.join(' '),
    isOpen: words.some(({ isDynamic, isGlob }) => isDynamic || isGlob),
  };
}

/** Whether a pattern certainly matches the whole command: only a star stands for what is not known. */
export function matchesCommand({ encoded, stars }: CommandPattern, { text }: EncodedCommand): boolean {
  if (stars === 1 && encoded.endsWith(' *') && text === encoded.slice(0, -2)) return true;
  return matchesStars(encoded, text);
}

/** Whether a pattern may match the command, whatever its unknown values turn out to be. */
export function mayMatchCommand(pattern: CommandPattern, { text, isOpen }: EncodedCommand): boolean {
  const { encoded } = pattern;
  const bare = encoded.endsWith(' *') ? encoded.slice(0, -2) : undefined;
  if (!isOpen) return matchesStars(encoded, text) || (bare !== undefined && matchesStars(bare, text));
  const open = openText(text);
  return mayMeet(encoded, open) || (bare !== undefined && mayMeet(bare, open));
}

/** Compared step by step with patterns that have stars too; what is longer may be anything. */
const openLengthMax = 2000;

/** What stands behind a set such as `[ab]` may be anything, so that no set needs to be read. */
function openText(text: string): string {
  const set = text.indexOf('[');
  const open = (set < 0 ? text : `${text.slice(0, set)}*`).replaceAll(unknown, '*').replaceAll('?', '*');
  return open.length > openLengthMax ? `${open.slice(0, openLengthMax)}*` : open;
}

/** At most as many steps as the product of both lengths. */
function matchesStars(pattern: string, text: string): boolean {
  let [at, part, star, resume] = [0, 0, -1, 0];
  while (at < text.length) {
    if (pattern[part] === '*') {
      star = part++;
      resume = at;
    } else if (pattern[part] === text[at]) {
      part += 1;
      at += 1;
    } else if (star >= 0) {
      part = star + 1;
      at = ++resume;
    } else return false;
  }
  while (pattern[part] === '*') part += 1;
  return part === pattern.length;
}

/** Whether there is a text that both patterns match. */
function mayMeet(left: string, right: string): boolean {
  let row = reachable(right, true, []);
  for (const character of left) row = nextRow(character, right, row);
  return row[right.length] === true;
}

function reachable(right: string, start: boolean, seed: readonly boolean[]): boolean[] {
  const row = [start];
  for (let at = 0; at < right.length; at++) row.push((row[at] === true && right[at] === '*') || seed[at + 1] === true);
  return row;
}

function nextRow(character: string, right: string, before: readonly boolean[]): boolean[] {
  const isStar = character === '*';
  const row = [isStar && before[0] === true];
  for (let at = 0; at < right.length; at++) {
    const other = right[at];
    const both = before[at] === true && (character === other || isStar || other === '*');
    // A star may stand for nothing, or for one more character of the other side.
    const skipsLeft = isStar && (before[at + 1] === true || row[at] === true);
    const skipsRight = other === '*' && (row[at] === true || before[at + 1] === true);
    row.push(both || skipsLeft || skipsRight);
  }
  return row;
}

/** The words before the first one that may turn out to be something else. */
export function knownWords({ words }: EncodedCommand): readonly string[] {
  const first = words.findIndex((word) => word.includes(unknown) || /[*?[]/.test(word));
  return first < 0 ? words : words.slice(0, first);
}
