import { defined } from '../../../base/defined.ts';
import type { ShellWord } from './shell.ts';
import { expandBraces } from './shellBraces.ts';
import { isWholeNumber, type ShellValue } from './shellState.ts';
import type { CommandWord, CommandWordPart } from './shellTree.ts';

/** One value of each variable that is known. */
export type Values = ReadonlyMap<string, ShellValue>;

/** The longest pattern that is matched against names, as long as the longest path. */
const patternMax = 4096;

type Split = 'split' | 'whole';

/** The words that the words of a command become, as far as the values tell. */
export function expandWords(words: readonly CommandWord[], values: Values): readonly ShellWord[] {
  return words.flatMap((word) => {
    const expanded = expandBraces(word);
    if (expanded === undefined)
      return [{ ...expandWord(word, values, 'split'), isDynamic: true, isMany: true, start: '' }];
    // `{,}` makes nothing of an empty choice.
    return expanded.filter(({ parts }) => parts.length > 0).map((each) => expandWord(each, values, 'split'));
  });
}

/** The one word that a redirection or a value is. */
export function expandWhole(word: CommandWord, values: Values): ShellWord {
  return expandWord(word, values, 'whole');
}

/** The word of a redirection, which may have braces that make it another one. */
export function expandTarget(word: CommandWord, values: Values): ShellWord {
  const expanded = expandBraces(word);
  const whole = expandWord(word, values, 'split');
  return expanded?.length === 1 && expanded[0] === word ? whole : { ...whole, isDynamic: true, start: '' };
}

/** The value that an assignment gives, undefined if it cannot be known. */
export function assignedValue(word: CommandWord, values: Values): ShellValue | undefined {
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

function usesGlob({ parts }: CommandWord, values: Values): boolean {
  return parts.some((part) => {
    const value =
      part.kind === 'expansion' && typeof part.gives === 'object' ? values.get(part.gives.variable) : undefined;
    return value !== undefined && value !== 'number' && value.isGlob;
  });
}

function expandWord({ parts }: CommandWord, values: Values, split: Split): ShellWord {
  let text = '';
  let start: string | undefined;
  let isGlob = false;
  let isMany = false;
  const pieces: Piece[] = [];
  for (const part of parts) {
    if (part.kind === 'text') {
      text += part.text;
      pieces.push(part);
      if (!part.isQuoted && /[*?[]/.test(part.text)) isGlob = true;
      continue;
    }
    const piece = expandPart(part, values, split);
    if (piece.isDynamic) start ??= text;
    text += piece.text;
    pieces.push({ text: piece.text, isQuoted: part.isQuoted });
    isGlob ||= piece.isGlob;
    isMany ||= piece.isMany;
  }
  const [first] = parts;
  const isHome = first?.kind === 'text' && !first.isQuoted && first.text.startsWith('~');
  // An argument in the form of an assignment has its tildes expanded as one.
  if (!isHome && split === 'split' && hasAssignedHome(parts)) start ??= text.slice(0, text.indexOf('=') + 1);
  const isPattern = isGlob && text !== '[';
  if (isPattern && text.length > patternMax) start ??= '';
  return {
    text: isPattern && split === 'split' ? widened(pieces) : text,
    isDynamic: start !== undefined,
    isGlob: isPattern,
    isHome,
    ...(isMany ? { isMany: true } : {}),
    ...defined({ start }),
  };
}

function expandPart(
  part: Extract<CommandWordPart, { kind: 'expansion' }>,
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

function hasAssignedHome(parts: readonly CommandWordPart[]): boolean {
  // A continued line cuts a word into several parts.
  const plain = parts.map((part) => (part.kind === 'text' && !part.isQuoted ? part.text : '\0')).join('');
  return /^[A-Za-z_]\w*\+?=/.test(plain) && /[:=]~/.test(plain);
}

interface Piece {
  readonly text: string;
  readonly isQuoted: boolean;
}

/**
 * A pattern in which each bracket expression is plain. What a class or a quote means between brackets is not worked out;
 * from there on any name matches.
 */
function widened(pieces: readonly Piece[]): string {
  const names = pieces
    .map(({ text }) => text)
    .join('')
    .split('/');
  const shapes = pieces
    .map(({ text, isQuoted }) => (isQuoted ? text.replace(/[^/]/g, '\0') : text))
    .join('')
    .split('/');
  return names
    .map((name, index) => {
      const at = name.indexOf('[');
      if (at < 0) return name;
      const isPlain = !shapes[index]?.includes('\0', at) && !/\[[:.=]|\[[!^]?\]|\\/.test(name.slice(at));
      return isPlain ? name : `${name.slice(0, at)}*`;
    })
    .join('/');
}
