import type { HistoryIndex, PastDecision } from './historyIndex.ts';

export interface SimilarDecision {
  readonly decision: PastDecision;
  /** 0 to 1: the cosine of both messages' words, each by how few messages have it. */
  readonly similarity: number;
}

/** Words of a message by which similar ones are looked for: its rarest. */
const wordsMax = 40;
/** Postings that are gone through for one message, so that a question takes as long in a long history as in a short one. */
const postingsMax = 200_000;
const neighboursMax = 8;
/** What is less alike has a word or two in common. */
const similarityMin = 0.12;

/** The messages of the past that are most like one with these stems, the most similar first and the newer before the older. */
export function similarDecisions(index: HistoryIndex, stems: ReadonlySet<string>): SimilarDecision[] {
  const count = index.decisions.length;
  const words = [...stems]
    .map((stem) => index.lexicon.find(stem))
    .filter((word) => word !== 0)
    .map((word) => ({ word, having: index.decisionsWith(word) }))
    .filter(({ having }) => having.length > 0)
    .sort((a, b) => a.having.length - b.having.length || a.word - b.word)
    .slice(0, wordsMax);
  const rarity = (word: number) => Math.log(1 + count / Math.max(1, index.decisionsWith(word).length)) ** 2;
  const shared = new Map<number, number>();
  let own = (stems.size - words.length) * Math.log(1 + count) ** 2 * unknownShare;
  let postings = 0;
  for (const { word, having } of words) {
    const weight = rarity(word);
    own += weight;
    if (postings > postingsMax) continue;
    postings += having.length;
    for (const number of having) shared.set(number, (shared.get(number) ?? 0) + weight);
  }
  const nearest = [...shared].sort(([a, one], [b, other]) => other - one || b - a).slice(0, 4 * neighboursMax);
  return nearest
    .flatMap(([number, weight]) => {
      const decision = index.decisions[number];
      if (decision === undefined) return [];
      let theirs = 0;
      for (const word of new Set(decision.words)) if (word !== 0) theirs += rarity(word);
      return [{ number, decision, similarity: weight / Math.sqrt(Math.max(own, weight) * Math.max(theirs, weight)) }];
    })
    .filter(({ similarity }) => similarity >= similarityMin)
    .sort((a, b) => b.similarity - a.similarity || b.number - a.number)
    .slice(0, neighboursMax)
    .map(({ decision, similarity }) => ({ decision, similarity }));
}

/** Words that no message had before make a message less like all of them, but less so than words they do not share. */
const unknownShare = 0.25;
