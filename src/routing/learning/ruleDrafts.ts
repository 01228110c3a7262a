import type { RoutedType, Rule } from '../../model/rule.ts';
import { parseTerm } from '../facts/terms.ts';
import type { HistoryIndex } from '../history/historyIndex.ts';
import { type RuleKeyParts, stemsOf } from '../rules/ruleKey.ts';
import { isExpert } from './decisionLabels.ts';
import { distinctWords, type HistoryEvidence, isFactWord, type WordEvidence } from './wordEvidence.ts';

/** A rule as the history suggests it, before it is held against all of the history. */
export interface RuleDraft {
  readonly target: string;
  readonly on: RoutedType | undefined;
  readonly all: readonly string[];
  readonly any: readonly string[];
  readonly none: readonly string[];
  /** The rule that it widens or corrects. */
  readonly replaces: Rule | undefined;
  /** Whether it is there because the history contradicts the rule that it replaces. */
  readonly corrects: boolean;
  /** Numbers of the decisions that speak for what is new, rising. */
  readonly support: readonly number[];
}

export interface RuleDraftOptions {
  readonly rules: readonly Rule[];
  readonly refused: readonly RuleKeyParts[];
  readonly evidence: HistoryEvidence;
  readonly supportMin: number;
}

/** Words of one rule; a person reads them. */
const anyMax = 40;
/** Words that lead to several recipients, and are looked at with a second word. */
const anchorsMax = 400;
const anchorsOfRecipientMax = 10;
/** The newest messages with such a word that are looked at. */
const anchoredMax = 2000;

/** Drafts: first those that correct a rule, then the others by how many messages support them. Pauses from time to time. */
export function* draftRules(index: HistoryIndex, options: RuleDraftOptions): Generator<undefined, RuleDraft[]> {
  const drafts: RuleDraft[] = [];
  for (const [recipient, evidence] of options.evidence.byRecipient) {
    yield;
    const wider = wordDraft(index, options, { recipient, evidence });
    if (wider !== undefined) drafts.push(wider);
  }
  for (const anchor of pairAnchors(options)) {
    yield;
    const pair = pairDraft(index, options, anchor);
    if (pair !== undefined) drafts.push(pair);
  }
  return [...correctingDrafts(index, options.rules), ...drafts.sort(bySupport)];
}

interface RecipientEvidence {
  readonly recipient: string;
  readonly evidence: readonly WordEvidence[];
}

/** One rule of words for a recipient: the one that it has, with those that it lacks. */
function wordDraft(
  index: HistoryIndex,
  options: RuleDraftOptions,
  { recipient, evidence }: RecipientEvidence,
): RuleDraft | undefined {
  const { rules, supportMin } = options;
  const known = knownWords(options, recipient);
  const fresh = evidence
    .filter((one) => isTelling(index, one, supportMin) && !known.has(keyOf(index, one.word)))
    .sort(byStrength);
  if (fresh.length === 0) return undefined;
  const replaces = rules.find((rule) => canWiden(rule, recipient));
  const before = replaces?.any ?? [];
  const words = fresh.slice(0, Math.max(0, anyMax - before.length));
  if (words.length === 0) return undefined;
  return {
    target: recipient,
    on: replaces === undefined ? typeFor(recipient) : replaces.on,
    all: [],
    any: [...before, ...words.map(({ word }) => index.lexicon.formOf(word))],
    none: replaces?.none ?? [],
    replaces,
    corrects: false,
    support: union(words.map(({ agreeing }) => agreeing)),
  };
}

/**
 * A word is telling if its messages always went to one recipient, and if it is more than the habit of one sender. With
 * few exceptions among many messages it is tried: they may have a word of their own.
 */
function isTelling(index: HistoryIndex, word: WordEvidence, supportMin: number): boolean {
  const { agreed, opposed, expected } = word;
  const isFirm = agreed > 0 && opposed === 0 && agreed + expected >= supportMin;
  const isTried = agreed >= supportMin && agreed >= 4 * opposed;
  if (!isFirm && !isTried) return false;
  return expected > 0 || agreed >= 2 * supportMin || haveSeveralSenders(index, word.agreeing);
}

function haveSeveralSenders(index: HistoryIndex, numbers: readonly number[]): boolean {
  const [first, ...others] = numbers.map((number) => index.decisions[number]?.from);
  return others.some((from) => from !== first);
}

/** Words that a rule for the recipient has already, on or off, and those of rules for it that were refused. */
function knownWords({ rules, refused }: RuleDraftOptions, recipient: string): Set<string> {
  const mine = rules.filter(({ target, all }) => target === recipient && (all ?? []).length === 0);
  const turnedDown = refused.filter(({ target }) => target === recipient);
  const kept = new Set(mine.flatMap(({ any }) => stemsOf(any)));
  return new Set([...kept, ...turnedDown.flatMap(({ any }) => stemsOf(any))]);
}

function canWiden({ enabled, target, all, any, from, on }: Rule, recipient: string): boolean {
  const isPlain = (all ?? []).length === 0 && (any ?? []).length > 0 && from === undefined;
  return enabled && target === recipient && isPlain && on === typeFor(recipient);
}

