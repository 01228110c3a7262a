import { rejectOnAbort } from '../../base/abort.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import type { Disposable } from '../../base/disposable.ts';
import { type Diagnostic, messageOf } from '../../base/errors.ts';
import { exists } from '../../base/files.ts';
import type { Logger } from '../../base/log.ts';
import { plural } from '../../base/text.ts';
import { diagnostic, failure } from '../../model/codes.ts';
import type { RequestResults } from '../../model/protocol.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import type { MeaningRanker } from '../meaning/meaningRanker.ts';
import { takeFitting } from '../retrieval/budget.ts';
import { SearchThread } from './searchThread.ts';
import { limitUsual } from './searchVault.ts';
import { type SearchAnswer, type SearchProblem, type SearchRequest, VaultSearcher } from './vaultSearcher.ts';

export interface VaultSearchOptions {
  readonly disk: Disk;
  readonly layout: VaultLayout;
  readonly clock: Clock;
  readonly log: Logger;
  /** The bundle of `searchWorker.ts`; without it the vault is searched in this thread. */
  readonly program?: string;
  readonly version: string;
  /** Absent if entries are ranked by their words alone. */
  readonly meaning?: MeaningRanker;
}

/** What searches, in a thread or here. */
type Searcher = Pick<VaultSearcher, 'search' | 'stop'>;

/** As many entries are ranked by meaning at least. */
const candidatesMin = 60;

/** The index of a large vault takes memory, which is not needed once searches stop. */
const idleMs = 10 * 60_000;

/**
 * The search of a vault for those who ask. Its thread starts with the first search and ends some minutes after the last
 * one; the index outlives it as a file that can be made again at any time.
 */
export class VaultSearch {
  readonly #options: VaultSearchOptions;
  readonly #told = new Set<string>();
  #searcher: Promise<Searcher> | undefined;
  #ending: Promise<void> = Promise.resolve();
  #idle: Disposable | undefined;
  #underWay = 0;
  #hasFailed = false;

  constructor(options: VaultSearchOptions) {
    this.#options = options;
  }

  /** Rejects with `search/failed` if the thread ends before it answers, and with the signal's reason. */
  async search(request: SearchRequest, signal: AbortSignal): Promise<RequestResults['search']> {
    signal.throwIfAborted();
    this.#idle?.dispose();
    this.#underWay += 1;
    try {
      return await this.#tryTwice(request, signal);
    } finally {
      this.#underWay -= 1;
      if (this.#underWay === 0) this.#endLater();
    }
  }

  /** Where the thread did not live to answer, once more with one that builds the index again. */
  async #tryTwice(request: SearchRequest, signal: AbortSignal): Promise<RequestResults['search']> {
    for (let isLast = false; ; isLast = true) {
      try {
        return await this.#searchBy(await this.#running(), request, signal);
      } catch (error) {
        signal.throwIfAborted();
        const message = messageOf(error);
        if (!isLast && this.#hasFailed) {
          this.#onProblem({ about: 'load', message });
          continue;
        }
        const { root } = this.#options.layout;
        throw failure('search/failed', root, `The search failed: ${message}.`, { cause: error });
      }
    }
  }

  /** Resolves once the index is saved. */
  async stop(): Promise<void> {
    this.#idle?.dispose();
    this.#end();
    await this.#ending;
  }

  async #searchBy(searcher: Searcher, request: SearchRequest, signal: AbortSignal): Promise<RequestResults['search']> {
    const { meaning } = this.#options;
    if (meaning?.isOn !== true) {
      const answer = await rejectOnAbort(searcher.search(request), signal);
      const { hits, skipped, entries, isUpdating } = answer;
      return { hits, skipped, entries, isUpdating, diagnostics: this.#diagnosticsOf(answer) };
    }
    const { limit = limitUsual, bytes } = request;
    const candidates = { ...request, limit: Math.max(limit, candidatesMin), bytes: undefined, withTexts: true };
    const answer = await rejectOnAbort(searcher.search(candidates), signal);
    const read = answer.hits.map((hit, at) => ({ hit, text: answer.texts[at] ?? '' }));
    const { hits, problem } = await meaning.rank(request.query, read, signal);
    const ranked = hits.map(({ hit }) => hit);
    const { taken, skipped } = takeFitting(ranked, limit, { bytesMax: bytes });
    const diagnostics = this.#diagnosticsOf(answer, problem);
    return { hits: taken, skipped, entries: answer.entries, isUpdating: answer.isUpdating, diagnostics };
  }

  #running(): Promise<Searcher> {
    if (this.#searcher !== undefined) return this.#searcher;
    const started = this.#start(() => this.#forget(started));
    this.#searcher = started;
    // The next search tries again; this one is told why.
    started.catch(() => this.#forget(started));
    return started;
  }

  /** Unless another one has taken its place. */
  #forget(searcher: Promise<Searcher>): void {
    if (this.#searcher === searcher) this.#searcher = undefined;
  }

  async #start(onGone: () => void): Promise<Searcher> {
    // Two of them would save over each other.
    await this.#ending;
    const { disk, layout, clock, version, program } = this.#options;
    const onProblem = (problem: SearchProblem) => this.#onProblem(problem);
    if (program === undefined || !(await exists(disk, program))) {
      return new VaultSearcher({ disk, saving: disk, layout, clock, version, onProblem });
    }
    const order = { root: layout.root, version, rebuilds: this.#hasFailed };
    const thread = new SearchThread(program, order, { clock, onProblem });
    this.#hasFailed = false;
    void thread.gone.then((isInOrder) => {
      if (isInOrder) return;
      // The next search starts another one, which trusts nothing of what was saved.
      this.#hasFailed = true;
      onGone();
    });
    return thread;
  }

  #endLater(): void {
    this.#idle = this.#options.clock.schedule(idleMs, () => this.#end());
  }

  #end(): void {
    const searcher = this.#searcher;
    this.#searcher = undefined;
    if (searcher === undefined) return;
    this.#ending = this.#ending
      .then(async () => (await searcher).stop())
      .catch((error: unknown) => this.#options.log.warn('the search index is not saved', { error: messageOf(error) }));
  }

  /** Once for each reason: the index is only a cache, and every search would tell the same. */
  #onProblem({ about, message }: SearchProblem): void {
    if (this.#told.has(about)) return;
    this.#told.add(about);
    this.#options.log.warn(problemTexts[about], { error: message });
  }

  #diagnosticsOf({ partial, isFull }: SearchAnswer, problem?: string): readonly Diagnostic[] {
    const { root } = this.#options.layout;
    const diagnostics: Diagnostic[] = [];
    if (isFull)
      diagnostics.push(
        diagnostic('search/full', root, 'The vault has more entries than can be searched.', { severity: 'warning' }),
      );
    else if (partial > 0) {
      const message = `${plural(partial, 'file')} cannot be read whole, so some of what ${partial === 1 ? 'it holds' : 'they hold'} is not found.`;
      diagnostics.push(diagnostic('search/unread', root, message, { severity: 'warning' }));
    }
    if (problem !== undefined) {
      const message = `Entries are ranked by their words alone: ${problem}.`;
      this.#options.log.warn(message);
      diagnostics.push(diagnostic('search/embeddings', root, message, { severity: 'warning' }));
    }
    return diagnostics;
  }
}

const problemTexts: Readonly<Record<SearchProblem['about'], string>> = {
  load: 'the search index is built again',
  update: 'not all files could be read for a search',
  save: 'the search index is not saved',
};
