import { inverseFrequency } from './inverseFrequency.ts';
import type { SearchIndex } from './searchIndex.ts';

/** A text that is searched for, and how much its words count beside those of other texts. */
export interface QueryText {
  readonly text: string;
  readonly weight: number;
}

export type Query = string | readonly QueryText[];

export interface QueryTerm {
  readonly term: number;
  /** 1 for the word that counts most. */
  readonly weight: number;
}

/** Characters of a query that are read, and the different words that are searched for. */
const queryLengthMax = 2 ** 16;
const queryTermsMax = 256;

/** The words of a query that any document has; of very many, those that tell documents apart best. */
export function queryTerms(index: SearchIndex, query: Query): readonly QueryTerm[] {
  const weights = new Map<number, number>();
  let left = queryLengthMax;
  for (const { text, weight } of typeof query === 'string' ? [{ text: query, weight: 1 }] : query) {
    if (weight <= 0) continue;
    index.reader.eachTerm(text.slice(0, Math.max(0, left)), (name) => {
      const term = index.words.find(name);
      if (term !== undefined) weights.set(term, (weights.get(term) ?? 0) + weight);
    });
    left -= text.length;
  }
  const most = Math.max(0, ...weights.values());
  const terms = [...weights].map(([term, weight]) => ({ term, weight: weight / most }));
  return terms.length <= queryTermsMax ? terms : strongest(index, terms);
}

function strongest(index: SearchIndex, terms: readonly QueryTerm[]): readonly QueryTerm[] {
  const strength = ({ term, weight }: QueryTerm) => weight * inverseFrequency(index, term);
  return [...terms]
    .sort((a, b) => strength(b) - strength(a) || index.words.compare(a.term, b.term))
    .slice(0, queryTermsMax);
}
