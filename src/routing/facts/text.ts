import { particles } from '../../base/words/stopWords.ts';
import { eachToken } from './tokens.ts';
import { WordForms, type WordPart } from './wordForms.ts';

/** Characters of a text that are looked at: a long log behind a question changes nothing of what the question is about. */
export const textLengthMax = 64 * 1024;
/** Words of a text that are looked at; with it the memory of one decision is bounded. */
export const wordsMax = 4096;

export interface Word {
  readonly stem: string;
  /** As it is written, in lower case and without accents. */
  readonly form: string;
  /** Where it stands, in UTF-16 units. */
  readonly start: number;
  readonly end: number;
  /** Too much stands between it and the word before for both to be one name. */
  readonly isApart: boolean;
}

/**
 * The words of a text. `sequence` is what stands one behind the other, with compound names taken apart (`refundPayment`,
 * `refund_payment`); `joined` are compounds as one word (`JavaScript` as javascript, `check-out` and `check out` as
 * checkout). Stop words, addresses, times, numbers and identifiers such as hashes are in neither.
 */
export interface Words {
  readonly sequence: readonly Word[];
  readonly joined: readonly Word[];
}

/** What of a message tells where it belongs: why it was sent, and what it says. */
export function routedText({ reason, body }: { readonly reason: string; readonly body: string }): string {
  return `${reason}\n${body}`;
}

/** The words of a text in one row, with nothing between what does not stand together: what phrases are looked for in. */
export function rowOf({ sequence, joined }: Words): (Word | undefined)[] {
  const row: (Word | undefined)[] = [];
  for (const word of sequence) {
    if (word.isApart) row.push(undefined);
    row.push(word);
  }
  row.push(undefined);
  for (const word of joined) row.push(word, undefined);
  return row;
}

/**
 * Reads the words of any text. The text is only data; the time depends on its length, never on its content. A caller
 * that reads many texts passes `forms`, which remembers the parts of words.
 */
export function readWords(text: string, forms = new WordForms()): Words {
  const reader = new WordReader(forms);
  eachToken(beginningOf(text), (found, start) => reader.take(found, start, text[start - 1]));
  return reader.words;
}

/** Cut between two words, so that no half of one is taken for another. */
function beginningOf(text: string): string {
  if (text.length <= textLengthMax) return text;
  const beginning = text.slice(0, textLengthMax);
  return beginning.replace(/[\p{L}\p{N}\p{M}]{1,100}$/u, '');
}

class WordReader {
  private readonly forms: WordForms;
  private readonly sequence: Word[] = [];
  private readonly joined: Word[] = [];
  /** Stop words since the last word. */
  private passed = 0;

  constructor(forms: WordForms) {
    this.forms = forms;
  }

  get isFull(): boolean {
    return this.sequence.length + this.joined.length >= wordsMax;
  }

  get words(): Words {
    return { sequence: this.sequence, joined: this.joined };
  }

  /** False if no more words are looked at. */
  take(found: string, start: number, before: string | undefined): boolean {
    const { written, parts, joined } = this.forms.read(found);
    const [first] = parts;
    if (first === undefined) return true;
    const end = start + found.length;
    const previous = this.sequence.at(-1);
    for (const part of parts) {
      if (this.isFull) return false;
      this.push(part, start, end);
    }
    this.join(joined, start, end);
    if (previous === undefined || parts.length !== 1 || this.isFull) return !this.isFull;
    const isAfter = start - previous.end === 1;
    const isNext = isAfter && (before === '-' || before === '_');
    const isVerb = isAfter && first.isParticle && !particles.has(previous.form);
    if (isNext || isVerb) this.join(this.forms.readCompound(previous.form + written), previous.start, end);
    return !this.isFull;
  }

  /** One stop word within a name is usual, as in `point of sale`; over two no name goes on. */
  private push({ form, stem, isStopWord }: WordPart, start: number, end: number): void {
    if (isStopWord) {
      this.passed += 1;
      return;
    }
    this.sequence.push({ form, stem, start, end, isApart: this.passed > 1 });
    this.passed = 0;
  }

  private join(part: WordPart | undefined, start: number, end: number): void {
    if (part !== undefined) this.joined.push({ form: part.form, stem: part.stem, start, end, isApart: true });
  }
}
