import { defined } from '../../base/defined.ts';
import { excerpt } from '../../base/text.ts';
import { ownCopy } from '../../base/words/ownCopy.ts';
import type { Ulid } from '../../model/id.ts';
import type { Sender } from '../../model/message.ts';
import { parseTarget } from '../../model/namedTarget.ts';
import {
  modelFreeSteps,
  type RoutingDecision,
  type RoutingRecord,
  type RoutingResult,
  type RoutingStep,
} from '../../model/routing.ts';
import type { RoutedType } from '../../model/rule.ts';
import { Lexicon } from '../facts/lexicon.ts';
import { numbersOf } from '../facts/preparedRecipients.ts';
import { readWords, routedText } from '../facts/text.ts';
import { WordForms } from '../facts/wordForms.ts';
import { leadOf } from '../lead.ts';
import { NumberRows } from './numberRows.ts';

/** What is known of one message that was routed. Its body is not kept: its words are, as numbers of the lexicon. */
export interface PastDecision {
  readonly message: Ulid;
  readonly at: string;
  readonly on: RoutedType;
  readonly from: Sender;
  /** The project that the message named. */
  readonly within: string | undefined;
  readonly step: RoutingStep;
  /** The rules that matched when it was decided. */
  readonly rules: readonly string[];
  /** Where it went. Undefined if it was refused, or still waits. */
  readonly to: string | undefined;
  /** Whether it went nowhere, and never will. */
  readonly isRefused: boolean;
  /** Whether the receiver declined it: then it is known only where it does not belong. */
  readonly declined: boolean;
  /** Whether the receiver made it a task of its own. */
  readonly promoted: boolean;
  /** Whom the scores put first, and how far ahead of the second; absent if no candidate had a score. */
  readonly best?: { readonly recipient: string; readonly lead: number };
  /** What the sessions cost that were asked about it, in US dollars. */
  readonly usd?: number;
  /** Beginning of the body, on one line. */
  readonly excerpt: string;
  /** The words of the body in their order, with 0 between what does not stand together. */
  readonly words: Uint32Array;
}

/** A decision as it is kept, without its words. */
export type ReadDecision = Omit<PastDecision, 'words' | 'declined' | 'promoted'>;

/** Records that another thread read, in the order of the file, for an index that has what was read before them. */
export interface ReadRecords {
  /** Words that came up first in these, in the order of their numbers. */
  readonly words: readonly (readonly [stem: string, form: string])[];
  readonly records: readonly (ReadDecision | RoutingResult)[];
  /** The rows of the decisions one behind the other, and how long each is. */
  readonly rows: Uint32Array;
  readonly lengths: readonly number[];
}

/** Reads records for an index in another thread: finding the words of a body is nearly all of the work. */
export class RecordReader {
  readonly #lexicon = new Lexicon();
  readonly #forms = new WordForms();

