import { oneLine, plural, withoutEnd } from '../../base/text.ts';
import { type Clause, type DreamWord, dreamWordsOf, isQuantity, type Sentence, sentencesOf } from './dreamWords.ts';

/** A word that is checked together with what stands around it in its clause. */
interface PlacedFact {
  readonly kind: 'number' | 'qualifier';
  readonly text: string;
  /** Content words right before and right after it, at most two each. */
  readonly before: readonly string[];
  readonly after: readonly string[];
  readonly clause: string;
}

/** What of a text must not be lost, taken out by code. */
export interface Facts {
  /** Code, identifiers, paths, quoted terms: they must stand literally in the new text. */
  readonly literals: readonly string[];
  /** Numbers, dates and qualifying words, with their surroundings. */
  readonly placed: readonly PlacedFact[];
  /** Content words of each sentence. */
  readonly sentences: readonly { readonly text: string; readonly words: ReadonlySet<string> }[];
}

export function dreamFactsOf({ text, sentences }: DreamText): Facts {
  return {
    literals: literalsOf(text),
    placed: placedIn(sentences),
    sentences: sentences.map((sentence) => ({ text: sentence.text, words: contentOf(sentence.clauses) })),
  };
}

function placedIn(sentences: readonly Sentence[]): PlacedFact[] {
  return sentences.flatMap(({ clauses }) => clauses.flatMap(placedFactsOf));
}

/**
 * Longest title and body of an entry that is compared: 65,536 characters, nearly twice what one is known to have in practice. A
 * longer one would hold up everything else while it is read.
 */
export const comparedMax = 65_536;

type Holder<T> = (fact: T, budget: SearchBudget) => boolean;

/** A text with facts, taken apart once for those that it has and those that are looked for in it. */
export class DreamText {
  readonly text: string;
  readonly sentences: readonly Sentence[];
  #content: ReadonlySet<string> | undefined;
  #holds: Holder<PlacedFact> | undefined;
  #holdsLiteral: Holder<string> | undefined;

  constructor(text: string) {
    this.text = text;
    this.sentences = sentencesOf(text);
  }

  get content(): ReadonlySet<string> {
    this.#content ??= contentOf(this.#clauses());
    return this.#content;
  }

  holds(fact: PlacedFact, budget: SearchBudget): boolean {
    this.#holds ??= factHolder(this.#clauses());
    return this.#holds(fact, budget);
  }

  holdsLiteral(literal: string, budget: SearchBudget): boolean {
    this.#holdsLiteral ??= literalHolder(oneLine(this.text));
    return this.#holdsLiteral(literal, budget);
  }

  #clauses(): Clause[] {
    return this.sentences.flatMap(({ clauses }) => clauses);
  }
}

/** The facts that none of the texts holds. */
export function unheldFacts(facts: Facts, texts: readonly DreamText[]): Facts {
  const budget = { left: comparisonsMax };
  return {
    literals: facts.literals.filter((literal) => !texts.some((text) => text.holdsLiteral(literal, budget))),
    placed: facts.placed.filter((fact) => !texts.some((text) => text.holds(fact, budget))),
    sentences: facts.sentences.filter(({ words }) => isMostlyGone(words, texts)),
  };
}

export function countOf({ literals, placed, sentences }: Facts): number {
  return literals.length + placed.length + sentences.length;
}

/** What `facts` holds and none of the texts does, one clause each; the first of them, and how many there are beside. */
export function missingFacts(facts: Facts, texts: readonly DreamText[]): string[] {
  return shownFacts(unheldFacts(facts, texts));
}

/** What `text` says that none of `sources` said: a "not" or a number that came from nowhere; as `missingFacts`. */
export function inventedFacts(text: DreamText, sources: readonly DreamText[]): string[] {
  return shownFacts(unheldFacts({ literals: [], placed: placedIn(text.sentences), sentences: [] }, sources));
}

/** A reader needs no more than this of what one entry lost. */
const shownMax = 100;

function shownFacts(facts: Facts): string[] {
  const { literals, placed, sentences } = facts;
  const left = () => shownMax - shown.length;
  const shown = literals.slice(0, shownMax).map((literal) => `\`${literal}\``);
  shown.push(...placed.slice(0, left()).map(shownFact));
  shown.push(...sentences.slice(0, left()).map((sentence) => `most words of "${shortened(sentence.text)}"`));
  const more = countOf(facts) - shown.length;
  return more === 0 ? shown : [...shown, plural(more, 'more fact')];
}

function shownFact({ text, clause }: PlacedFact): string {
  return `"${text}" in "${shortened(clause)}"`;
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

/** Abbreviations with dots, which do not count as code. */
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
  const words = dreamWordsOf(text);
  return words.length !== 1 || words[0]?.kind === 'content';
}

/**
 * How often the texts are searched for all facts of an entry together. Texts that repeat the same few words could make
 * each fact as costly as the whole text: a fact not found within this limit counts as missing, which costs the session
 * an attempt.
 */
const comparisonsMax = 2_000_000;

/** How many more comparisons the search may make. */
interface SearchBudget {
  left: number;
}

