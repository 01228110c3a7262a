import { weightMax } from './listPool.ts';
import type { QueryTerm } from './queryTerms.ts';
import type { Expansion } from './ranking.ts';
import type { SearchIndex } from './searchIndex.ts';

/**
 * The words that tell the best documents from all others, by Bose–Einstein statistics (Bo1): those that are in them more
 * often than chance would put them there. A word of the query can be among them.
 */
export function expand(
  index: SearchIndex,
  best: readonly number[],
  { terms, weight }: Expansion,
): readonly QueryTerm[] {
  const tenthsOf = new Map<number, number>();
  for (const document of best) {
    const { page, start, end } = index.words.vectorOf(document);
    for (let at = start; at < end; at += 1) {
      const entry = page[at] ?? 0;
      const term = entry >>> 10;
      tenthsOf.set(term, (tenthsOf.get(term) ?? 0) + (entry & weightMax));
    }
  }
  const informative = [...tenthsOf]
    .map(([term, tenths]) => ({ term, worth: worthOf(tenths / 10, index.words.totalOf(term) / 10 / index.count) }))
    .sort((a, b) => b.worth - a.worth || index.words.compare(a.term, b.term))
    .slice(0, terms);
  const most = informative[0]?.worth ?? 0;
  return most > 0 ? informative.map(({ term, worth }) => ({ term, weight: (weight * worth) / most })) : [];
}

function worthOf(times: number, timesPerDocument: number): number {
  return times * Math.log2((1 + timesPerDocument) / timesPerDocument) + Math.log2(1 + timesPerDocument);
}