  read(records: readonly RoutingRecord[]): ReadRecords {
    const known = this.#lexicon.size;
    const rows = records.flatMap((record) =>
      record.type === 'decision' ? [wordsOf(record, this.#lexicon, this.#forms)] : [],
    );
    return {
      words: this.#lexicon.since(known),
      records: records.map((record) => (record.type === 'decision' ? decisionOf(record) : record)),
      rows: Uint32Array.from(rows.flat()),
      lengths: rows.map(({ length }) => length),
    };
  }
}

/** Characters of a body that are kept. */
export const excerptLengthMax = 120;

/**
 * The routing history in memory, built line by line: what a rule would have done, and what became of similar messages, is
 * found through the words without reading a body again. About 2 KB for each decision of 60 words, and never more than 128 KB
 * for one (`wordsMax`).
 */
export class HistoryIndex {
  readonly lexicon = new Lexicon();
  private readonly forms = new WordForms();
  private readonly rows = new NumberRows();
  private readonly all: PastDecision[] = [];
  private readonly numbers = new Map<string, number>();
  /** Numbers of the decisions with a word, rising. */
  private readonly postings: number[][] = [];
  /** What was told of messages whose decision is not there yet. */
  private readonly early = new Map<string, RoutingResult>();

  /** In the order in which messages were decided first. */
  get decisions(): readonly PastDecision[] {
    return this.all;
  }

  /** The newest record of a message holds; a result says whether its decision was right. */
  add(record: RoutingRecord): void {
    if (record.type === 'result') this.addResult(record);
    else this.addDecision(decisionOf(record), wordsOf(record, this.lexicon, this.forms));
  }

  /** Adds what was read in another thread; all of it comes from one reader, in its order. */
  addRead({ words, records, rows, lengths }: ReadRecords): void {
    for (const [stem, form] of words) this.lexicon.add(stem, form);
    let row = 0;
    let at = 0;
    for (const record of records) {
      if ('type' in record) {
        this.addResult(record);
        continue;
      }
      const length = lengths[row++] ?? 0;
      this.addDecision(record, rows.subarray(at, at + length));
      at += length;
    }
  }

  find(message: string): PastDecision | undefined {
    return this.all[this.numbers.get(message) ?? -1];
  }

  /** Numbers (of `decisions`) of the decisions whose body has a word, rising. */
  decisionsWith(word: number): readonly number[] {
    return this.postings[word] ?? [];
  }

  private addResult(record: RoutingResult): void {
    const number = this.numbers.get(record.message);
    const known = number === undefined ? undefined : this.all[number];
    if (number === undefined || known === undefined) {
      if (this.early.size < earlyMax) this.early.set(record.message, record);
      return;
    }
    this.all[number] = withResult(known, record);
  }

  private addDecision(record: ReadDecision, found: ArrayLike<number>): void {
    const known = this.numbers.get(record.message);
    const number = known ?? this.all.length;
    const words = this.rows.keep(found);
    const decision: PastDecision = { ...record, words, declined: false, promoted: false };
    const early = this.early.get(record.message);
    this.early.delete(record.message);
    this.all[number] = early === undefined ? decision : withResult(decision, early);
    if (known === undefined) this.numbers.set(record.message, number);
    for (const word of words) if (word !== 0) this.post(word, number);
  }

  /** A word that comes again, or that was there when the message was decided before, stands in its posting already. */
  private post(word: number, number: number): void {
    const posting = this.postings[word];
    if (posting === undefined) {
      this.postings[word] = [number];
      return;
    }
    const last = posting[posting.length - 1] ?? -1;
    if (last < number) posting.push(number);
    else if (last > number) insert(posting, number);
  }
}

/** A history that was cut has results without decisions. */
const earlyMax = 10_000;

/** Whether it was decided without a model or a person. */
export function isModelFree({ step }: Pick<PastDecision, 'step'>): boolean {
  return modelFreeSteps.includes(step);
}

function wordsOf(record: RoutingDecision, lexicon: Lexicon, forms: WordForms): number[] {
  return numbersOf(readWords(routedText(record), forms), lexicon);
}

function decisionOf(record: RoutingDecision): ReadDecision {
  const { message, at, on, from, named, step, rules, outcome, body, usd } = record;
  const [first] = record.candidates;
  const target = parseTarget(named);
  return {
    ...{ message, at, on, from, step, rules: rules.length === 0 ? noRules : rules },
    within: target.kind === 'project' ? target.name : undefined,
    to: outcome.kind === 'routed' ? outcome.to : undefined,
    isRefused: outcome.kind === 'refused',
    excerpt: ownCopy(excerpt(body, excerptLengthMax)),
    ...(first !== undefined && { best: { recipient: ownCopy(first.recipient), lead: leadOf(record.candidates) } }),
    ...defined({ usd }),
  };
}

const noRules: readonly string[] = [];

/** If another than the receiver declined, the message went on since. */
function withResult(decision: PastDecision, { plan, result }: RoutingResult): PastDecision {
  if (decision.to !== plan) return decision;
  return { ...decision, declined: result === 'declined', promoted: result === 'promoted' };
}

function insert(posting: number[], number: number): void {
  let at = posting.length;
  while (at > 0 && (posting[at - 1] ?? 0) > number) at--;
  if (posting[at - 1] !== number) posting.splice(at, 0, number);
}
