/** How documents are ranked. Each number was chosen on one half of the labelled queries and judged on the other. */
export interface Ranking {
  /** Of BM25: how soon more of a word counts no more, and how much the length of a document does. */
  readonly k1: number;
  readonly b: number;
  /** Words that the best entries have in common are searched as well; undefined for none. */
  readonly expansion?: Expansion | undefined;
  /** Entries that are like other good ones rise; undefined for none. */
  readonly smoothing?: Smoothing | undefined;
  /** Different words of a question; for a longer text there is neither expansion nor smoothing. */
  readonly questionTermsMax: number;
}

export interface Expansion {
  /** Best documents that the words are taken from, and how many words. */
  readonly documents: number;
  readonly terms: number;
  /** Of the best of the words, where a word of the query has 1. */
  readonly weight: number;
}

export interface Smoothing {
  /** Best documents that are compared with each other. */
  readonly documents: number;
  readonly neighbours: number;
  /** Share of a score that the neighbours give. */
  readonly weight: number;
}

export const plainRanking: Ranking = { k1: 1.2, b: 0.75, questionTermsMax: 24 };

export const fullRanking: Ranking = {
  ...plainRanking,
  expansion: { documents: 3, terms: 10, weight: 0.3 },
  smoothing: { documents: 50, neighbours: 5, weight: 0.3 },
};
