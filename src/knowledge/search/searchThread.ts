import { CallThread } from '../../base/callThread.ts';
import type { Clock } from '../../base/clock.ts';
import { type Disposable, toDisposable } from '../../base/disposable.ts';
import type { SearchAnswer, SearchProblem, SearchRequest, VaultSearcher } from './vaultSearcher.ts';

/** Given to the thread when it starts. */
export interface SearchThreadOrder {
  readonly root: string;
  /** Of this program; an index of another one is not used. */
  readonly version: string;
  /** Whether what was saved is passed over. */
  readonly rebuilds: boolean;
}

export interface SearchThreadPorts {
  readonly clock: Clock;
  readonly onProblem: (problem: SearchProblem) => void;
}

/** What the thread offers. */
export type OfferedSearch = Pick<VaultSearcher, 'search'>;

/** Of what is not in the lists of the index: names, ids and the files of the last answers. */
const heapMb = 1536;
/** Between two files the thread turns to its messages; the largest takes a small part of this to read. */
const turnMs = 60_000;

/**
 * A thread that searches one vault, and answers several requests at once. What was saved may be made by someone who wants
 * it to search for ever: a thread that does not turn to its messages for a minute, while someone waits, is ended.
 */
export class SearchThread {
  readonly #thread: CallThread<OfferedSearch, SearchProblem>;
  readonly #clock: Clock;
  #isStopping = false;

  constructor(program: string, order: SearchThreadOrder, { clock, onProblem }: SearchThreadPorts) {
    const options = { workerData: order, resourceLimits: { maxOldGenerationSizeMb: heapMb } };
    this.#thread = new CallThread(program, options, onProblem);
    this.#clock = clock;
  }

  /** Resolves once the thread is gone, with whether it was stopped and ended in order. */
  get gone(): Promise<boolean> {
    return this.#thread.gone.then((code) => this.#isStopping && code === 0);
  }

  /** Rejects if the thread ends before it answers. */
  search(request: SearchRequest): Promise<SearchAnswer> {
    return this.#watched(() => this.#thread.call('search', request));
  }

  /** Resolves once the index is saved and the thread is gone. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    await this.#watched(() => this.#thread.stop());
  }

  async #watched<T>(work: () => Promise<T>): Promise<T> {
    const watch = this.#watch();
    try {
      return await work();
    } finally {
      watch.dispose();
    }
  }

  #watch(): Disposable {
    let timer: Disposable;
    const look = () => {
      let hasTurned = false;
      void this.#thread.turn().then(() => {
        hasTurned = true;
      });
      timer = this.#clock.schedule(turnMs, () => {
        if (hasTurned) look();
        else void this.#thread.kill(`it did not come to an end within ${turnMs / 1000} seconds`);
      });
    };
    look();
    return toDisposable(() => timer.dispose());
  }
}
