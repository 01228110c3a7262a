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
  #running: Promise<void> | undefined;
  /** Begins once the one that runs has ended. */
  #next: Promise<void> | undefined;
  #updatedMs = Number.NEGATIVE_INFINITY;
  #savedChanges = 0;

  constructor(ports: SearcherPorts) {
    this.#ports = ports;
    this.#recent = new RecentEntries(ports.disk);
  }

  async search({ fresh = false, ...order }: SearchRequest): Promise<SearchAnswer> {
    this.#store ??= this.#load();
    const store = await this.#store;
    if (fresh) await this.#updateAfterThis(store);
    else if (store.index.count === 0) await this.#orSoon(this.#updateSoon(store));
    else if (this.#ports.clock.monotonicMs() - this.#updatedMs >= updateEveryMs) void this.#updateSoon(store);
    const found = await searchVault({ index: store.index, recent: this.#recent, layout: this.#ports.layout }, order);
    if (found.isBehind) void this.#updateSoon(store);
    return {
      ...found,
      ...{ entries: store.index.count, isUpdating: this.#running !== undefined },
      ...{ partial: store.partial, isFull: store.isFull },
    };
  }

  /** Ends what is being read, and saves the index if it changed. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    const store = await this.#store;
    await this.#running;
    if (store !== undefined) await this.#save(store);
  }

  async #load(): Promise<SearchStore> {
    const { disk, layout, version, bounds, rebuilds, onProblem } = this.#ports;
    if (rebuilds === true) return new SearchStore(bounds);
    const { store, problem } = await loadStore(disk, layout, { version, bounds });
    if (problem !== undefined) onProblem({ about: 'load', message: problem });
    this.#savedChanges = store.changes;
    return store;
  }

  /** An update that begins after this call. */
  #updateAfterThis(store: SearchStore): Promise<void> {
    if (this.#running === undefined) return this.#update(store);
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      return this.#update(store);
    });
    return this.#next;
  }

  #updateSoon(store: SearchStore): Promise<void> {
    return this.#running ?? this.#update(store);
  }

  #update(store: SearchStore): Promise<void> {
    const { disk, layout, clock } = this.#ports;
    const isFirst = store.index.count === 0;
    this.#running = updateStore({ disk, layout, wallMs: () => clock.wallMs() }, store, this.#stopping.signal)
      .catch((error: unknown) => {
        // What was read before is still found, and the next update tries again.
        if (!this.#stopping.signal.aborted) this.#ports.onProblem({ about: 'update', message: messageOf(error) });
      })
      .finally(() => {
        this.#running = undefined;
        this.#updatedMs = clock.monotonicMs();
      })
      // What took long to read is kept at once; small changes wait for the end.
      .then(() => (isFirst && !this.#stopping.signal.aborted ? this.#save(store) : undefined));
    return this.#running;
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
      if (!isRavelError(error)) throw error;
      // The next start reads the files again.
      onProblem({ about: 'save', message: error.diagnostic.message });
    }
  }
}
