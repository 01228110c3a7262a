import { type IndexedDocument, weightedTexts } from './document.ts';
import type { TermReader } from './terms.ts';

/** Characters of a document that are read; what stands behind them is not found. */
const documentLengthMax = 2 ** 18;

/** What the index keeps of a text. */
export interface ReadDocument {
  /** Tenths of a word by the term. */
  readonly weights: ReadonlyMap<string, number>;
  /** Tenths of all words that are still true; compounds count by their parts. */
  readonly length: number;
}

export function readDocument(document: IndexedDocument, reader: TermReader): ReadDocument {
  const weights = new Map<string, number>();
  let length = 0;
  let left = documentLengthMax;
  for (const { text, tenths, isCurrent } of weightedTexts(document)) {
    if (left <= 0) break;
    const read = text.length > left ? text.slice(0, left) : text;
    left -= read.length;
    reader.eachTerm(read, (term, isWhole) => {
      weights.set(term, (weights.get(term) ?? 0) + tenths);
      if (isCurrent && !isWhole) length += tenths;
    });
  }
  return { weights, length };
}

/** What a search can be limited to. */
export interface DocumentLabels {
  readonly scope: string;
  readonly plan: string;
  readonly kind: string;
  readonly status: string;
  readonly tags: readonly string[];
}

/** The names of the labels, by which documents are filtered as they are found by words. */
export function labelsOf({ scope, plan, kind, status, tags }: DocumentLabels): ReadonlyMap<string, number> {
  const names = [
    ...[labelName('scope', scope), labelName('plan', plan)],
    ...[labelName('kind', kind), labelName('status', status)],
  ];
  return new Map([...names, ...tags.map((tag) => labelName('tag', tag))].map((name) => [name, 1]));
}

export function labelName(label: 'scope' | 'plan' | 'kind' | 'status' | 'tag', value: string): string {
  return `${label}:${value}`;
}
