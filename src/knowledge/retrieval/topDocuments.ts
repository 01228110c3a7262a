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
 * among them, so that frequent words cost little (MaxScore, a term at a time).
 */
export function topDocuments(index: SearchIndex, wanted: Wanted, sheet: ScoreSheet): readonly Ranked[] {
  const { ranking, count } = wanted;
  const terms = [...wanted.terms]
    .map((term) => ({ ...term, bound: boundOf(index, term, ranking), list: index.words.postingsOf(term.term) }))
    .sort((a, b) => b.bound - a.bound || index.words.compare(a.term, b.term));
  let bound = terms.reduce((sum, one) => sum + one.bound, 0);
  let entries = terms.reduce((sum, { list }) => sum + list.end - list.start, 0);
  let reached = 0;
  sheet.clear(index.end);
  for (const [n, term] of terms.entries()) {
    addScores(index, term, ranking, sheet);
    reached += term.bound;
    bound -= term.bound;
    entries -= term.list.end - term.list.start;
    // No score is higher than what was reached. To find the least takes about as long as to read this number of entries.
    if (entries < sheet.count || reached <= 2 * bound) continue;
    const least = leastOf(wanted, sheet) - bound * roundingSlack;
    if (least <= bound * roundingSlack) continue;
    const left = terms.slice(n + 1);
    if (!takeCandidates(wanted, sheet, least, entries / (lookUpCost * left.length))) continue;
    finish(index, sheet, left, ranking);
    return best(index, sheet, count);
  }
  takeCandidates(wanted, sheet, leastOf(wanted, sheet), Number.POSITIVE_INFINITY);
  return best(index, sheet, count);
}

/** Sums of floating numbers differ in their last digits from the bounds. */
const roundingSlack = 1 + 1e-9;
/** Looking up one document in a list takes as long as reading this number of its entries. */
const lookUpCost = 20;

/** The lowest score among the best; 0 if there are fewer than wanted. */
function leastOf({ allowed, count }: Wanted, { scores, touched, count: all }: ScoreSheet): number {
  if (count > all) return 0;
  const least = new LeastOf(count);
  for (let n = 0; n < all; n += 1) {
    const document = touched[n] ?? 0;
    const score = scores[document] ?? 0;
    if (score <= least.value || (allowed !== undefined && allowed[document] !== 1)) continue;
    least.add(score);
  }
  return least.value;
}

/** The least of the highest numbers that were added; 0 until there are as many as wanted. */
class LeastOf {
  value = 0;
  /** A heap with the least at its root. */
  readonly #heap: Float64Array;

  constructor(count: number) {
    this.#heap = new Float64Array(count);
  }

  /** A number above the least takes its place. */
  add(number: number): void {
    const heap = this.#heap;
    let at = 0;
    for (;;) {
      const left = 2 * at + 1;
      if (left >= heap.length) break;
      const lower = left + 1 < heap.length && (heap[left + 1] ?? 0) < (heap[left] ?? 0) ? left + 1 : left;
      const value = heap[lower] ?? 0;
      if (value >= number) break;
      heap[at] = value;
      at = lower;
    }
    heap[at] = number;
    this.value = heap[0] ?? 0;
  }
}

/** Puts the documents with at least this score on the sheet; false for more than `most` of them. */
function takeCandidates({ allowed }: Wanted, sheet: ScoreSheet, least: number, most: number): boolean {
  const { scores, touched, count, candidates, sums } = sheet;
  let found = 0;
  for (let n = 0; n < count; n += 1) {
    const document = touched[n] ?? 0;
    const score = scores[document] ?? 0;
    if (score < least || score === 0 || (allowed !== undefined && allowed[document] !== 1)) continue;
    if (found >= most) return false;
    candidates[found] = document;
    sums[found] = score;
    found += 1;
  }
  sheet.candidateCount = found;
  return true;
}

interface BoundedTerm {
  readonly bound: number;
  readonly list: ListView;
}

/** Adds what the other terms give. */
function finish(index: SearchIndex, sheet: ScoreSheet, terms: readonly BoundedTerm[], ranking: Ranking): void {
  const { fixed, perTenth } = normOf(index, ranking);
  const { candidates, sums, candidateCount } = sheet;
  const { lengths } = index;
  for (let n = 0; n < candidateCount; n += 1) {
    const document = candidates[n] ?? 0;
    const norm = fixed + perTenth * (lengths[document] ?? 0);
    let sum = sums[n] ?? 0;
    for (const { bound, list } of terms) {
      const tenths = weightIn(list, document);
      sum += (bound * tenths) / (tenths + norm);
    }
    sums[n] = sum;
  }
}

/** The best candidates in their order. Of the many that can have the lowest score, only as many are put in it as there is room for. */
function best(index: SearchIndex, { candidates, sums, candidateCount }: ScoreSheet, count: number): readonly Ranked[] {
  if (count === 0) return [];
  const least = new LeastOf(Math.min(count, candidateCount));
  for (let n = 0; n < candidateCount; n += 1) if ((sums[n] ?? 0) > least.value) least.add(sums[n] ?? 0);
  const above: Ranked[] = [];
  const equal: Ranked[] = [];
  for (let n = 0; n < candidateCount; n += 1) {
    const score = sums[n] ?? 0;
    if (score > least.value) above.push({ document: candidates[n] ?? 0, score });
    else if (score === least.value) equal.push({ document: candidates[n] ?? 0, score });
  }
  const byId = (a: Ranked, b: Ranked) => compareText(index.idOf(a.document), index.idOf(b.document));
  above.sort((a, b) => b.score - a.score || byId(a, b));
  return [...above, ...smallest(equal, count - above.length, byId)];
}

/** The first few in an order, without putting all of them in it. */
function smallest<Item>(items: readonly Item[], count: number, order: (a: Item, b: Item) => number): readonly Item[] {
  if (items.length <= 2 * count) return [...items].sort(order).slice(0, count);
  const first: Item[] = [];
  for (const item of items) {
    const last = first.at(-1);
    if (first.length >= count && last !== undefined && order(last, item) <= 0) continue;
    let at = first.length;
    while (at > 0 && order(first[at - 1] ?? item, item) > 0) at -= 1;
    first.splice(at, 0, item);
    if (first.length > count) first.pop();
  }
  return first;
}
