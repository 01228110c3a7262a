/** How good a ranking is, from 0 to 1. */
export interface RankMeasures {
  /** Gain of the first ten, each discounted by its place, as a share of the best possible; a document counts or does not. */
  readonly ndcg: number;
  /** Share of all relevant documents among the first ten. */
  readonly recall: number;
}

export function measureRanking(ranked: readonly string[], relevant: ReadonlySet<string>): RankMeasures {
  const first = ranked.slice(0, 10);
  const discount = (at: number) => 1 / Math.log2(at + 2);
  let gain = 0;
  let found = 0;
  for (const [at, id] of first.entries()) {
    if (!relevant.has(id)) continue;
    gain += discount(at);
    found += 1;
  }
  let ideal = 0;
  for (let at = 0; at < Math.min(10, relevant.size); at += 1) ideal += discount(at);
  return { ndcg: ideal === 0 ? 0 : gain / ideal, recall: relevant.size === 0 ? 0 : found / relevant.size };
}

export function meanMeasures(all: readonly RankMeasures[]): RankMeasures {
  const mean = (value: (one: RankMeasures) => number) => all.reduce((sum, one) => sum + value(one), 0) / all.length;
  return { ndcg: mean(({ ndcg }) => ndcg), recall: mean(({ recall }) => recall) };
}
