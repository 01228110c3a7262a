import { weightMax } from './listPool.ts';
import type { QueryTerm } from './queryTerms.ts';
import type { Ranking } from './ranking.ts';
import type { SearchIndex } from './searchIndex.ts';

/** How much it tells that a document has this term: the fewer have it, the more. */
export function inverseFrequency(index: SearchIndex, term: number): number {
  const frequency = index.words.frequencyOf(term);
  return Math.log(1 + (index.count - frequency + 0.5) / (frequency + 0.5));
}

/** Adds to `scores`, by the number of a document, what each term gives it. */
export function addScores(
  index: SearchIndex,
  terms: readonly QueryTerm[],
  ranking: Ranking,
  scores: Float64Array,
): void {
  const { lengths } = index;
  const { fixed, perTenth } = normOf(index, ranking);
  for (const { term, weight } of terms) {
    const most = weight * inverseFrequency(index, term) * (ranking.k1 + 1);
    const { page, start, end } = index.words.postingsOf(term);
    for (let at = start; at < end; at += 1) {
      const entry = page[at] ?? 0;
      const document = entry >>> 10;
      const tenths = entry & weightMax;
      const norm = fixed + perTenth * (lengths[document] ?? 0);
      scores[document] = (scores[document] ?? 0) + (most * tenths) / (tenths + norm);
    }
  }
}

/** What one term gives one document; the same number as in `addScores`. */
export function scoreOf(index: SearchIndex, document: number, { term, weight }: QueryTerm, ranking: Ranking): number {
  const tenths = index.words.weightOf(document, term);
  if (tenths === 0) return 0;
  const { fixed, perTenth } = normOf(index, ranking);
  const norm = fixed + perTenth * (index.lengths[document] ?? 0);
  return (weight * inverseFrequency(index, term) * (ranking.k1 + 1) * tenths) / (tenths + norm);
}

/** In tenths, as the weights of terms are. */
function normOf(index: SearchIndex, { k1, b }: Ranking): { readonly fixed: number; readonly perTenth: number } {
  const average = index.totalLength / Math.max(1, index.count);
  return { fixed: 10 * k1 * (1 - b), perTenth: average === 0 ? 0 : (10 * k1 * b) / average };
}
