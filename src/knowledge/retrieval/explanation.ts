import { scoreOf } from './bm25.ts';
import type { Neighbour } from './neighbours.ts';
import type { QueryTerm } from './queryTerms.ts';
import type { Ranking } from './ranking.ts';
import type { SearchIndex } from './searchIndex.ts';
import type { Ranked } from './topDocuments.ts';

/** What gave a part of a score. The parts of a hit sum to its score. */
export interface ScorePart {
  readonly kind: 'word' | 'expansion' | 'neighbour' | 'factor';
  /** The term, the id of the neighbour, or the name of the factor. */
  readonly name: string;
  readonly score: number;
}

/** Something besides words by which the score of a document is multiplied. */
export interface Factor {
  readonly name: string;
  readonly factor: number;
}

/** What the scores of one search come from. */
export interface Scoring {
  readonly index: SearchIndex;
  readonly ranking: Ranking;
  readonly words: readonly QueryTerm[];
  readonly expansion: readonly QueryTerm[];
  readonly ranked: readonly Ranked[];
  /** Of each ranked document. */
  readonly near: readonly (readonly Neighbour[])[];
}

/** Share of a score that the neighbours give. */
function shareOf({ ranking, near }: Scoring, at: number): number {
  return (near[at] ?? []).length === 0 ? 0 : (ranking.smoothing?.weight ?? 0);
}

/** The score at a place of the ranked documents with what its neighbours give; one without neighbours keeps its own. */
export function smoothedScore(scoring: Scoring, at: number): number {
  const share = shareOf(scoring, at);
  const own = (1 - share) * (scoring.ranked[at]?.score ?? 0);
  return neighbourParts(scoring, at).reduce((sum, { score }) => sum + score, own);
}

/** What gave the score at a place of the ranked documents, the largest parts first. */
export function explainScore(scoring: Scoring, at: number, factors: readonly Factor[]): readonly ScorePart[] {
  const { index, ranking, words, expansion, ranked } = scoring;
  const document = ranked[at]?.document ?? 0;
  const ownShare = 1 - shareOf(scoring, at);
  const partOf = (kind: 'word' | 'expansion', term: QueryTerm): ScorePart => ({
    ...{ kind, name: index.words.nameOf(term.term) },
    score: ownShare * scoreOf(index, document, term, ranking),
  });
  const parts = [
    ...words.map((term) => partOf('word', term)),
    ...expansion.map((term) => partOf('expansion', term)),
    ...neighbourParts(scoring, at),
  ];
  let score = parts.reduce((sum, part) => sum + part.score, 0);
  for (const { name, factor } of factors) {
    parts.push({ kind: 'factor', name, score: score * (factor - 1) });
    score *= factor;
  }
  return parts.filter((part) => part.score !== 0).sort((a, b) => Math.abs(b.score) - Math.abs(a.score));
}

function neighbourParts(scoring: Scoring, at: number): readonly ScorePart[] {
  const { index, ranked } = scoring;
  const near = scoring.near[at] ?? [];
  const share = shareOf(scoring, at);
  const all = near.reduce((sum, { likeness }) => sum + likeness, 0);
  return near.flatMap(({ at: other, likeness }) => {
    const neighbour = ranked[other];
    if (neighbour === undefined) return [];
    const score = (share * likeness * neighbour.score) / all;
    return [{ kind: 'neighbour', name: index.idOf(neighbour.document), score }];
  });
}
