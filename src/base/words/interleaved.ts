/** How many words can stand between two words of a passage that was padded. */
const gapMax = 6;
/** Words of a passage that have to stand there in their order; in texts about one thing fewer do by chance. */
const wordsMin = 8;
/**
 * One of as many words at least is followed by others that were put in. With fewer, sequences of five words are still whole,
 * and two texts about one thing can come close to that by chance; a single `not` even makes another statement of a passage.
 */
const wordsPerGapMax = 4;
/** A word that stands more often begins no passage: each of its places would be looked at for each place in what was given. */
const beginningsMax = 64;

/**
 * Chains that are followed at a time. A text has a few; without a bound, one that repeats two words would have as many as
 * words, for each word of what was given.
 */
const chainsMax = 256;

/** A part of a passage that was found. */
interface Chain {
  /** Places in the text: of its first word, and of its latest. */
  readonly start: number;
  readonly end: number;
  readonly words: number;
  /** How often others stand between two of its words. */
  readonly gaps: number;
}

/**
 * Finds passages of what was given in a text that has other words between theirs: all of their words in their order, at
 * most six others between two of them. Words are compared as they are.
 */
export class InterleavedPassages {
  readonly #places = new Map<string, number[]>();
  readonly #covered: Uint8Array;

  constructor(words: readonly string[]) {
    this.#covered = new Uint8Array(words.length);
    for (const [at, word] of words.entries()) {
      const places = this.#places.get(word);
      if (places === undefined) this.#places.set(word, [at]);
      else places.push(at);
    }
  }

  /** Takes the words of a text that was given. */
  add(given: readonly string[]): void {
    /** The chains that end with the word before. */
    let chains: readonly Chain[] = [];
    for (const word of given) {
      const places = this.#places.get(word);
      chains = places === undefined ? [] : grow(places, chains);
      for (const { start, end, words, gaps } of chains) {
        if (words >= wordsMin && gaps * wordsPerGapMax >= words) this.#covered.fill(1, start, end + 1);
      }
    }
  }

  /** The share of the text, from 0 to 1, that is such a passage with what was put between its words. */
  get share(): number {
    let count = 0;
    for (const one of this.#covered) count += one;
    return this.#covered.length === 0 ? 0 : count / this.#covered.length;
  }
}

/** The chains that continue with a word at these places, and those that begin there. */
function grow(places: readonly number[], chains: readonly Chain[]): readonly Chain[] {
  const grown = new Map<number, Chain>();
  for (const { start, end, words, gaps } of chains) {
    if (grown.size >= chainsMax) break;
    for (const at of placesBetween(places, end + 1, end + 1 + gapMax)) {
      if ((grown.get(at)?.words ?? 0) > words) continue;
      grown.set(at, { start, end: at, words: words + 1, gaps: gaps + (at === end + 1 ? 0 : 1) });
    }
  }
  if (places.length <= beginningsMax && grown.size < chainsMax) {
    for (const at of places) if (!grown.has(at)) grown.set(at, { start: at, end: at, words: 1, gaps: 0 });
  }
  return [...grown.values()];
}

/** Those from `first` to `last`; the places are in order. */
function placesBetween(places: readonly number[], first: number, last: number): readonly number[] {
  let low = 0;
  for (let high = places.length; low < high; ) {
    const middle = (low + high) >> 1;
    if ((places[middle] ?? 0) < first) low = middle + 1;
    else high = middle;
  }
  const found: number[] = [];
  for (let at = low; at < places.length && (places[at] ?? 0) <= last; at += 1) found.push(places[at] ?? 0);
  return found;
}
