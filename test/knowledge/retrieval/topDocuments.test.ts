import { describe, expect, test } from 'vitest';
import { boundOf, scoreOf } from '../../../src/knowledge/retrieval/bm25.ts';
import type { QueryTerm } from '../../../src/knowledge/retrieval/queryTerms.ts';
import { plainRanking } from '../../../src/knowledge/retrieval/ranking.ts';
import type { SearchIndex } from '../../../src/knowledge/retrieval/searchIndex.ts';
import { type Ranked, topDocuments } from '../../../src/knowledge/retrieval/topDocuments.ts';
import { createRandom } from '../../support/seededRandom.ts';
import { indexOf, someDocument } from './someDocuments.ts';

/** Scores every document by every term, in the order in which the terms count, and puts all of them in order. */
function exhaustive(
  index: SearchIndex,
  terms: readonly QueryTerm[],
  count: number,
  allowed: Uint8Array | undefined,
): readonly Ranked[] {
  const ordered = [...terms].sort(
    (a, b) => boundOf(index, b, plainRanking) - boundOf(index, a, plainRanking) || index.words.compare(a.term, b.term),
  );
  const all: Ranked[] = [];
  for (let document = 0; document < index.end; document += 1) {
    if (allowed !== undefined && allowed[document] !== 1) continue;
    const score = ordered.reduce((sum, term) => sum + scoreOf(index, document, term, plainRanking), 0);
    if (score > 0) all.push({ document, score });
  }
  const id = ({ document }: Ranked) => index.idOf(document);
  all.sort((a, b) => b.score - a.score || (id(a) < id(b) ? -1 : 1));
  return all.slice(0, count);
}

describe('the best documents are those that scoring all of them finds', () => {
  // RAVEL_FUZZ_SEED tries others; each failure prints its seed.
  const first = Number(process.env['RAVEL_FUZZ_SEED'] ?? 1);

  test.each(Array.from({ length: 12 }, (_, n) => first + n))('seed %i', (seed) => {
    const random = createRandom(seed);
    /** As in a language: a few words stand nearly everywhere. */
    const word = () => `w${Math.floor(120 ** (random(1000) / 1000)) - 1}`;
    const size = 50 + random(2000);
    const index = indexOf(
      Array.from({ length: size }, (_, n) =>
        someDocument(`d${(n * 7919) % size}`, {
          title: Array.from({ length: random(3) }, word).join(' '),
          body: Array.from({ length: 1 + random(30) }, word).join(' '),
        }),
      ),
    );
    for (let n = 0; n < 8; n += 1) index.remove(`d${random(size)}`);
    for (let n = 0; n < 60; n += 1) {
      const names = Array.from({ length: 1 + random(8) }, word);
      const terms = [...new Set(names)].flatMap((name) => {
        const term = index.words.find(name);
        return term === undefined ? [] : [{ term, weight: [1, 0.5, 0.013][random(3)] ?? 1 }];
      });
      const count = [1, 3, 10, 50, size][random(5)] ?? 1;
      const allowed = random(3) === 0 ? Uint8Array.from({ length: index.end }, () => random(2)) : undefined;
      const found = topDocuments(index, { terms, ranking: plainRanking, allowed, count }, index.sheet);
      const expected = exhaustive(index, terms, count, allowed);
      const where = `seed ${seed}, query ${n}: ${names.join(' ')}`;
      expect(
        found.map(({ document }) => index.idOf(document)),
        where,
      ).toEqual(expected.map(({ document }) => index.idOf(document)));
      for (const [at, { score }] of found.entries()) expect(score, where).toBeCloseTo(expected[at]?.score ?? 0, 12);
    }
  });
});
