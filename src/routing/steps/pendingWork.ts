import type { Clock } from '../../base/clock.ts';
import type { Disposable } from '../../base/disposable.ts';
import type { Ulid } from '../../model/id.ts';

export interface WorkOptions {
  readonly clock: Clock;
  /** How many are worked on at a time. */
  readonly concurrent: number;
  /** Brings one message as far as it goes without a person. Rejects if it must be tried again. */
  readonly advance: (message: Ulid, signal: AbortSignal) => Promise<void>;
  /** Each time that it has to be tried again. */
  readonly onFailed: (message: Ulid, error: unknown) => void;
  readonly retryMs?: number;
}

/** A disk that was full may be so no more. */
const usualRetryMs = 60_000;

/** Works on messages that look for their receiver: a few at a time, each once, and what failed again after a while. */
export class PendingWork {
  readonly #options: WorkOptions;
  readonly #queue = new Set<Ulid>();
  readonly #running = new Map<Ulid, Promise<void>>();
  readonly #retries = new Map<Ulid, Disposable>();
  readonly #stopping = new AbortController();

  constructor(options: WorkOptions) {
    this.#options = options;
  }

  add(message: Ulid): void {
    if (this.#stopping.signal.aborted || this.#running.has(message)) return;
    this.#retries.get(message)?.dispose();
    this.#retries.delete(message);
    this.#queue.add(message);
    this.#pump();
  }

  /** Runs `work` while nothing else works on this message; if it fails, a queued message is queued again. */
  async alone<T>(message: Ulid, work: () => Promise<T>): Promise<T> {
    while (this.#running.has(message)) await this.#running.get(message);
    const isQueued = this.#queue.delete(message);
    const done = work();
    const running = done.then(
      () => undefined,
      () => {
        if (isQueued) this.#queue.add(message);
      },
    );
    this.#running.set(
      message,
      running.finally(() => {
        this.#running.delete(message);
        this.#pump();
      }),
    );
    return done;
  }

  /** Releases everything, and waits until nothing is under way; what was not finished is on the disk. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#queue.clear();
    for (const retry of this.#retries.values()) retry.dispose();
    this.#retries.clear();
    await Promise.all(this.#running.values());
  }

  #pump(): void {
    if (this.#stopping.signal.aborted) return;
    for (const message of this.#queue) {
      if (this.#running.size >= this.#options.concurrent) return;
      this.#queue.delete(message);
      this.#running.set(message, this.#run(message));
    }
  }

  async #run(message: Ulid): Promise<void> {
    const { advance, onFailed, clock, retryMs = usualRetryMs } = this.#options;
    const { signal } = this.#stopping;
    try {
      await advance(message, signal);
    } catch (error) {
      // Whatever it was, the message is on the disk and waits; it must not hold up the others.
      if (!signal.aborted) {
        onFailed(message, error);
        this.#retries.set(
          message,
          clock.schedule(retryMs, () => {
            this.#retries.delete(message);
            this.add(message);
          }),
        );
      }
    } finally {
      this.#running.delete(message);
      this.#pump();
    }
  }
}
