import { onAbort } from './abort.ts';
import { createDeferred, type Deferred } from './async.ts';
import { type Disposable, toDisposable } from './disposable.ts';
import { Fifo } from './fifo.ts';

/** Lets `count` callers run at a time; the others wait, in the order they came. */
export class Semaphore {
  readonly #waiting = new Fifo<Deferred<void>>();
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
  async run<T>(work: () => Promise<T> | T, signal?: AbortSignal): Promise<T> {
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
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next.resolve();
  }
}

/** Runs functions one at a time, in the order they came. A failure reaches only the caller whose function failed. */
export class SerialQueue extends Semaphore {
  constructor() {
    super(1);
  }

  /** Resolves once everything that was queued before has settled. */
  drained(): Promise<void> {
    return this.run(() => undefined);
  }
}
