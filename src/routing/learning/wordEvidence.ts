import { genericWords } from '../../base/words/stopWords.ts';
import type { Recipient } from '../../model/routing.ts';
import type { PreparedRecipients } from '../facts/preparedRecipients.ts';
import { parseTerm } from '../facts/terms.ts';
import type { HistoryIndex, PastDecision } from '../history/historyIndex.ts';
import { type DecisionLabels, isExpert, readDecisionLabels, type Split } from './decisionLabels.ts';

/** What the history says of one word, as far as messages for one recipient have it. Words are numbers of the index's lexicon. */
export interface WordEvidence extends Split {
  readonly word: number;
  /** Numbers of the decisions that have the word and went to the recipient, rising. Found again each time, like `against`. */
  readonly agreeing: readonly number[];
  /** Numbers of those that went elsewhere, or that the recipient declined, rising. */
  readonly against: readonly number[];
  /** How many those are, which is known without finding them. */
  readonly agreed: number;
  readonly opposed: number;
  /** Messages that the descriptions count for: a word that it has for this recipient alone was expected there anyway. */
  readonly expected: number;
}

/** Words of one decision that are looked at; a long log holds no more of what it is about than its beginning. */
const labelledWordsMax = 200;

/** The words of a decision that can be facts, each once, in the order of the text. */
export function distinctWords({ words }: PastDecision): number[] {
  const found = new Set<number>();
  for (const word of words) {
    if (word !== 0) found.add(word);
    if (found.size >= labelledWordsMax) break;
  }
  return [...found];
}

export interface HistoryEvidence {
  readonly byRecipient: ReadonlyMap<string, readonly WordEvidence[]>;
  readonly labels: DecisionLabels;
  /** Whether at least half of a word's messages went to a recipient. */
  leansTo(word: number, recipient: string): boolean;
}

/**
 * Evidence by recipient: for each word, the recipient that most of its messages went to. A word that fewer than `leastMessages`
 * messages have is told of only if the descriptions expect it. Looks at each word of the history once, so the time grows
 * with its words (at most `wordsMax` for a message), and it pauses from time to time. What is decided meanwhile is left out.
 */
export function* gatherEvidence(
  index: HistoryIndex,
  options: {
    readonly recipients: readonly Recipient[];
    readonly prepared: PreparedRecipients;
    readonly leastMessages: number;
  },
): Generator<undefined, HistoryEvidence> {
  const { recipients, prepared, leastMessages } = options;
  const labels = yield* readDecisionLabels(index);
  const known = new Set<string>(recipients.map(({ id }) => id));
  const expectedAt = expectedRecipients(index, prepared);
  const byRecipient = new Map<string, WordEvidence[]>();
  const tally = new RecipientTally(labels);
  const leanings = new Leanings(labels, index.lexicon.size);
  let checked = 0;
  for (let word = 1; word <= leanings.words; word += 1) {
    const numbers = index.decisionsWith(word);
    checked += numbers.length + wordCost;
    if (checked > sliceLength) {
      checked = 0;
      yield;
    }
    if (numbers.length === 0) continue;
    const recipient = tally.count(numbers);
    leanings.record(word, tally.halves());
    if (recipient === undefined || !known.has(recipient)) continue;
    const expected = expectedAt.get(word) === recipient ? expectedWorth : 0;
    const counts = tally.split(numbers, recipient);
    if (counts.agreed + expected < leastMessages || !isFactWord(index, word)) continue;
    const evidence = new FoundEvidence(index, labels, { word, recipient, expected, ...counts });
    const others = byRecipient.get(recipient);
    if (others === undefined) byRecipient.set(recipient, [evidence]);
    else others.push(evidence);
  }
  return { byRecipient, labels, leansTo: (word, recipient) => leanings.has(word, recipient) };
}

/** Messages with a word that are looked at between two pauses: a few milliseconds. */
const sliceLength = 100_000;
/** What a word costs by itself, in messages. */
const wordCost = 50;

/** Words are many, and of most of them only the counts are asked for. */
class FoundEvidence implements WordEvidence {
  readonly word: number;
  readonly agreed: number;
  readonly opposed: number;
  readonly expected: number;
  private readonly recipient: string;
  private readonly index: HistoryIndex;
  private readonly labels: DecisionLabels;

