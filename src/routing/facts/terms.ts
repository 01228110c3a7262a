import { oneLine } from '../../base/text.ts';
import { genericWords, particles } from '../../base/words/stopWords.ts';
import { stemOfForm } from '../../base/words/wordForm.ts';
import type { Rule } from '../../model/rule.ts';
import type { PreparedRecipients } from './preparedRecipients.ts';
import { readWords } from './text.ts';

/** Conditions of a rule, as far as its words matter. */
export type RuleWords = Pick<Rule, 'id' | 'all' | 'any' | 'none'> & { readonly enabled?: boolean };

/** Where a term is from; what stands first weighs more. */
export const termOrigins = ['rule', 'name', 'description'] as const;
export type TermOrigin = (typeof termOrigins)[number];

/** A word, or several that stand one behind the other, which a text can be about. */
export interface Term {
  /** In lower case, as it is written first. */
  readonly term: string;
  /** Terms with the same key are the same fact. */
  readonly key: string;
  readonly origin: TermOrigin;
  readonly sources: readonly string[];
  /** Ways of writing it, as stems. */
  readonly phrases: readonly (readonly string[])[];
  /** Grows as importance falls: by origin, then by how many recipients have it. */
  readonly weight: number;
}

/**
 * The terms of the rules and the recipients in order of importance, equal ones in alphabetical order. A word of the
 * prepared is left out if it means work in general or more than a quarter of the recipients have it, unless a rule names
 * it.
 */
export function termsOf(rules: readonly RuleWords[], prepared: PreparedRecipients): Term[] {
  const drafts = draftsOfRules(rules, parseTerm);
  for (const { id, names } of prepared.recipients)
    for (const name of names) addDraft(drafts, parseTerm(name), { written: name, origin: 'name', source: id });
  for (const { id, words } of prepared.recipients)
    for (const word of words) addDraft(drafts, parseTerm(word), { written: word, origin: 'description', source: id });
  return finishAll(drafts, prepared);
}

/** Those of the rules alone: they weigh more than all others, so that which of them are facts of a text depends on them only. */
export function termsOfRules(
  rules: readonly RuleWords[],
  prepared: PreparedRecipients,
  parse: typeof parseTerm,
): Term[] {
  return finishAll(draftsOfRules(rules, parse), prepared);
}

/** Everything that a rule says of facts. */
export function ruleWords({ all, any, none }: Pick<RuleWords, 'all' | 'any' | 'none'>): string[] {
  return [...(all ?? []), ...(any ?? []), ...(none ?? [])];
}

/** A fact of a rule as a text would have to say it. */
export interface ParsedTerm {
  readonly key: string;
  readonly phrases: readonly (readonly string[])[];
}

/** Undefined if only words are in it that say nothing, or none at all: no text has such a fact. */
export function parseTerm(written: string): ParsedTerm | undefined {
  const { sequence, joined } = readWords(written);
  if (sequence.every(({ form }) => particles.has(form))) return undefined;
  const phrase = sequence.map(({ stem }) => stem);
  const [first, second, third] = sequence;
  if (first === undefined || second === undefined) return { key: phrase.join(' '), phrases: [phrase] };
  const whole = joined.find(({ start, end }) => start === first.start && end === sequence.at(-1)?.end);
  const together = third === undefined ? stemOfForm(first.form + second.form) : whole?.stem;
  return { key: phrase.join(' '), phrases: together === undefined ? [phrase] : [phrase, [together]] };
}

/** What a fact of a rule is compared by. What no text can say has a key all the same, which no fact of a message has. */
export function factKey(written: string, parse: typeof parseTerm = parseTerm): string {
  return parse(written)?.key ?? `\0${written}`;
}

interface Draft {
  readonly term: string;
  readonly parsed: ParsedTerm;
  readonly origin: TermOrigin;
  readonly sources: Set<string>;
}

/** Rules that are off have no terms. */
function draftsOfRules(rules: readonly RuleWords[], parse: typeof parseTerm): Map<string, Draft> {
  const drafts = new Map<string, Draft>();
  for (const rule of rules) {
    if (rule.enabled === false) continue;
    for (const fact of ruleWords(rule))
      addDraft(drafts, parse(fact), { written: fact, origin: 'rule', source: rule.id });
  }
  return drafts;
}

interface Occurrence {
  readonly written: string;
  readonly origin: TermOrigin;
  readonly source: string;
}

function addDraft(drafts: Map<string, Draft>, parsed: ParsedTerm | undefined, occurrence: Occurrence): void {
  if (parsed === undefined) return;
  const { written, origin, source } = occurrence;
  const known = drafts.get(parsed.key);
  if (known === undefined) {
    const lower = oneLine(written.toLowerCase());
    // A rule has to know the fact again, and `accessToken` in lower case is another word.
    const term = lower === written || parseTerm(lower)?.key === parsed.key ? lower : formsOf(written).join(' ');
    drafts.set(parsed.key, { term, parsed, origin, sources: new Set([source]) });
  } else if (known.origin === origin && known.sources.size < sourcesMax) known.sources.add(source);
}

function formsOf(written: string): string[] {
  return readWords(written).sequence.map(({ form }) => form);
}

/** The most sources of a term that are named; more would not help the reader. */
const sourcesMax = 5;

function finishAll(drafts: ReadonlyMap<string, Draft>, prepared: PreparedRecipients): Term[] {
  return [...drafts]
    .flatMap(([key, draft]) => finish(key, draft, prepared))
    .sort((a, b) => a.weight - b.weight || (a.term < b.term ? -1 : 1));
}

function finish(key: string, { term, parsed, origin, sources }: Draft, prepared: PreparedRecipients): Term[] {
  const frequency = prepared.frequency(parsed.phrases);
  if (origin !== 'rule' && (genericWords.has(term) || frequency > Math.max(3, prepared.recipients.length / 4)))
    return [];
  const weight = weightOf(origin, frequency);
  return [{ term, key, origin, sources: [...sources], phrases: parsed.phrases, weight }];
}

/** Grows as importance falls. */
export function weightOf(origin: TermOrigin, frequency: number): number {
  return termOrigins.indexOf(origin) * originWeight + Math.min(frequency, originWeight - 1);
}

/** The weight of one step of the origin, above that of any frequency. */
const originWeight = 2 ** 20;
