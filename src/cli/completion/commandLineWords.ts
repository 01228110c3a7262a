import type { CommandRow, OptionRow, Slot, Source } from './table.ts';

/** What is to be completed: the word up to the cursor, and what can stand there. */
export interface CompletionRequest {
  /** Up to the cursor. */
  readonly word: string;
  /** Of the word, what comes before the value: `--phase=`. */
  readonly before: string;
  readonly sources: readonly Source[];
  readonly commands: readonly CommandRow[];
  readonly options: readonly OptionRow[];
  /** Values that stand before the word, by what they are values of: `--from`, or the number of the place. */
  readonly given: readonly GivenValue[];
}

interface GivenValue {
  /** Of an option. */
  readonly flag?: string;
  readonly sources: readonly Source[];
  readonly value: string;
}

/**
 * What is to be completed in the words of a command line, of which the last ends at the cursor. Whatever stands there,
 * there is an answer: words that fit nowhere count as values.
 */
export function whatIsAsked(table: CommandRow, words: readonly string[]): CompletionRequest {
  const word = words.at(-1) ?? '';
  const line = readLine(table, words.slice(0, -1));
  const { command, options, given, places, isAfterDashes, pending } = line;
  const base = { word, before: '', commands: [], options: [], given };
  if (pending !== undefined && !(pending.isOptional && word.startsWith('-'))) {
    return { ...base, before: beforeValue(pending, word, ''), sources: pending.sources };
  }
  const [before = '', flag] = /^(--[\w-]+)=/.exec(word) ?? [];
  const named = options.find(({ flags }) => flags.some((one) => one === flag));
  if (!isAfterDashes && named?.value !== undefined) {
    return { ...base, before: beforeValue(named.value, word, before), sources: named.value.sources };
  }
  const isOption = !isAfterDashes && word.startsWith('-');
  return {
    ...base,
    sources: isOption ? [] : sourcesOf(command, places),
    commands: !isOption && places === 0 ? command.commands : [],
    options: isOption ? options : [],
  };
}

/** The earlier values of a list stay as they are. */
function beforeValue({ isList }: Slot, word: string, before: string): string {
  return isList === true ? word.slice(0, Math.max(before.length, word.lastIndexOf(',') + 1)) : before;
}

interface Line {
  readonly command: CommandRow;
  /** Of the command and of all around it. */
  readonly options: readonly OptionRow[];
  readonly given: readonly GivenValue[];
  /** How many of its places have a value. */
  readonly places: number;
  readonly isAfterDashes: boolean;
  /** The value that an option before the cursor still takes. */
  readonly pending: OptionRow['value'] | undefined;
}

function readLine(table: CommandRow, words: readonly string[]): Line {
  let command = table;
  let options = table.options;
  let places = 0;
  let isAfterDashes = false;
  let pending: (OptionRow['value'] & { readonly flag: string }) | undefined;
  const given: GivenValue[] = [];
  for (const word of words) {
    if (pending !== undefined && !(pending.isOptional && word.startsWith('-'))) {
      const { flag, sources } = pending;
      given.push({ flag, sources, value: word });
      if (!pending.isVariadic) pending = undefined;
      else pending = { ...pending, isOptional: true };
      continue;
    }
    pending = undefined;
    if (word === '--' && !isAfterDashes) {
      isAfterDashes = true;
    } else if (!isAfterDashes && word.startsWith('-') && word !== '-') {
      const at = word.startsWith('--') ? word.indexOf('=') : -1;
      const flag = at < 0 ? word : word.slice(0, at);
      const value = options.find(({ flags }) => flags.includes(flag))?.value;
      if (value !== undefined && at >= 0) given.push({ flag, sources: value.sources, value: word.slice(at + 1) });
      else if (value !== undefined) pending = { ...value, flag };
    } else {
      const inner = places === 0 ? command.commands.find(({ name }) => name === word) : undefined;
      if (inner === undefined) {
        given.push({ sources: sourcesOf(command, places), value: word });
        places += 1;
      } else {
        command = inner;
        options = [...inner.options, ...(usualOf(inner)?.options ?? []), ...options];
      }
    }
  }
  return { command, options, given, places, isAfterDashes, pending };
}

/** What can stand in a place of a command; of a group it is what its usual command takes. */
function sourcesOf(command: CommandRow, place: number): readonly Source[] {
  const own: readonly Slot[] = command.slots.length > 0 ? command.slots : (usualOf(command)?.slots ?? []);
  const last = own.at(-1);
  return (own[place] ?? (last?.isVariadic === true ? last : undefined))?.sources ?? [];
}

function usualOf({ commands, usual }: CommandRow): CommandRow | undefined {
  return commands.find(({ name }) => name === usual);
}

export type OpenQuote = '' | '"' | "'";

/**
 * The words of a line that ends at the cursor, as a shell separates them; of several commands the last one's. `quote` is
 * the mark of the quotation that is still open there, or empty.
 */
export function splitLine(line: string): { readonly words: readonly string[]; readonly quote: OpenQuote } {
  let words: string[] = [];
  let word = '';
  let isWord = false;
  let quote: OpenQuote = '';
  for (let at = 0; at < line.length; at += 1) {
    const character = line[at] ?? '';
    const next = line[at + 1];
    if (quote !== '') {
      if (character === quote) quote = '';
      else if (character === '\\' && quote === '"' && next !== undefined && '"\\$`'.includes(next)) {
        word += next;
        at += 1;
      } else word += character;
    } else if (character === '"' || character === "'") {
      quote = character;
      isWord = true;
    } else if (character === '\\') {
      word += next ?? '';
      isWord = true;
      at += 1;
    } else if (/[\s;|&]/.test(character)) {
      if (isWord) words.push(word);
      if (/[;|&\n]/.test(character)) words = [];
      word = '';
      isWord = false;
    } else {
      word += character;
      isWord = true;
    }
  }
  const [first = '', ...others] = [...words, word].filter((one, at, all) => !isAssignment(all, at) || one === '');
  // The program's own name, unless the cursor is still in it.
  return { words: others.length === 0 ? [first] : others, quote };
}

/** `RAVEL_VAULT=… ravel status`: what stands before the name of the program. */
function isAssignment(words: readonly string[], at: number): boolean {
  return words.slice(0, at + 1).every((word) => /^[A-Za-z_]\w*=/.test(word));
}
