import { onAbort } from './abort.ts';
import { createDeferred, type Deferred } from './async.ts';
import { type Disposable, toDisposable } from './disposable.ts';

/** Lets `count` callers run at a time; the others wait, in the order they came. */
export class Semaphore {
  readonly #waiting = new Set<Deferred<void>>();
  #free: number;

  constructor(count: number) {
    this.#free = count;
  }

  /** Resolves when it is the caller's turn, which lasts until what it is given is disposed of. Rejects when aborted. */
  async acquire(signal?: AbortSignal): Promise<Disposable> {
    signal?.throwIfAborted();
    if (this.#free > 0) this.#free -= 1;
    else await this.#turn(signal);
    return toDisposable(() => this.#pass());
  }

  /** Runs `work` when it is its turn. An abort ends the waiting; once it is its turn, it is the work's to honour. */
  async run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
    const turn = await this.acquire(signal);
    try {
      return await work();
    } finally {
      turn.dispose();
    }
  }

  async #turn(signal: AbortSignal | undefined): Promise<void> {
    const turn = createDeferred<void>();
    this.#waiting.add(turn);
    const listening = onAbort(signal, () => {
      if (this.#waiting.delete(turn)) turn.reject(signal?.reason);
    });
    try {
      await turn.promise;
    } finally {
      listening.dispose();
    }
  }

  /** Passes directly to the next waiting caller, so that a later one cannot overtake it. */
  #pass(): void {
    const [next] = this.#waiting;
    if (next === undefined) this.#free += 1;
    else this.#waiting.delete(next);
    next?.resolve();
  }
}
