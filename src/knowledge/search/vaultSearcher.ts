import { createDeferred } from '../../base/async.ts';
import type { Clock } from '../../base/clock.ts';
import type { Disk, ReadingDisk } from '../../base/disk.ts';
import { isRavelError, messageOf } from '../../base/errors.ts';
import type { VaultLayout } from '../../vault/layout.ts';
import { RecentEntries } from './recentEntries.ts';
import { loadStore, saveStore } from './searchFile.ts';
import { SearchStore, type StoreBounds } from './searchStore.ts';
import { type FoundEntries, type SearchOrder, searchVault } from './searchVault.ts';
import { updateStore } from './updateStore.ts';

export interface SearcherPorts {
  readonly disk: ReadingDisk;
  /** Where the index is saved. */
  readonly saving: Disk;
  readonly layout: VaultLayout;
  readonly clock: Clock;
  /** Of this program; an index of another one is not used. */
  readonly version: string;
  /** Whether what was saved is passed over. */
  readonly rebuilds?: boolean;
  readonly bounds?: StoreBounds;
  /** Told what keeps the index from being kept, once for each reason; no search fails by it. */
  readonly onProblem: (problem: SearchProblem) => void;
}

export interface SearchProblem {
  readonly about: 'load' | 'update' | 'save';
  readonly message: string;
}

export interface SearchRequest extends SearchOrder {
  /** Waits until every file is read that changed before the request. */
  readonly fresh?: boolean | undefined;
}

export interface SearchAnswer extends FoundEntries {
  readonly entries: number;
  readonly isUpdating: boolean;
  /** Files that could not be read, or not be read whole. */
  readonly partial: number;
  readonly isFull: boolean;
}

/** While a person types, stamps of files are compared this often, in milliseconds; a fresh search always compares them. */
const updateEveryMs = 2000;
/** How long the first search waits for a vault that was never read, unless it wants to be fresh. */
const viewsReadyMs = 500;

/**
 * Searches one vault. A search is answered at once from what was read so far, while changed files are read beside it; one
 * that wants to be fresh waits for them. The same files and the same query give the same answer.
 */
export class VaultSearcher {
  readonly #ports: SearcherPorts;
  readonly #recent: RecentEntries;
  readonly #stopping = new AbortController();
  #store: Promise<SearchStore> | undefined;
  /** The store that was read from its file, as long as nothing was found to be wrong with it. */
  #saved: SearchStore | undefined;
  #running: Promise<void> | undefined;
  /** Begins once the one that runs has ended. */
  #next: Promise<void> | undefined;
  #updatedMs = Number.NEGATIVE_INFINITY;
  #savedChanges = 0;

  constructor(ports: SearcherPorts) {
    this.#ports = ports;
    this.#recent = new RecentEntries(ports.disk, ports.layout);
  }

  async search({ fresh = false, ...order }: SearchRequest): Promise<SearchAnswer> {
    const before = await this.#loaded();
    if (fresh) await this.#updateAfterThis();
    else if (before.index.count === 0) await this.#orSoon(this.#updateSoon());
    else if (this.#ports.clock.monotonicMs() - this.#updatedMs >= updateEveryMs) void this.#updateSoon();
    const store = await this.#loaded();
    if (store !== before) return this.search({ ...order, fresh: true });
    const { layout } = this.#ports;
    try {
      const found = await searchVault({ index: store.index, recent: this.#recent, layout }, order);
      if (found.isBehind) void this.#updateSoon();
      return {
        ...found,
        ...{ entries: store.index.count, isUpdating: this.#running !== undefined },
        ...{ partial: store.partial, isFull: store.isFull },
      };
    } catch (error) {
      if (!this.#startAgain(store, error)) throw error;
      return this.search({ ...order, fresh: true });
    }
  }

  /** Ends what is being read, and saves the index if it changed. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    if (this.#store === undefined) return;
    await this.#store;
    await this.#running;
    await this.#save(await this.#loaded());
  }

  #loaded(): Promise<SearchStore> {
    this.#store ??= this.#load();
    return this.#store;
  }

  async #load(): Promise<SearchStore> {
    const { disk, layout, version, bounds, rebuilds, onProblem } = this.#ports;
    if (rebuilds === true) return new SearchStore(bounds);
    const { store, isSaved, problem } = await loadStore(disk, layout, { version, bounds });
    if (problem !== undefined) onProblem({ about: 'load', message: problem });
    if (isSaved) this.#saved = store;
    this.#savedChanges = store.changes;
    return store;
  }

  /**
   * A saved index can break rules that are not checked when it is read. It is dropped then, and the files are read
   * again. Returns whether that is what the error means.
   */
  #startAgain(store: SearchStore, error: unknown): boolean {
    if (isRavelError(error) || store !== this.#saved) return false;
    this.#ports.onProblem({ about: 'load', message: messageOf(error) });
    this.#saved = undefined;
    this.#store = Promise.resolve(new SearchStore(this.#ports.bounds));
    this.#savedChanges = -1;
    return true;
  }

  /** An update that begins after this call. */
  #updateAfterThis(): Promise<void> {
    if (this.#running === undefined) return this.#update();
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#update();
    });
    return this.#next;
  }

  #updateSoon(): Promise<void> {
    return this.#running ?? this.#update();
  }

  #update(): Promise<void> {
    this.#running = this.#updateNow().finally(() => {
      this.#running = undefined;
      this.#updatedMs = this.#ports.clock.monotonicMs();
    });
    return this.#running;
  }

  async #updateNow(): Promise<void> {
    const { disk, layout, clock } = this.#ports;
    const store = await this.#loaded();
    const isFirst = store.index.count === 0;
    try {
      await updateStore({ disk, layout, wallMs: () => clock.wallMs() }, store, this.#stopping.signal);
    } catch (error) {
      if (this.#stopping.signal.aborted || this.#startAgain(store, error)) return;
      // What was read before is still found, and the next update tries again.
      this.#ports.onProblem({ about: 'update', message: messageOf(error) });
    }
    // What took long to read is kept at once; small changes wait for the end.
    if (isFirst && !this.#stopping.signal.aborted) await this.#save(store);
  }

  async #orSoon(update: Promise<void>): Promise<void> {
    const soon = createDeferred<void>();
    const timer = this.#ports.clock.schedule(viewsReadyMs, () => soon.resolve());
    await Promise.race([update, soon.promise]);
    timer.dispose();
  }

  async #save(store: SearchStore): Promise<void> {
    if (store.changes === this.#savedChanges) return;
    const { saving, layout, version, onProblem } = this.#ports;
    const { changes } = store;
    try {
      await saveStore(saving, layout, store, version);
      this.#savedChanges = changes;
    } catch (error) {
      if (!isRavelError(error) && store !== this.#saved) throw error;
      // The next start reads the files again.
      onProblem({ about: 'save', message: messageOf(error) });
    }
  }
}
