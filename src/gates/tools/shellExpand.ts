import type { ShellWord } from './shell.ts';
import { expandBraces } from './shellBraces.ts';
import { isWholeNumber, type Value } from './shellState.ts';
import type { Word, WordPart } from './shellTree.ts';

/** One value of each variable that is known. */
export type Values = ReadonlyMap<string, Value>;

/** The longest pattern that is matched against names, as long as the longest path. */
const patternMax = 4096;

type Split = 'split' | 'whole';

/** The words that the words of a command become, as far as the values tell. */
export function expandWords(words: readonly Word[], values: Values): readonly ShellWord[] {
  return words.flatMap((word) => {
    const expanded = expandBraces(word);
    if (expanded === undefined) return [{ ...expandWord(word, values, 'split'), isDynamic: true, isMany: true }];
    // `{,}` makes nothing of an empty choice.
    return expanded.filter(({ parts }) => parts.length > 0).map((each) => expandWord(each, values, 'split'));
  });
}

/** The one word that a redirection or a value is. */
export function expandWhole(word: Word, values: Values): ShellWord {
  return expandWord(word, values, 'whole');
}

/** The word of a redirection, which may have braces that make it another one. */
export function expandTarget(word: Word, values: Values): ShellWord {
  const expanded = expandBraces(word);
  const whole = expandWord(word, values, 'split');
  return expanded?.length === 1 && expanded[0] === word ? whole : { ...whole, isDynamic: true };
}

/** The value that an assignment gives, undefined if it cannot be known. */
export function assignedValue(word: Word, values: Values): Value | undefined {
  if (word.parts.length === 1 && word.parts[0]?.kind === 'expansion') {
    const [part] = word.parts;
    if (part.gives === 'number') return 'number';
    if (part.gives !== 'unknown') return values.get(part.gives.variable);
  }
  const { text, isDynamic, isGlob } = expandWord(word, values, 'whole');
  const isHome = /(?:^|:)~/.test(text);
  if (isDynamic || isHome) return undefined;
  return { texts: [text], isGlob: isGlob && usesGlob(word, values) };
}

function usesGlob({ parts }: Word, values: Values): boolean {
  return parts.some((part) => {
    const value =
      part.kind === 'expansion' && typeof part.gives === 'object' ? values.get(part.gives.variable) : undefined;
    return value !== undefined && value !== 'number' && value.isGlob;
  });
}

function expandWord({ parts }: Word, values: Values, split: Split): ShellWord {
  let text = '';
  let isDynamic = false;
  let isGlob = false;
  let isMany = false;
  for (const part of parts) {
    if (part.kind === 'text') {
      text += part.text;
      if (!part.isQuoted && /[*?[]/.test(part.text)) isGlob = true;
      continue;
    }
    const piece = expandPart(part, values, split);
    text += piece.text;
    isDynamic ||= piece.isDynamic;
    isGlob ||= piece.isGlob;
    isMany ||= piece.isMany;
  }
  const [first] = parts;
  const isHome = first?.kind === 'text' && !first.isQuoted && first.text.startsWith('~');
  // An argument in the form of an assignment has its tildes expanded as one.
  if (!isHome && split === 'split' && hasAssignedHome(parts)) isDynamic = true;
  const isPattern = isGlob && text !== '[';
  if (isPattern && text.length > patternMax) isDynamic = true;
  return {
    text: isPattern && split === 'split' ? widened(text) : text,
    isDynamic,
    isGlob: isPattern,
    isHome,
    ...(isMany ? { isMany: true } : {}),
  };
}

function expandPart(
  part: Extract<WordPart, { kind: 'expansion' }>,
  values: Values,
  split: Split,
): { readonly text: string; readonly isDynamic: boolean; readonly isGlob: boolean; readonly isMany: boolean } {
  const isSplit = split === 'split' && !part.isQuoted;
  const unknown = { text: '', isDynamic: true, isGlob: false, isMany: isSplit || (part.isList && split === 'split') };
  if (part.gives === 'number') return { ...unknown, isMany: false };
  const value = part.gives === 'unknown' ? undefined : values.get(part.gives.variable);
  if (value === 'number') return { ...unknown, isMany: false };
  const text = value?.texts[0];
  if (value === undefined || text === undefined || value.texts.length > 1) {
    return { ...unknown, isMany: unknown.isMany && !isWholeNumber(value) };
  }
  if (!isSplit) return { text, isDynamic: false, isGlob: value.isGlob, isMany: false };
  if (value.isGlob || !/^[^\s\\]+$/.test(text)) return { ...unknown, isMany: true };
  return { text, isDynamic: false, isGlob: /[*?[]/.test(text), isMany: false };
}

function hasAssignedHome(parts: readonly WordPart[]): boolean {
  // A continued line cuts a word into several parts.
  const plain = parts.map((part) => (part.kind === 'text' && !part.isQuoted ? part.text : '\0')).join('');
  return /^[A-Za-z_]\w*\+?=/.test(plain) && /[:=]~/.test(plain);
}

/** Sets of characters depend on the language of the machine; those that are not plain become a wildcard. */
function widened(pattern: string): string {
  if (!/\[[:.=]|\[[!^]?\]|\\/.test(pattern)) return pattern;
  return pattern.replace(/\[[^/]*/g, '*');
}
