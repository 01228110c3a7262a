import type { QualifiedId } from '../../model/id.ts';
import { rootPlanName } from '../../model/id.ts';
import type { Recipient } from '../../model/routing.ts';
import { Lexicon } from './lexicon.ts';
import { TermMatcher } from './termMatcher.ts';
import { readWords, rowOf, type Words } from './text.ts';

/** A recipient as texts are compared with it. */
export interface PreparedRecipient {
  readonly id: QualifiedId;
  /** The parts of its id and its tags, each as a whole and word by word. */
  readonly names: readonly string[];
  /** The words of its description. */
  readonly words: readonly string[];
  /** The stems of all that as numbers of the shared lexicon, with 0 between what does not stand together. */
  readonly sequence: Uint32Array;
}

/** Whom messages can be routed to, prepared: it stays until a plan or an expert changes, however often the rules do. */
export class PreparedRecipients {
  readonly recipients: readonly PreparedRecipient[];
  readonly lexicon: Lexicon;
  /** Numbers of the recipients that have a word, by its number. */
  private readonly postings: readonly (readonly number[])[];

  constructor(recipients: readonly PreparedRecipient[], lexicon: Lexicon) {
    this.recipients = recipients;
    this.lexicon = lexicon;
    const postings = Array.from({ length: lexicon.size + 1 }, (): number[] => []);
    for (const [number, { sequence }] of recipients.entries()) {
      for (const word of new Set(sequence)) postings[word]?.push(number);
    }
    this.postings = postings;
  }

  /** Numbers of the recipients in which a stem stands, rising. */
  recipientsWith(stem: string): readonly number[] {
    const word = this.lexicon.find(stem);
    return word === 0 ? [] : (this.postings[word] ?? []);
  }

  /** How many recipients say one of these phrases. */
  frequency(phrases: readonly (readonly string[])[]): number {
    const [only] = phrases;
    if (phrases.length === 1 && only?.length === 1) return this.recipientsWith(only[0] ?? '').length;
    const possible = new Set(phrases.flatMap(([head = '']) => this.recipientsWith(head)));
    if (possible.size === 0) return 0;
    const matcher = new TermMatcher([{ phrases }], this.lexicon);
    let count = 0;
    for (const number of possible) {
      let found = false;
      matcher.match(this.recipients[number]?.sequence ?? nothing, () => {
        found = true;
      });
      if (found) count++;
    }
    return count;
  }
}

const nothing = new Uint32Array();

export function prepareRecipients(recipients: readonly Recipient[]): PreparedRecipients {
  const lexicon = new Lexicon();
  const prepared = recipients.map((recipient) => prepare(recipient, lexicon));
  return new PreparedRecipients(prepared, lexicon);
}

function prepare({ id, description, tags }: Recipient, lexicon: Lexicon): PreparedRecipient {
  const parts = id.startsWith('expert:')
    ? [id.slice('expert:'.length)]
    : id.split('/').filter((part) => part !== rootPlanName);
  const named = [...parts, ...tags];
  const readings = named.map((name) => readWords(name));
  const described = readWords(description);
  const names = new Set([...named, ...readings.flatMap(({ sequence }) => sequence.map(({ form }) => form))]);
  const sequence = [...readings, described].flatMap((words) => numbersOf(words, lexicon));
  return { id, names: [...names], words: formsOf(described), sequence: Uint32Array.from(sequence) };
}

function formsOf({ sequence }: Words): string[] {
  return [...new Set(sequence.map(({ form }) => form))];
}

/** A text as numbers, which are new where its words are, with 0 between what does not stand together. */
export function numbersOf(words: Words, lexicon: Lexicon): number[] {
  return rowOf(words).map((word) => (word === undefined ? 0 : lexicon.add(word.stem, word.form)));
}
