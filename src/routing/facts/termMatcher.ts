import type { Lexicon } from './lexicon.ts';

/** Each of its phrases is one way to write it: the stems that stand one behind the other. */
export interface MatchedTerm {
  readonly phrases: readonly (readonly string[])[];
}

/** Finds which of many terms stand in a text whose words are numbers of a lexicon; the time grows with the text alone. */
export class TermMatcher {
  /** Where the phrases that begin with a word stand in `phrases`; 0 if there are none. */
  private readonly heads: Uint32Array;
  private readonly phrases: (readonly Phrase[])[] = [[]];

  /** Words that the lexicon does not know are in no text, and neither are the phrases with them. */
  constructor(terms: readonly MatchedTerm[], lexicon: Lexicon) {
    this.heads = new Uint32Array(lexicon.size + 1);
    const byHead = new Map<number, Phrase[]>();
    for (const [term, { phrases }] of terms.entries()) {
      for (const phrase of phrases) {
        const [head = 0, ...rest] = phrase.map((stem) => lexicon.find(stem));
        if (head === 0 || rest.includes(0)) continue;
        const others = byHead.get(head);
        if (others === undefined) byHead.set(head, [{ term, rest }]);
        else others.push({ term, rest });
      }
    }
    for (const [head, phrases] of byHead) {
      this.heads[head] = this.phrases.length;
      this.phrases.push(phrases);
    }
  }

  /**
   * Calls `found` with each occurrence of a term, and where it begins, from the left; all that begin at one word before it
   * asks whether that is enough.
   */
  match(
    words: Uint32Array,
    found: (term: number, at: number, length: number) => void,
    isEnough: () => boolean = never,
  ): void {
    const { heads, phrases } = this;
    for (let at = 0; at < words.length; at++) {
      const head = heads[words[at] ?? 0] ?? 0;
      if (head === 0) continue;
      for (const { term, rest } of phrases[head] ?? []) {
        if (rest.length === 0 || follows(words, at, rest)) found(term, at, rest.length + 1);
      }
      if (isEnough()) return;
    }
  }
}

function never(): boolean {
  return false;
}

interface Phrase {
  readonly term: number;
  /** What follows its first word. */
  readonly rest: readonly number[];
}

function follows(words: Uint32Array, at: number, rest: readonly number[]): boolean {
  for (let next = 0; next < rest.length; next++) if (words[at + 1 + next] !== rest[next]) return false;
  return true;
}
