import type { SearchIndex } from './searchIndex.ts';

/** How much it tells that a document has this term: the fewer have it, the more. */
export function inverseFrequency(index: SearchIndex, term: number): number {
  const frequency = index.words.frequencyOf(term);
  return Math.log(1 + (index.count - frequency + 0.5) / (frequency + 0.5));
}
