import { inverseFrequency } from './inverseFrequency.ts';
import { weightMax } from './listPool.ts';
import type { QueryTerm } from './queryTerms.ts';
import type { Ranking } from './ranking.ts';
import type { ScoreSheet } from './scoreSheet.ts';
import type { SearchIndex } from './searchIndex.ts';

/** What a term can give a document at most; more than any gets. */
export function boundOf(index: SearchIndex, { term, weight }: QueryTerm, { k1 }: Ranking): number {
  return weight * inverseFrequency(index, term) * (k1 + 1);
}

/** Adds to the sheet what a term gives each document that has it. */
export function addScores(index: SearchIndex, queryTerm: QueryTerm, ranking: Ranking, sheet: ScoreSheet): void {
  const { scores, touched } = sheet;
  const { lengths } = index;
  const { fixed, perTenth } = normOf(index, ranking);
  const { page, start, end } = index.words.postingsOf(queryTerm.term);
  const most = boundOf(index, queryTerm, ranking);
  let { count } = sheet;
  for (let at = start; at < end; at += 1) {
    const entry = page[at] ?? 0;
    const document = entry >>> 10;
    const tenths = entry & weightMax;
    const score = scores[document] ?? 0;
    if (score === 0) {
      touched[count] = document;
      count += 1;
    }
    scores[document] = score + (most * tenths) / (tenths + fixed + perTenth * (lengths[document] ?? 0));
  }
  sheet.count = count;
}

/** What a term gives one document. */
export function scoreOf(index: SearchIndex, document: number, queryTerm: QueryTerm, ranking: Ranking): number {
  const tenths = index.words.weightOf(document, queryTerm.term);
  if (tenths === 0) return 0;
  const { fixed, perTenth } = normOf(index, ranking);
  const norm = fixed + perTenth * (index.lengths[document] ?? 0);
  return (boundOf(index, queryTerm, ranking) * tenths) / (tenths + norm);
}

/** In tenths, as the weights of terms are. */
export function normOf(index: SearchIndex, { k1, b }: Ranking): { readonly fixed: number; readonly perTenth: number } {
  const average = index.totalLength / Math.max(1, index.count);
  return { fixed: 10 * k1 * (1 - b), perTenth: average === 0 ? 0 : (10 * k1 * b) / average };
}