/** Experts are asked; they are given nothing to do. */
function typeFor(recipient: string): RoutedType | undefined {
  return isExpert(recipient) ? 'query' : undefined;
}

interface PairAnchor {
  readonly recipient: string;
  readonly anchor: WordEvidence;
}

/** Words that several recipients share. */
function pairAnchors({ evidence: gathered, supportMin }: RuleDraftOptions): PairAnchor[] {
  return [...gathered.byRecipient]
    .flatMap(([recipient, evidence]) =>
      evidence
        .filter(({ agreed, opposed }) => agreed >= supportMin && agreed < 4 * opposed)
        .sort(byStrength)
        .slice(0, anchorsOfRecipientMax)
        .map((anchor) => ({ recipient, anchor })),
    )
    .sort((a, b) => byStrength(a.anchor, b.anchor))
    .slice(0, anchorsMax);
}

/** A rule of such a word, together with any of the words that tell its recipients apart. */
function pairDraft(
  index: HistoryIndex,
  options: RuleDraftOptions,
  { recipient, anchor }: PairAnchor,
): RuleDraft | undefined {
  const key = keyOf(index, anchor.word);
  const known = knownPairs(options, recipient, key);
  const seconds = secondWords(index, options.evidence, { recipient, anchor })
    .filter(({ word, agreed }) => agreed >= 2 && word !== anchor.word)
    .filter(({ agreeing }) => haveSeveralSenders(index, agreeing))
    .filter(({ word }) => known.size === 0 || !known.has(keyOf(index, word)))
    .sort(byStrength)
    .slice(0, anyMax);
  const support = union(seconds.map(({ agreeing }) => agreeing));
  if (support.length < options.supportMin) return undefined;
  const words = seconds.map(({ word }) => index.lexicon.formOf(word));
  const all = [index.lexicon.formOf(anchor.word)];
  return {
    target: recipient,
    on: typeFor(recipient),
    all,
    any: words,
    none: [],
    replaces: undefined,
    corrects: false,
    support,
  };
}

/** Words that rules for the recipient, refused ones included, already have: beside this first word, or sufficient alone. */
function knownPairs({ rules, refused }: RuleDraftOptions, recipient: string, first: string): Set<string> {
  const mine = [...rules, ...refused].filter(
    ({ target, all }) => target === recipient && ((all ?? []).length === 0 || stemsOf(all).includes(first)),
  );
  return new Set(mine.flatMap(({ any }) => stemsOf(any)));
}

/** What stands beside a word in the messages for a recipient, and never in those for others. */
export function secondWords(
  index: HistoryIndex,
  evidence: HistoryEvidence,
  { recipient, anchor }: { readonly recipient: string; readonly anchor: Pick<WordEvidence, 'agreeing' | 'against'> },
): WordEvidence[] {
  const beside = new Map<number, number[]>();
  for (const number of anchor.agreeing.slice(-anchoredMax)) {
    for (const word of wordsAt(index, number)) {
      // A word that mostly leads elsewhere does not help beside another one.
      if (!evidence.leansTo(word, recipient)) continue;
      const numbers = beside.get(word);
      if (numbers === undefined) beside.set(word, [number]);
      else numbers.push(number);
    }
  }
  const elsewhere = new Set(anchor.against.slice(-anchoredMax));
  return [...beside]
    .filter(([word]) => !index.decisionsWith(word).some((number) => elsewhere.has(number)) && isFactWord(index, word))
    .map(([word, agreeing]) => ({ word, agreeing, against: [], agreed: agreeing.length, opposed: 0, expected: 0 }));
}

/** Rules that decided about messages, or would have, and were wrong. */
function correctingDrafts(index: HistoryIndex, rules: readonly Rule[]): RuleDraft[] {
  const wrong = new Set<string>();
  const targets = new Map(rules.map(({ id, target }) => [id, target]));
  for (const { rules: matched, to, declined } of index.decisions) {
    if (to === undefined) continue;
    for (const id of matched) {
      const target = targets.get(id);
      if (target === to ? declined : target !== undefined && !declined) wrong.add(id);
    }
  }
  return rules
    .filter(({ id, enabled, any, from }) => enabled && wrong.has(id) && (any ?? []).length > 0 && from === undefined)
    .map((rule) => {
      const { target, on, all, any, none } = rule;
      const conditions = { all: all ?? [], any: any ?? [], none: none ?? [] };
      return { target, on, ...conditions, replaces: rule, corrects: true, support: [] };
    });
}

function wordsAt(index: HistoryIndex, number: number): number[] {
  const decision = index.decisions[number];
  return decision === undefined ? [] : distinctWords(decision);
}

function keyOf(index: HistoryIndex, word: number): string {
  return parseTerm(index.lexicon.formOf(word))?.key ?? '';
}

function union(sets: readonly (readonly number[])[]): number[] {
  return [...new Set(sets.flat())].sort((a, b) => a - b);
}

/** What was in the history first comes first among equals. */
export function byStrength(a: WordEvidence, b: WordEvidence): number {
  return b.agreed + b.expected - a.agreed - a.expected || a.word - b.word;
}

function bySupport(a: RuleDraft, b: RuleDraft): number {
  return b.support.length - a.support.length || (a.target < b.target ? -1 : 1);
}
