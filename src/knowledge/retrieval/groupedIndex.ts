import { compareText } from '../../base/text.ts';
import type { IndexedDocument } from './document.ts';
import { rarityOf } from './inverseFrequency.ts';
import { type Query, type QueryTerm, queryTerms } from './queryTerms.ts';
import { SearchIndex } from './searchIndex.ts';

export interface GroupScore {
  readonly group: string;
  /** How much of what the query says the group speaks of, 0 to 1: the rarer a word among all documents, the more it counts. */
  readonly share: number;
  /** Different words of the query that a document of the group has. */
  readonly words: number;
  /** Ids of the documents that speak most of it, the best first. */
  readonly documents: readonly string[];
}

export interface GroupRanking {
  readonly scores: readonly GroupScore[];
  /** What was looked for, to find the best line of a document. */
  readonly terms: readonly QueryTerm[];
}

export interface GroupRankingOptions {
  readonly isAllowed?: (group: string) => boolean;
  /** How many documents of a group are named. */
  readonly documents?: number;
  /** Other weights than the usual ones, to compare them. */
  readonly weights?: GroupWeights;
  /** A document that is ranked without, as if it had never been put: for a query that is its own text. */
  readonly leftOut?: string;
}

/** The document that does not count in one ranking. */
interface LeftOut {
  readonly number: number;
  readonly group: string | undefined;
  readonly length: number;
}

/** What a word counts for in a group. */
export interface GroupWeights {
  /**
   * In how many documents of a group of average length a word counts half of the most. A subject that a group writes about
   * again and again is its own, so repetition counts for longer than within one document.
   */
  readonly saturation: number;
  /** How much the length of the group counts, 0 to 1. */
  readonly length: number;
  /** The power of how often the query has the word. */
  readonly repetition: number;
}

export const groupWeights: GroupWeights = { saturation: 8, length: 1, repetition: 0.5 };
const documentsUsual = 3;

interface Group {
  /** Ids of its documents by the part of the group that they come from. */
  readonly parts: Map<string, readonly string[]>;
  length: number;
}

/**
 * Documents in groups that are ranked against each other. A word is weighed by how few documents have it, not by how few
 * groups do: of a handful of groups, nearly each has nearly each word once.
 */
export class GroupedIndex {
  readonly index = new SearchIndex();
  readonly #groups = new Map<string, Group>();
  readonly #groupOf = new Map<number, string>();

  get groups(): ReadonlySet<string> {
    return new Set(this.#groups.keys());
  }

  /** A line for each document, in the order of their ids, that changes with its group and with all that it says. */
  contents(): string[] {
    const lines = [...this.index.ids()].map((id) => {
      const number = this.index.numberOf(id) ?? 0;
      return JSON.stringify([id, this.#groupOf.get(number), this.index.digestAt(number)]);
    });
    return lines.sort(compareText);
  }

  /** Makes these the documents of one part of a group; ids are unique among all groups. */
  put(group: string, part: string, documents: readonly IndexedDocument[]): void {
    const known = this.#groups.get(group) ?? { parts: new Map(), length: 0 };
    this.#groups.set(group, known);
    const ids = new Set(documents.map(({ id }) => id));
    for (const id of known.parts.get(part) ?? []) {
      known.length -= this.#lengthOf(id);
      if (!ids.has(id)) this.#remove(id);
    }
    for (const document of documents) this.index.put(document);
    for (const id of ids) {
      const number = this.index.numberOf(id);
      if (number === undefined) continue;
      this.#groupOf.set(number, group);
      known.length += this.#lengthOf(id);
    }
    known.parts.set(part, [...ids]);
  }

  removeGroup(group: string): void {
    for (const ids of this.#groups.get(group)?.parts.values() ?? []) for (const id of ids) this.#remove(id);
    this.#groups.delete(group);
  }

  /** Groups that have a word of the query, the best first; those with equal scores in the order of their names. */
  rank(query: Query, options: GroupRankingOptions = {}): GroupRanking {
    const terms = queryTerms(this.index, query);
    const leftOut = this.#leftOut(options.leftOut);
    const { weights = groupWeights, documents: named = documentsUsual } = options;
    const count = this.index.count - (leftOut === undefined ? 0 : 1);
    const shares = new Map<string, { sum: number; words: number }>();
    const told = new Map<string, Map<number, number>>();
    let whole = 0;
    for (const { term, weight } of terms) {
      const postings = this.#postingsOf(term, leftOut);
      if (postings.length === 0) continue;
      const worth = weight ** weights.repetition * rarityOf(postings.length, count);
      whole += worth;
      for (const [group, documents] of this.#documentsByGroup(postings, options.isAllowed)) {
        const score = shares.get(group) ?? { sum: 0, words: 0 };
        shares.set(group, score);
        score.sum += (worth * documents.length) / (documents.length + this.#normOf(group, leftOut, weights));
        score.words += 1;
        if (named === 0) continue;
        const each = told.get(group) ?? new Map<number, number>();
        told.set(group, each);
        for (const document of documents) each.set(document, (each.get(document) ?? 0) + worth);
      }
    }
    const scores = [...shares].map(([group, { sum, words }]) => {
      const documents = this.#best(told.get(group) ?? new Map(), named);
      return { group, share: whole === 0 ? 0 : sum / whole, words, documents };
    });
    return { scores: scores.sort((a, b) => b.share - a.share || compareText(a.group, b.group)), terms };
  }

  #leftOut(id: string | undefined): LeftOut | undefined {
    const number = id === undefined ? undefined : this.index.numberOf(id);
    if (number === undefined) return undefined;
    return { number, group: this.#groupOf.get(number), length: this.index.lengths[number] ?? 0 };
  }

  /** Numbers of the documents with a term. */
  #postingsOf(term: number, leftOut: LeftOut | undefined): number[] {
    const { page, start, end } = this.index.words.postingsOf(term);
    const found: number[] = [];
    for (let at = start; at < end; at += 1) {
      const document = (page[at] ?? 0) >>> 10;
      if (document !== leftOut?.number) found.push(document);
    }
    return found;
  }

  #documentsByGroup(
    postings: readonly number[],
    isAllowed: (group: string) => boolean = () => true,
  ): Map<string, number[]> {
    const found = new Map<string, number[]>();
    for (const document of postings) {
      const group = this.#groupOf.get(document);
      if (group === undefined || !isAllowed(group)) continue;
      const documents = found.get(group);
      if (documents === undefined) found.set(group, [document]);
      else documents.push(document);
    }
    return found;
  }

  #normOf(group: string, leftOut: LeftOut | undefined, weights: GroupWeights): number {
    const average = (this.index.totalLength - (leftOut?.length ?? 0)) / Math.max(1, this.#groups.size);
    const length = (this.#groups.get(group)?.length ?? 0) - (leftOut?.group === group ? leftOut.length : 0);
    return weights.saturation * (1 - weights.length + weights.length * (average === 0 ? 1 : length / average));
  }

  #best(scores: ReadonlyMap<number, number>, count: number): string[] {
    return [...scores]
      .map(([document, score]) => ({ id: this.index.idOf(document), score }))
      .sort((a, b) => b.score - a.score || compareText(a.id, b.id))
      .slice(0, count)
      .map(({ id }) => id);
  }

  #lengthOf(id: string): number {
    const number = this.index.numberOf(id);
    return number === undefined ? 0 : (this.index.lengths[number] ?? 0);
  }

  #remove(id: string): void {
    const number = this.index.numberOf(id);
    if (number !== undefined) this.#groupOf.delete(number);
    this.index.remove(id);
  }
}
