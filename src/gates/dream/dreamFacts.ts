import { oneLine, withoutEnd } from '../../base/text.ts';
import { type Clause, clausesOf, isQuantity, sentencesOf, type Word, wordsOf } from './dreamWords.ts';

/** A word that is checked together with what stands around it in its clause. */
interface PlacedFact {
  readonly kind: 'number' | 'qualifier';
  readonly text: string;
  /** Content words right before and right after it, at most two each. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly clause: string;
}

/** What of a text must not be lost, taken out by code (design 4). */
export interface Facts {
  /** Code, identifiers, paths, quoted terms: they must stand literally in the new text. */
  readonly literals: readonly string[];
  /** Numbers, dates and qualifying words, with their surroundings. */
  readonly placed: readonly PlacedFact[];
  /** Content words of each sentence. */
  readonly sentences: readonly { readonly text: string; readonly words: ReadonlySet<string> }[];
}

export function factsOf(text: string): Facts {
  return {
    literals: literalsOf(text),
    placed: clausesOf(text).flatMap(placedFactsOf),
    sentences: sentencesOf(text).map((sentence) => ({ text: sentence, words: contentOf(wordsOf(sentence)) })),
  };
}

/** What `facts` holds and `text` does not, one clause each. */
export function missingFacts(facts: Facts, text: string): string[] {
  const plain = oneLine(text);
  const clauses = clausesOf(text);
  const content = contentOf(clauses.flatMap((clause) => clause.words));
  const literals = facts.literals.filter((literal) => !holdsLiteral(plain, literal)).map((literal) => `\`${literal}\``);
  const placed = facts.placed.filter((fact) => !clauses.some((clause) => holdsFact(clause, fact)));
  const sentences = facts.sentences.filter(({ words }) => isMostlyGone(words, content));
  return [
    ...literals,
    ...placed.map((fact) => `"${fact.text}" in "${shortened(fact.clause)}"`),
    ...sentences.map((sentence) => `most words of "${shortened(sentence.text)}"`),
  ];
}

/** What the facts of `text` say that none of `sources` said: a "not" or a number that came from nowhere. */
export function inventedFacts(text: string, sources: string): string[] {
  const clauses = clausesOf(sources);
  return factsOf(text)
    .placed.filter((fact) => !clauses.some((clause) => holdsFact(clause, fact)))
    .map((fact) => `"${fact.text}" in "${shortened(fact.clause)}"`);
}

const literalPatterns: readonly RegExp[] = [
  /`([^`\n]+)`/g,
  /"([^"\n]{2,120})"/g,
  /“([^”\n]{2,120})”/g,
  /(?<![\p{L}\d])'([^'\n]{2,80})'(?![\p{L}\d])/gu,
  /\b([a-z][a-z0-9+.-]{0,30}:\/\/[^\s)>"'`]+)/gi,
  /((?<![\w/:@.-])(?:~|\.{1,2}|[\w@.-]+)?(?:\/[\w@.*{}-]+)+\/?)/g,
  /(?<![\w-])(--?[a-z][\w-]*)/gi,
  /(?<![\p{L}\d_])([\p{Ll}\d]+\p{Lu}[\p{L}\d]*|\p{Lu}[\p{Ll}\d]+\p{Lu}[\p{L}\d]*)\b/gu,
  /\b(\w+(?:_\w+)+|_\w+)\b/g,
  /(?<![\p{L}\w-])-*(\p{L}[\w-]*(?:(?:\.|::|#)\p{L}[\w-]*)+)(?<!-)(?![\p{L}\w])/gu,
  /(?<![\p{L}\w-])-*(\p{L}(?=[\w-]*\d)[\w-]*)\b/gu,
  /\b(\p{Lu}{2,})\b/gu,
  /\b(v\d[\w.-]*)/gi,
  /\b(\d+[\p{L}_][\p{L}\d_]*)\b/gu,
];

/** Dots that are no code. */
const abbreviations: ReadonlySet<string> = new Set(['e.g', 'i.e', 'etc']);

function literalsOf(text: string): string[] {
  const fenced = fencedLines(text);
  const found = literalPatterns.flatMap((pattern) => [...text.matchAll(pattern)].map((match) => match[1] ?? ''));
  const trimmed = [...fenced, ...found].map((literal) => withoutEnd(oneLine(literal), '.,;:!?'));
  return [...new Set(trimmed.filter(isLiteral))];
}

/** The lines between the fences of code. */
function fencedLines(text: string): string[] {
  const lines: string[] = [];
  for (let open = text.indexOf('```'); open >= 0; ) {
    const start = text.indexOf('\n', open) + 1;
    const close = start === 0 ? -1 : text.indexOf('```', start);
    if (close < 0) break;
    lines.push(...text.slice(start, close).split('\n'));
    open = text.indexOf('```', close + 3);
  }
  return lines;
}

/** Not a plain word in capitals, nor a quantity: those are compared as words are. */
function isLiteral(text: string): boolean {
  if (!/[\p{L}\d]/u.test(text) || abbreviations.has(text) || isQuantity(text)) return false;
  const words = wordsOf(text);
  return words.length !== 1 || words[0]?.kind === 'content';
}

/** Literally, and not merely inside of a longer word. */
function holdsLiteral(text: string, literal: string): boolean {
  for (let at = text.indexOf(literal); at >= 0; at = text.indexOf(literal, at + 1)) {
    const joinsBefore = isWordCharacter(literal.charAt(0)) && isWordCharacter(text.charAt(at - 1));
    const joinsAfter = isWordCharacter(literal.slice(-1)) && isWordCharacter(text.charAt(at + literal.length));
    if (!joinsBefore && !joinsAfter) return true;
  }
  return false;
}

function isWordCharacter(character: string): boolean {
  return /^[\p{L}\d_]$/u.test(character);
}

function placedFactsOf(clause: Clause): PlacedFact[] {
  return clause.words.flatMap(({ kind, text }, at) => {
    if (kind !== 'number' && kind !== 'qualifier') return [];
    const before = contentWords(clause.words.slice(0, at)).slice(-2);
    const after = contentWords(clause.words.slice(at + 1)).slice(0, 2);
    return [{ kind, text, before, after, clause: clause.text }];
  });
}

/**
 * A qualifier must keep company on both sides, since the same "not" beside another subject or another verb says something
 * else; a number keeps one of its neighbours.
 */
function holdsFact(clause: Clause, fact: PlacedFact): boolean {
  if (!clause.words.some(({ kind, text }) => kind === fact.kind && text === fact.text)) return false;
  const content = contentOf(clause.words);
  const shares = (words: readonly string[]) => words.length === 0 || words.some((word) => content.has(word));
  if (fact.kind === 'qualifier') return shares(fact.before) && shares(fact.after);
  return shares([...fact.before, ...fact.after]);
}

/** A sentence may be said in other words, as long as half of its own are still there. */
function isMostlyGone(words: ReadonlySet<string>, content: ReadonlySet<string>): boolean {
  const kept = [...words].filter((word) => content.has(word)).length;
  return words.size > 0 && kept * 2 < words.size;
}

function contentOf(words: readonly Word[]): ReadonlySet<string> {
  return new Set(contentWords(words));
}

function contentWords(words: readonly Word[]): string[] {
  return words.filter(({ kind }) => kind === 'content').map(({ text }) => text);
}

function shortened(text: string): string {
  const plain = oneLine(text);
  return plain.length <= 80 ? plain : `${plain.slice(0, 79)}…`;
}
