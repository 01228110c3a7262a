import { type Clock, delay } from '../../base/clock.ts';
import { messageOf } from '../../base/errors.ts';
import { sha256 } from '../../base/files.ts';
import type { SearchHit } from '../../model/requests/search.ts';
import { EmbeddingFault, EmbeddingServer, type EmbeddingSettings } from './embeddingServer.ts';
import { reciprocalRank } from './fuse.ts';
import { VectorCache } from './vectorCache.ts';

/** An entry with what it says, for a ranker that needs more than its title. */
export interface ReadHit {
  readonly hit: SearchHit;
  readonly text: string;
}

export interface MeaningResult {
  readonly hits: readonly ReadHit[];
  /** Why entries are ranked by their words alone, told once; absent if they are not, or if it was told. */
  readonly problem?: string;
}

export interface MeaningOptions {
  readonly clock: Clock;
  /** As they hold now; undefined if the ranking is off. */
  readonly settings: () => EmbeddingSettings | undefined;
}

/** Characters of a text that are sent, and texts of one request. */
const textLengthMax = 4000;
const textsMax = 64;
/** Vectors that are kept: 20,000 of 768 numbers. */
const cacheBytesMax = 64 * 1024 * 1024;
/** A search does not wait longer for its second ranking. */
const timeoutMs = 3000;
/** How long a server that failed is left alone. */
const pauseMs = 60_000;

/**
 * Ranks what was found by its words a second time, by what it means, and fuses both by reciprocal rank. Whatever the server
 * does, a search has an answer: without vectors in time the first ranking stands.
 */
export class MeaningRanker {
  readonly #options: MeaningOptions;
  readonly #vectors = new VectorCache(cacheBytesMax);
  #pausedUntilMs = Number.NEGATIVE_INFINITY;

  constructor(options: MeaningOptions) {
    this.#options = options;
  }

  get isOn(): boolean {
    return this.#options.settings() !== undefined && this.#options.clock.monotonicMs() >= this.#pausedUntilMs;
  }

  async rank(query: string, found: readonly ReadHit[], signal: AbortSignal): Promise<MeaningResult> {
    const settings = this.#options.settings();
    if (settings === undefined || !this.isOn || found.length < 2 || query.trim() === '') return { hits: found };
    const { clock } = this.#options;
    const limit = new AbortController();
    const both = AbortSignal.any([signal, limit.signal]);
    const late = delay(clock, timeoutMs, both).then(() => limit.abort(new EmbeddingFault('the server takes too long')));
    // Ends with the answer.
    late.catch(() => undefined);
    try {
      const texts = found.map(({ hit, text }) => `${hit.title}\n${text}`);
      const vectors = await this.#vectorsOf(settings, [query, ...texts], both);
      return { hits: fused(found, vectors, settings.model) };
    } catch (error) {
      signal.throwIfAborted();
      if (!(error instanceof EmbeddingFault)) throw error;
      this.#pausedUntilMs = clock.monotonicMs() + pauseMs;
      return { hits: found, problem: messageOf(error) };
    } finally {
      limit.abort();
    }
  }

  /** Undefined for a text that says nothing: it is not sent, since a server may refuse all for the sake of one. */
  async #vectorsOf(
    settings: EmbeddingSettings,
    texts: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly (Float32Array | undefined)[]> {
    const server = new EmbeddingServer(settings);
    // A server refuses half a character.
    const sent = texts.map((text) => Buffer.from(text.slice(0, textLengthMax).trim()).toString());
    const hashes = sent.map((text) => sha256(`${settings.url}\n${settings.model}\n${text}`));
    const found = hashes.map((hash) => this.#vectors.get(hash));
    const missing = [...new Map(hashes.map((hash, at) => [hash, at])).values()].filter(
      (at) => found[at] === undefined && sent[at] !== '',
    );
    for (let n = 0; n < missing.length; n += textsMax) {
      const some = missing.slice(n, n + textsMax);
      const vectors = await server.embed(
        some.map((at) => sent[at] ?? ''),
        signal,
      );
      for (const [of, at] of some.entries()) {
        const vector = vectors[of];
        // Kept at once: a server that is slow at first is asked for the rest the next time.
        if (vector !== undefined) this.#vectors.set(hashes[at] ?? '', vector);
      }
    }
    const all = hashes.map((hash, at) => found[at] ?? this.#vectors.get(hash));
    const dimensions = new Set(all.flatMap((vector) => (vector === undefined ? [] : [vector.length])));
    if (dimensions.size <= 1) return all;
    // Another model has taken the name of the one before.
    this.#vectors.clear();
    throw new EmbeddingFault('the server gives vectors of different dimensions');
  }
}

/** Each score is what both places give; of that of the words, each word keeps its share. */
function fused(
  found: readonly ReadHit[],
  [query, ...vectors]: readonly (Float32Array | undefined)[],
  model: string,
): readonly ReadHit[] {
  if (query === undefined) return found;
  const near = found
    .map((_, at) => ({ at, likeness: likenessOf(query, vectors[at]) }))
    .filter(({ likeness }) => likeness > 0)
    .sort((a, b) => b.likeness - a.likeness || a.at - b.at);
  const placeOf = new Map(near.map(({ at }, place) => [at, place]));
  return found
    .map(({ hit, text }, at) => {
      const [words, meaning] = [reciprocalRank(at), reciprocalRank(placeOf.get(at))];
      const share = hit.score === 0 ? 0 : words / hit.score;
      const parts = hit.parts.map((part) => ({ ...part, score: part.score * share }));
      const added = meaning === 0 ? [] : [{ kind: 'meaning' as const, name: model, score: meaning }];
      const all = hit.parts.length === 0 ? [] : [...added, ...parts];
      return { at, read: { hit: { ...hit, score: words + meaning, parts: all }, text } };
    })
    .sort((a, b) => b.read.hit.score - a.read.hit.score || a.at - b.at)
    .map(({ read }) => read);
}

function likenessOf(one: Float32Array, other: Float32Array | undefined): number {
  return other?.reduce((sum, value, at) => sum + value * (one[at] ?? 0), 0) ?? 0;
}
