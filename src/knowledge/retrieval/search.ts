import { addScores, scoreOf } from './bm25.ts';
import { type Budget, takeFitting } from './budget.ts';
import { expand } from './expansion.ts';
import { type Filter, passing } from './filter.ts';
import { type Neighbour, nearest } from './neighbours.ts';
import { type Query, type QueryTerm, queryTerms } from './queryTerms.ts';
import { fullRanking, type Ranking } from './ranking.ts';
import type { SearchIndex } from './searchIndex.ts';

/** Something besides words by which the score of a document is multiplied. */
export interface Factor {
  readonly name: string;
  readonly factor: number;
}

export interface SearchOptions extends Filter, Budget {
  /** Documents in the answer; 10 if absent. */
  readonly limit?: number | undefined;
  readonly ranking?: Ranking | undefined;
  /** Whether each hit tells what gave its score. */
  readonly explain?: boolean | undefined;
  /** Factors of documents by their id; none for those that it does not name. */
  readonly factors?: ReadonlyMap<string, readonly Factor[]> | undefined;
}

/** What gave a part of a score. The parts of a hit sum to its score. */
export interface ScorePart {
  readonly kind: 'word' | 'expansion' | 'neighbour' | 'factor';
  /** The term, the id of the neighbour, or the name of the factor. */
  readonly name: string;
  readonly score: number;
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
  /** Documents that were found and are not among the hits. */
  readonly leftOut: number;
}

/** The documents that fit a query best. The same documents and the same query give the same answer, however they came. */
export function search(index: SearchIndex, query: Query, options: SearchOptions = {}): SearchResult {
  const { limit = 10, ranking = fullRanking, explain = false, factors } = options;
  const words = queryTerms(index, query);
  const scores = new Float64Array(index.end);
  addScores(index, words, ranking, scores);
  const allowed = passing(index, options);
  const expansion =
    ranking.expansion === undefined
      ? []
      : expand(
          index,
          best(index, scores, ranking.expansion.documents, allowed).map(({ document }) => document),
          ranking.expansion,
        );
  addScores(index, expansion, ranking, scores);
  const isBounded = options.bytesMax !== undefined || options.tokensMax !== undefined;
  const depth = Math.max(ranking.smoothing?.documents ?? 0, isBounded || factors !== undefined ? index.count : limit);
  const ranked = best(index, scores, depth, allowed);
  const found = countFound(scores, allowed);
  const near = ranking.smoothing === undefined ? [] : nearestOf(index, ranked, ranking.smoothing);
  const share = ranking.smoothing?.weight ?? 0;
  const scored = ranked.map((one, at) => {
    const id = index.idOf(one.document);
    const own = smoothed(one.score, near[at] ?? [], ranked, share);
    const factor = (factors?.get(id) ?? []).reduce((product, each) => product * each.factor, 1);
    return { ...one, at, id, score: own * factor, bytes: index.bytesOf(one.document) };
  });
  scored.sort((a, b) => b.score - a.score || compareText(a.id, b.id));
  const { taken } = takeFitting(scored, limit, options);
  const hits = taken.map(({ id, score, bytes, document, at }) => ({
    ...{ id, score, bytes },
    parts: explain
      ? partsOf({
          index,
          ranking,
          words,
          expansion,
          document,
          near: near[at] ?? [],
          ranked,
          share,
          factors: factors?.get(id) ?? [],
        })
      : [],
  }));
  return { hits, leftOut: found - hits.length };
}

interface Ranked {
  readonly document: number;
  readonly score: number;
}

/** The documents with the highest scores above 0. */
function best(
  index: SearchIndex,
  scores: Float64Array,
  count: number,
  allowed: Uint8Array | undefined,
): readonly Ranked[] {
  const found: Ranked[] = [];
  let least = 0;
  const order = (a: Ranked, b: Ranked) =>
    b.score - a.score || compareText(index.idOf(a.document), index.idOf(b.document));
  for (let document = 0; document < scores.length; document += 1) {
    const score = scores[document] ?? 0;
    if (score <= 0 || score < least || (allowed !== undefined && allowed[document] !== 1)) continue;
    found.push({ document, score });
    if (found.length < 2 * count + 64) continue;
    found.sort(order);
    found.length = count;
    least = found[count - 1]?.score ?? 0;
  }
  return found.sort(order).slice(0, count);
}

function countFound(scores: Float64Array, allowed: Uint8Array | undefined): number {
  let count = 0;
  for (let document = 0; document < scores.length; document += 1) {
    if ((scores[document] ?? 0) > 0 && (allowed === undefined || allowed[document] === 1)) count += 1;
  }
  return count;
}

function nearestOf(
  index: SearchIndex,
  ranked: readonly Ranked[],
  { documents, neighbours }: NonNullable<Ranking['smoothing']>,
): readonly (readonly Neighbour[])[] {
  return nearest(
    index,
    ranked.slice(0, documents).map(({ document }) => document),
    neighbours,
  );
}

/** Neighbours share in a score by how like they are; one without neighbours keeps its own. */
function smoothed(score: number, near: readonly Neighbour[], ranked: readonly Ranked[], share: number): number {
  if (near.length === 0) return score;
  let sum = 0;
  let likeness = 0;
  for (const neighbour of near) {
    sum += neighbour.likeness * (ranked[neighbour.at]?.score ?? 0);
    likeness += neighbour.likeness;
  }
  return (1 - share) * score + (share * sum) / likeness;
}

interface Explained {
  readonly index: SearchIndex;
  readonly ranking: Ranking;
  readonly words: readonly QueryTerm[];
  readonly expansion: readonly QueryTerm[];
  readonly document: number;
  readonly near: readonly Neighbour[];
  readonly ranked: readonly Ranked[];
  readonly share: number;
  readonly factors: readonly Factor[];
}

function partsOf({ index, ranking, words, expansion, document, near, ranked, share, factors }: Explained): ScorePart[] {
  const ownShare = near.length === 0 ? 1 : 1 - share;
  const ofTerms = (kind: 'word' | 'expansion', terms: readonly QueryTerm[]): ScorePart[] =>
    terms.map((term) => ({
      ...{ kind, name: index.words.nameOf(term.term) },
      score: ownShare * scoreOf(index, document, term, ranking),
    }));
  const likeness = near.reduce((sum, one) => sum + one.likeness, 0);
  const ofNeighbours = near.map((one): ScorePart => {
    const neighbour = ranked[one.at];
    const name = neighbour === undefined ? '' : index.idOf(neighbour.document);
    return { kind: 'neighbour', name, score: (share * one.likeness * (neighbour?.score ?? 0)) / likeness };
  });
  const parts = [...ofTerms('word', words), ...ofTerms('expansion', expansion), ...ofNeighbours];
  let score = parts.reduce((sum, part) => sum + part.score, 0);
  for (const { name, factor } of factors) {
    parts.push({ kind: 'factor', name, score: score * (factor - 1) });
    score *= factor;
  }
  return parts.filter((part) => part.score !== 0).sort((a, b) => Math.abs(b.score) - Math.abs(a.score));
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}
