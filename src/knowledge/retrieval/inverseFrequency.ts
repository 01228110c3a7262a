import type { SearchIndex } from './searchIndex.ts';

/** How much it tells that a document has this term: the fewer have it, the more. */
export function inverseFrequency(index: SearchIndex, term: number): number {
  return rarityOf(index.words.frequencyOf(term), index.count);
}

/** The same of a term that this number of documents has, of `count` in all. */
export function rarityOf(frequency: number, count: number): number {
  return Math.log(1 + (count - frequency + 0.5) / (frequency + 0.5));
}