  constructor(
    index: HistoryIndex,
    labels: DecisionLabels,
    found: Pick<WordEvidence, 'word' | 'agreed' | 'opposed' | 'expected'> & { readonly recipient: string },
  ) {
    this.index = index;
    this.labels = labels;
    this.word = found.word;
    this.recipient = found.recipient;
    this.agreed = found.agreed;
    this.opposed = found.opposed;
    this.expected = found.expected;
  }

  get agreeing(): readonly number[] {
    return this.labels.split(this.index.decisionsWith(this.word), this.recipient).agreeing;
  }

  get against(): readonly number[] {
    return this.labels.split(this.index.decisionsWith(this.word), this.recipient).against;
  }
}

/** To which recipients the messages with a word went; for one word after the other. */
class RecipientTally {
  private readonly labels: DecisionLabels;
  private readonly counts: Uint32Array;
  /** Recipients with a count. */
  private readonly touched: number[] = [];
  private whole = 0;

  constructor(labels: DecisionLabels) {
    this.labels = labels;
    this.counts = new Uint32Array(labels.recipients.length);
  }

  /** The recipient of most; of equals the one that comes first in the alphabet, so that the same history always says the same. */
  count(decisions: readonly number[]): string | undefined {
    const { labels, counts, touched } = this;
    for (const recipient of touched) counts[recipient] = 0;
    touched.length = 0;
    this.whole = 0;
    for (const decision of decisions) {
      const recipient = labels.recipientOf[decision] ?? 0;
      if (recipient === 0 || labels.isDeclined(decision)) continue;
      const before = counts[recipient] ?? 0;
      if (before === 0) touched.push(recipient);
      counts[recipient] = before + 1;
      this.whole += 1;
    }
    let [best, most]: [string | undefined, number] = [undefined, 0];
    for (const number of touched) {
      const [recipient = '', count = 0] = [labels.recipients[number], counts[number]];
      if (count > most || (count === most && best !== undefined && recipient < best)) [best, most] = [recipient, count];
    }
    return best;
  }

  /** Numbers of the recipients, one or two, to which at least half of the messages went. */
  halves(): readonly number[] {
    return this.touched.filter((recipient) => 2 * (this.counts[recipient] ?? 0) >= this.whole);
  }

  split(decisions: readonly number[], recipient: string): { readonly agreed: number; readonly opposed: number } {
    const number = this.labels.numberOf(recipient);
    const isAsked = isExpert(recipient);
    let [agreed, opposed] = [0, 0];
    for (const decision of decisions) {
      const judged = this.labels.judge(decision, number, isAsked);
      if (judged === 'agreeing') agreed += 1;
      if (judged === 'against') opposed += 1;
    }
    return { agreed, opposed };
  }
}

/** The recipients that words lean to. */
class Leanings {
  private readonly labels: DecisionLabels;
  /** Two numbers of recipients for each word. */
  private readonly recipients: Uint32Array;

  constructor(labels: DecisionLabels, words: number) {
    this.labels = labels;
    this.recipients = new Uint32Array(2 * (words + 1));
  }

  /** The largest word that was there when this was made. */
  get words(): number {
    return this.recipients.length / 2 - 1;
  }

  record(word: number, [first = 0, second = 0]: readonly number[]): void {
    this.recipients[2 * word] = first;
    this.recipients[2 * word + 1] = second;
  }

  has(word: number, recipient: string): boolean {
    const number = this.labels.numberOf(recipient);
    return number !== 0 && (this.recipients[2 * word] === number || this.recipients[2 * word + 1] === number);
  }
}

/** Whether a rule that writes the word would find it again, and whether it says anything. */
export function isFactWord({ lexicon }: HistoryIndex, word: number): boolean {
  const form = lexicon.formOf(word);
  if (form.length < 2 || genericWords.has(form)) return false;
  const key = parseTerm(form)?.key;
  return key !== undefined && lexicon.find(key) === word;
}

/** How many messages it is worth if only one recipient has the word in its name or description. */
const expectedWorth = 2;

/** The recipients of words that only one recipient has. */
function expectedRecipients({ lexicon }: HistoryIndex, prepared: PreparedRecipients): Map<number, string> {
  const expected = new Map<number, string>();
  for (const stem of prepared.lexicon.stems()) {
    const word = lexicon.find(stem);
    const [only, second] = prepared.recipientsWith(stem);
    const recipient = only === undefined ? undefined : prepared.recipients[only]?.id;
    if (word !== 0 && recipient !== undefined && second === undefined) expected.set(word, recipient);
  }
  return expected;
}
