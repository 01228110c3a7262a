import { nextTurn } from '../../base/async.ts';
import { likenessLeast } from '../likeness/likeness.ts';
import { TermReader } from '../retrieval/terms.ts';

/** Two texts by their places, the first before the second, and how alike they are: 0 to 1. */
export interface AlikePair {
  readonly one: number;
  readonly other: number;
  readonly score: number;
}

/** How much more the words of a title count than those of the text. */
const titleWeight = 1.5;
/** A word that more texts have than this tells little, and would take most of the time. */
const commonMin = 20;
/** Texts that are compared without a break for others. */
const comparedAtOnce = 50;

type Weights = readonly (readonly [term: number, weight: number])[];

/**
 * The pairs of texts that are so alike that they may be about one thing, in the order of their places. Two texts are
 * compared only by words that few have, so that thousands of them take seconds.
 */
export async function* alikePairs(
  texts: readonly { readonly title: string; readonly text: string }[],
  signal: AbortSignal,
): AsyncGenerator<AlikePair> {
  const { weighed, holders } = await weigh(texts, signal);
  for (const [one, weights] of weighed.entries()) {
    if (one % comparedAtOnce === 0) await nextTurn();
    signal.throwIfAborted();
    const products = new Map<number, number>();
    for (const [term, weight] of weights) {
      for (const [other, otherWeight] of holders[term] ?? [])
        if (other > one) products.set(other, (products.get(other) ?? 0) + weight * otherWeight);
    }
    for (const [other, product] of [...products].sort(([left], [right]) => left - right)) {
      const score = Math.min(1, product);
      if (score >= likenessLeast) yield { one, other, score };
    }
  }
}

/** The weights of the words of each text, as a vector of length 1, and for each rarer word the texts that have it. */
async function weigh(texts: readonly { readonly title: string; readonly text: string }[], signal: AbortSignal) {
  const reader = new TermReader();
  const numbers = new Map<string, number>();
  const frequencies: number[] = [];
  const counted: Map<number, number>[] = [];
  for (const [at, { title, text }] of texts.entries()) {
    if (at % comparedAtOnce === 0) await nextTurn();
    signal.throwIfAborted();
    const own = new Map<number, number>();
    const read = (part: string, weight: number) =>
      reader.eachTerm(part, (term) => {
        const number = numbers.get(term) ?? numbers.size;
        numbers.set(term, number);
        if (!own.has(number)) frequencies[number] = (frequencies[number] ?? 0) + 1;
        own.set(number, Math.max(own.get(number) ?? 0, weight));
      });
    read(text, 1);
    read(title, titleWeight);
    counted.push(own);
  }
  // As `Likeness` weighs them, for which the bound was chosen.
  const rarity = (frequency: number) => Math.log(1 + Math.max(2, texts.length) / frequency);
  const common = Math.max(commonMin, 4 * Math.sqrt(texts.length));
  const holders: (readonly [place: number, weight: number])[][] = frequencies.map(() => []);
  const weighed = counted.map((own, place): Weights => {
    const rare = [...own].map(([term, weight]) => [term, weight * rarity(frequencies[term] ?? 1)] as const);
    const length = Math.sqrt(rare.reduce((sum, [, weight]) => sum + weight ** 2, 0));
    const weights = rare
      .filter(([term]) => (frequencies[term] ?? 0) <= common)
      .map(([term, weight]) => [term, weight / length] as const);
    for (const [term, weight] of weights) holders[term]?.push([place, weight]);
    return weights;
  });
  return { weighed, holders };
}
