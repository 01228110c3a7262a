import { inverseFrequency } from './inverseFrequency.ts';
import { weightMax } from './listPool.ts';
import type { SearchIndex } from './searchIndex.ts';

export interface Neighbour {
  /** Place in the list of documents that are compared. */
  readonly at: number;
  /** Above 0, and at most 1. */
  readonly likeness: number;
}

/** Terms of one document that are compared; those that say most of a long one. */
const comparedMax = 512;

/**
 * For each of a few documents those of the others that are most like it, the nearest first: by the cosine between their
 * weighted terms. Sums are of whole numbers, so that they do not depend on the order in which documents came.
 */
export function nearest(
  index: SearchIndex,
  documents: readonly number[],
  count: number,
): readonly (readonly Neighbour[])[] {
  const size = documents.length;
  const products = new Float64Array(size * size);
  const holders = new Map<number, number[]>();
  for (const [at, document] of documents.entries()) {
    for (const [term, value] of valuesOf(index, document)) {
      const others = holders.get(term);
      if (others === undefined) {
        holders.set(term, [at, value]);
        products[at * size + at] = (products[at * size + at] ?? 0) + value * value;
        continue;
      }
      others.push(at, value);
      for (let n = 0; n < others.length; n += 2) {
        const place = (others[n] ?? 0) * size + at;
        products[place] = (products[place] ?? 0) + value * (others[n + 1] ?? 0);
      }
    }
  }
  const norm = (at: number) => Math.sqrt(products[at * size + at] ?? 0);
  const norms = documents.map((_, at) => norm(at));
  return documents.map((_, at) => {
    const near: Neighbour[] = [];
    for (let other = 0; other < size; other += 1) {
      const product = products[Math.min(at, other) * size + Math.max(at, other)] ?? 0;
      if (other === at || product === 0) continue;
      const likeness = product / ((norms[at] ?? 1) * (norms[other] ?? 1));
      const place = near.findIndex((one) => one.likeness < likeness);
      if (place < 0 && near.length >= count) continue;
      near.splice(place < 0 ? near.length : place, 0, { at: other, likeness });
      if (near.length > count) near.pop();
    }
    return near;
  });
}

/** Terms with whole numbers that grow with how often they are in the document, and how few others have them. */
function valuesOf(index: SearchIndex, document: number): readonly (readonly [term: number, value: number])[] {
  const { page, start, end } = index.words.vectorOf(document);
  const values: (readonly [number, number])[] = [];
  for (let at = start; at < end; at += 1) {
    const entry = page[at] ?? 0;
    const term = entry >>> 10;
    const value = Math.round(64 * Math.log(1 + (entry & weightMax) / 10) * inverseFrequency(index, term));
    if (value > 0) values.push([term, value]);
  }
  if (values.length <= comparedMax) return values;
  return values.sort((a, b) => b[1] - a[1] || index.words.compare(a[0], b[0])).slice(0, comparedMax);
}
