import { foldCase } from '../../base/words/wordForm.ts';
import type { Query } from '../retrieval/queryTerms.ts';
import type { SearchIndex } from '../retrieval/searchIndex.ts';

/** Words that complete the last word of a query. */
const completionsMax = 10;
/** Characters of the last word; fewer begin too many words. */
const beginningMin = 2;

/** A query that is being typed: its last word may be the beginning of others, which count half. */
export function typedQuery(index: SearchIndex, text: string): Query {
  const [last = ''] = /[\p{L}\p{N}_]{1,64}$/u.exec(text.slice(-64)) ?? [];
  if (last.length < beginningMin) return text;
  const longer = index.words.beginningWith(foldCase(last), completionsMax);
  return longer.length === 0 ? text : [{ text, weight: 1 }, ...longer.map((word) => ({ text: word, weight: 0.5 }))];
}
