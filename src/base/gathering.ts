import type { Clock } from './clock.ts';
import type { Disposable } from './disposable.ts';
import { SerialQueue } from './semaphore.ts';

export interface GatheringOptions<Key> {
  readonly clock: Clock;
  /** From the first key to the work, which is done once for all that came until then. */
  readonly delayMs: number;
  readonly work: (keys: ReadonlySet<Key>) => Promise<void>;
  readonly onError: (error: unknown) => void;
}

/** Work that many small changes call for: it is done a little later, once for all of them, and never twice at a time. */
export class Gathering<Key> {
  readonly #options: GatheringOptions<Key>;
  readonly #queue = new SerialQueue();
  #keys = new Set<Key>();
  #timer: Disposable | undefined;
  #isStopped = false;

  constructor(options: GatheringOptions<Key>) {
    this.#options = options;
  }

  add(key: Key): void {
    if (this.#isStopped) return;
    this.#keys.add(key);
    this.#timer ??= this.#options.clock.schedule(this.#options.delayMs, () => void this.settled());
  }

  /** Does now what waits; resolves once it is done. */
  settled(): Promise<void> {
    this.#timer?.dispose();
    this.#timer = undefined;
    return this.#queue.run(async () => {
      const keys = this.#keys;
      if (keys.size === 0) return;
      this.#keys = new Set();
      await this.#options.work(keys).catch(this.#options.onError);
    });
  }

  /** Does what waits, and takes nothing more. */
  stop(): Promise<void> {
    this.#isStopped = true;
    return this.settled();
  }
}