/**
 * Whether a text holds a literal, and not merely inside of a longer word. The words of a literal are then whole words of
 * the text, so it is looked for at those places alone where the rarest of them stands.
 */
function literalHolder(text: string): Holder<string> {
  const places = new Map<string, number[]>();
  for (const { 0: word, index } of text.matchAll(wholeWord)) {
    const known = places.get(word);
    if (known === undefined) places.set(word, [index]);
    else known.push(index);
  }
  return (literal, budget) => {
    let rarest: { readonly offset: number; readonly at: readonly number[] } | undefined;
    for (const { 0: word, index: offset } of literal.matchAll(wholeWord)) {
      const at = places.get(word) ?? [];
      if (rarest === undefined || at.length < rarest.at.length) rarest = { offset, at };
    }
    if (rarest === undefined) return false;
    const { offset, at } = rarest;
    return at.some((place) => {
      budget.left -= 1 + literal.length / 64;
      return budget.left > 0 && place >= offset && standsAt(text, literal, place - offset);
    });
  };
}

function standsAt(text: string, literal: string, at: number): boolean {
  if (!text.startsWith(literal, at)) return false;
  const joinsBefore = isWordCharacter(literal.charAt(0)) && isWordCharacter(text.charAt(at - 1));
  const joinsAfter = isWordCharacter(literal.slice(-1)) && isWordCharacter(text.charAt(at + literal.length));
  return !joinsBefore && !joinsAfter;
}

function isWordCharacter(character: string): boolean {
  return /^[\p{L}\d_]$/u.test(character);
}

const wholeWord = /[\p{L}\d_]+/gu;

function placedFactsOf({ words, text: clause }: Clause): PlacedFact[] {
  const content = contentWords(words);
  let passed = 0;
  return words.flatMap(({ kind, text }) => {
    if (kind === 'content') passed += 1;
    if (kind !== 'number' && kind !== 'qualifier') return [];
    const before = content.slice(Math.max(0, passed - 2), passed);
    return [{ kind, text, before, after: content.slice(passed, passed + 2), clause }];
  });
}

/**
 * Whether one of some clauses holds a fact. A qualifier must keep company on both sides, since the same "not" beside
 * another subject or another verb says something else; a number keeps one of its neighbours.
 */
function factHolder(clauses: readonly Clause[]): Holder<PlacedFact> {
  // The numbers of the clauses that hold a word: those of the rarest word of a fact are looked at.
  const withFact = new Map<string, Set<number>>();
  const withContent = new Map<string, Set<number>>();
  for (const [at, { words }] of clauses.entries()) {
    for (const word of words) {
      if (isPlaced(word)) note(withFact, keyOf(word), at);
      else if (word.kind === 'content') note(withContent, word.text, at);
    }
  }
  return (fact, budget) => {
    const own = [withFact.get(keyOf(fact)) ?? none];
    const beside = (words: readonly string[]) => words.map((word) => withContent.get(word) ?? none);
    const company =
      fact.kind === 'qualifier' ? [beside(fact.before), beside(fact.after)] : [beside([...fact.before, ...fact.after])];
    const needed = [own, ...company.filter((sets) => sets.length > 0)];
    const rarest = needed.toSorted((one, other) => sizeOf(one) - sizeOf(other))[0] ?? own;
    for (const set of rarest) {
      for (const clause of set) {
        budget.left -= 1;
        if (budget.left < 0) return false;
        if (needed.every((sets) => sets.some((one) => one.has(clause)))) return true;
      }
    }
    return false;
  };
}

const none: ReadonlySet<number> = new Set();

function note(index: Map<string, Set<number>>, word: string, clause: number): void {
  const known = index.get(word);
  if (known === undefined) index.set(word, new Set([clause]));
  else known.add(clause);
}

function sizeOf(sets: readonly ReadonlySet<number>[]): number {
  return sets.reduce((size, set) => size + set.size, 0);
}

function isPlaced({ kind }: DreamWord): boolean {
  return kind === 'number' || kind === 'qualifier';
}

function keyOf({ kind, text }: Pick<DreamWord, 'kind' | 'text'>): string {
  return `${kind} ${text}`;
}

/** A sentence may be said in other words, as long as half of its own are still there. */
function isMostlyGone(words: ReadonlySet<string>, texts: readonly DreamText[]): boolean {
  const kept = [...words].filter((word) => texts.some(({ content }) => content.has(word))).length;
  return words.size > 0 && kept * 2 < words.size;
}

function contentOf(clauses: readonly Clause[]): ReadonlySet<string> {
  const content = new Set<string>();
  for (const { words } of clauses) for (const { kind, text } of words) if (kind === 'content') content.add(text);
  return content;
}

function contentWords(words: readonly DreamWord[]): string[] {
  return words.filter(({ kind }) => kind === 'content').map(({ text }) => text);
}

function shortened(text: string): string {
  // Many facts can stand in one long clause.
  const plain = oneLine(text.slice(0, 512));
  return plain.length <= 80 ? plain : `${plain.slice(0, 79)}…`;
}
