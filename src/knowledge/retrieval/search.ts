import { compareText } from '../../base/text.ts';
import { type Budget, takeFitting } from './budget.ts';
import { expand } from './expansion.ts';
import { explainScore, type Factor, type ScorePart, smoothedScore } from './explanation.ts';
import { type Filter, passing } from './filter.ts';
import { nearest } from './neighbours.ts';
import { type Query, type QueryTerm, queryTerms } from './queryTerms.ts';
import { fullRanking, plainRanking, type Ranking } from './ranking.ts';
import type { SearchIndex } from './searchIndex.ts';
import { type Ranked, topDocuments } from './topDocuments.ts';

export interface SearchOptions extends Filter, Budget {
  /** Documents in the answer; 10 if absent. */
  readonly limit?: number | undefined;
  readonly ranking?: Ranking | undefined;
  /** Whether each hit tells what gave its score. */
  readonly explain?: boolean | undefined;
  /** Factors of documents by their id; none for those that it does not name. */
  readonly factors?: ReadonlyMap<string, readonly Factor[]> | undefined;
}

export interface Hit {
  readonly id: string;
  readonly score: number;
  readonly bytes: number;
  /** Empty unless it was asked for. */
  readonly parts: readonly ScorePart[];
}

export interface SearchResult {
  /** The best first; those of one score by their ids. */
  readonly hits: readonly Hit[];
  /** Documents that were found and did not fit the budget, until the answer had as many as were asked for. */
  readonly skipped: number;
}

/** The documents that fit a query best. The same documents and the same query give the same answer, however they came. */
export function search(index: SearchIndex, query: Query, options: SearchOptions = {}): SearchResult {
  const words = queryTerms(index, query);
  const ranking = rankingFor(words.length, options.ranking ?? fullRanking);
  const allowed = passing(index, options);
  const top = (terms: readonly QueryTerm[], count: number) =>
    topDocuments(index, { terms, ranking, allowed, count }, index.sheet);
  const expansion =
    ranking.expansion === undefined
      ? []
      : expand(index, documentsOf(top(words, ranking.expansion.documents)), ranking.expansion);
  const ranked = top(together(words, expansion), depthOf(index, ranking, options));
  const { documents = 0, neighbours = 0 } = ranking.smoothing ?? {};
  const near = nearest(index, documentsOf(ranked.slice(0, documents)), neighbours);
  const scoring = { index, ranking, words, expansion, ranked, near };
  const scored = ranked.map(({ document }, at) => {
    const id = index.idOf(document);
    const factors = options.factors?.get(id) ?? [];
    const score = factors.reduce((product, { factor }) => product * factor, smoothedScore(scoring, at));
    return { id, at, score, factors, bytes: index.bytesOf(document) };
  });
  scored.sort((a, b) => b.score - a.score || compareText(a.id, b.id));
  const { taken, skipped } = takeFitting(scored, options.limit ?? limitUsual, options);
  const hits = taken.map(({ id, at, score, factors, bytes }) => {
    return { id, score, bytes, parts: options.explain === true ? explainScore(scoring, at, factors) : [] };
  });
  return { hits, skipped };
}

/** Results, if the caller asks for no other number. */
const limitUsual = 10;

/** A text of many words says what it is about; more words would only lead away from it. */
function rankingFor(words: number, ranking: Ranking): Ranking {
  return words <= ranking.questionTermsMax ? ranking : { ...plainRanking, k1: ranking.k1, b: ranking.b };
}

/** What does not fit, and what a factor lowers, makes room for any document behind it. */
function depthOf(index: SearchIndex, { smoothing }: Ranking, options: SearchOptions): number {
  const { limit = limitUsual, bytesMax, tokensMax, factors } = options;
  const isAnyNeeded = bytesMax !== undefined || tokensMax !== undefined || factors !== undefined;
  return isAnyNeeded ? index.count : Math.min(index.count, Math.max(limit, smoothing?.documents ?? 0));
}

/** A word of the query that is among the other words counts by both. */
function together(words: readonly QueryTerm[], expansion: readonly QueryTerm[]): readonly QueryTerm[] {
  if (expansion.length === 0) return words;
  const weights = new Map(words.map(({ term, weight }) => [term, weight]));
  for (const { term, weight } of expansion) weights.set(term, (weights.get(term) ?? 0) + weight);
  return [...weights].map(([term, weight]) => ({ term, weight }));
}

function documentsOf(ranked: readonly Ranked[]): readonly number[] {
  return ranked.map(({ document }) => document);
}
