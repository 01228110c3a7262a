import { compareText } from '../../base/text.ts';
import { addScores, boundOf, normOf } from './bm25.ts';
import { type ListView, weightIn } from './listPool.ts';
import type { QueryTerm } from './queryTerms.ts';
import type { Ranking } from './ranking.ts';
import type { ScoreSheet } from './scoreSheet.ts';
import type { SearchIndex } from './searchIndex.ts';

export interface Ranked {
  readonly document: number;
  /** Above 0. */
  readonly score: number;
}

interface Wanted {
  readonly terms: readonly QueryTerm[];
  readonly ranking: Ranking;
  /** Documents that may be in the answer, by their number; undefined for all. */
  readonly allowed: Uint8Array | undefined;
  readonly count: number;
}

/**
 * The documents with the highest scores: the highest first, those of one score by their ids. Terms that can give most
 * come first. Once the others cannot bring a new document among the best, they are looked up in those that still can be
 * among them, so that frequent words cost little.
 */
export function topDocuments(index: SearchIndex, wanted: Wanted, sheet: ScoreSheet): readonly Ranked[] {
  const { ranking } = wanted;
  const terms = [...wanted.terms]
    .map((term) => ({ ...term, bound: boundOf(index, term, ranking), list: index.words.postingsOf(term.term) }))
    .sort((a, b) => b.bound - a.bound || index.words.compare(a.term, b.term));
  let bound = terms.reduce((sum, one) => sum + one.bound, 0);
  let entries = terms.reduce((sum, { list }) => sum + list.end - list.start, 0);
  sheet.clear(index.end);
  for (const [n, term] of terms.entries()) {
    addScores(index, term, ranking, sheet);
    bound -= term.bound;
    entries -= term.list.end - term.list.start;
    // Finding the least score takes about as long as reading this number of entries.
    if (entries < sheet.count) continue;
    const least = leastOf(wanted, sheet) - bound * roundingSlack;
    if (least <= bound * roundingSlack) continue;
    const candidates = atLeast(wanted, sheet, least);
    if (candidates.length * lookUpCost > entries) continue;
    return inOrder(index, finish(index, candidates, terms.slice(n + 1), ranking), wanted.count);
  }
  return inOrder(index, atLeast(wanted, sheet, leastOf(wanted, sheet)), wanted.count);
}

/** Sums of floating numbers differ in their last digits from the bounds. */
const roundingSlack = 1 + 1e-9;
/** Looking up one document in a list takes as long as reading this number of its entries. */
const lookUpCost = 20;

/** The lowest score among the best; 0 if there are fewer than wanted. */
function leastOf({ allowed, count }: Wanted, { scores, touched, count: all }: ScoreSheet): number {
  if (count > all) return 0;
  // The least of the best is at the root of a heap.
  const heap = new Float64Array(count);
  let least = 0;
  for (let n = 0; n < all; n += 1) {
    const document = touched[n] ?? 0;
    const score = scores[document] ?? 0;
    if (score <= least || (allowed !== undefined && allowed[document] !== 1)) continue;
    least = replaceLeast(heap, score);
  }
  return least;
}

/** Puts a number in the place of the least; tells the least then. */
function replaceLeast(heap: Float64Array, added: number): number {
  let at = 0;
  for (;;) {
    const left = 2 * at + 1;
    if (left >= heap.length) break;
    const lower = left + 1 < heap.length && (heap[left + 1] ?? 0) < (heap[left] ?? 0) ? left + 1 : left;
    const value = heap[lower] ?? 0;
    if (value >= added) break;
    heap[at] = value;
    at = lower;
  }
  heap[at] = added;
  return heap[0] ?? 0;
}

function atLeast({ allowed }: Wanted, { scores, touched, count }: ScoreSheet, least: number): Ranked[] {
  const found: Ranked[] = [];
  for (let n = 0; n < count; n += 1) {
    const document = touched[n] ?? 0;
    const score = scores[document] ?? 0;
    if (score < least || score === 0 || (allowed !== undefined && allowed[document] !== 1)) continue;
    found.push({ document, score });
  }
  return found;
}

interface BoundedTerm {
  readonly bound: number;
  readonly list: ListView;
}

/** Adds what the other terms give. */
function finish(
  index: SearchIndex,
  candidates: readonly Ranked[],
  terms: readonly BoundedTerm[],
  ranking: Ranking,
): Ranked[] {
  const { fixed, perTenth } = normOf(index, ranking);
  return candidates.map(({ document, score }) => {
    const norm = fixed + perTenth * (index.lengths[document] ?? 0);
    let sum = score;
    for (const { bound, list } of terms) {
      const tenths = weightIn(list, document);
      sum += (bound * tenths) / (tenths + norm);
    }
    return { document, score: sum };
  });
}

function inOrder(index: SearchIndex, ranked: Ranked[], count: number): readonly Ranked[] {
  const order = (a: Ranked, b: Ranked) =>
    b.score - a.score || compareText(index.idOf(a.document), index.idOf(b.document));
  return ranked.sort(order).slice(0, count);
}
