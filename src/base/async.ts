import { assert } from './assert.ts';
import type { Clock } from './clock.ts';

/** A promise that is settled from outside. */
export interface Deferred<T> {
  readonly promise: Promise<T>;
  resolve(value: T): void;
  reject(error: unknown): void;
}

export function createDeferred<T>(): Deferred<T> {
  // A promise runs its executor at once, so neither placeholder is ever called.
  let resolve: (value: T) => void = () => undefined;
  let reject: (error: unknown) => void = () => undefined;
  const promise = new Promise<T>((onResolve, onReject) => {
    resolve = onResolve;
    reject = onReject;
  });
  return { promise, resolve, reject };
}

/** The outcome of `promise`, or a rejection with `onTimeout()` when `timeoutMs` pass first. Cancels nothing by itself. */
export function withTimeout<T>(
  clock: Clock,
  timeoutMs: number,
  promise: Promise<T>,
  onTimeout: () => Error,
): Promise<T> {
  const timedOut = createDeferred<never>();
  const timer = clock.schedule(timeoutMs, () => timedOut.reject(onTimeout()));
  return Promise.race([promise, timedOut.promise]).finally(() => timer.dispose());
}

/** Runs functions one at a time, in the order they came. A failure reaches only the caller whose function failed. */
export class SerialQueue {
  #tail: Promise<unknown> = Promise.resolve();

  run<T>(work: () => Promise<T> | T): Promise<T> {
    const result = this.#tail.then(work);
    this.#tail = result.catch(() => undefined);
    return result;
  }

  /** Resolves once everything that was queued before has settled. */
  async drained(): Promise<void> {
    await this.#tail;
  }
}

type QueueState = { readonly kind: 'open' | 'closed' } | { readonly kind: 'failed'; readonly error: unknown };

/** Delivered values that are kept at most before the memory is given back. */
const deliveredMax = 4096;

/** Hands values from one side to the one consumer that iterates. What was pushed before `close` or `fail` is delivered. */
export class AsyncQueue<T> implements AsyncIterable<T> {
  #values: T[] = [];
  /** How many of `#values` are delivered; taking from the front of a long array one by one is slow. */
  #delivered = 0;
  #state: QueueState = { kind: 'open' };
  #waiting: Deferred<void> | undefined;
  #consumers = 0;

  /** Values pushed after the queue was closed are dropped: nobody will read them. */
  push(value: T): void {
    if (this.#state.kind !== 'open') return;
    this.#values.push(value);
    this.#wake();
  }

  close(): void {
    this.#finish({ kind: 'closed' });
  }

  fail(error: unknown): void {
    this.#finish({ kind: 'failed', error });
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<T, void, undefined> {
    this.#consumers++;
    assert(this.#consumers === 1, 'a queue has one consumer');
    try {
      for (;;) {
        while (this.#delivered < this.#values.length) yield this.#take();
        // Nothing is awaited between here and the wait, so no push can go unseen.
        this.#forget();
        if (this.#state.kind === 'failed') throw this.#state.error;
        if (this.#state.kind === 'closed') return;
        this.#waiting = createDeferred();
        await this.#waiting.promise;
      }
    } finally {
      // A consumer that breaks off does not come back.
      this.close();
      this.#forget();
    }
  }

  #take(): T {
    const value = this.#values[this.#delivered] as T;
    this.#delivered++;
    if (this.#delivered === deliveredMax) {
      this.#values.splice(0, this.#delivered);
      this.#delivered = 0;
    }
    return value;
  }

  #forget(): void {
    this.#values = [];
    this.#delivered = 0;
  }

  #finish(state: QueueState): void {
    if (this.#state.kind !== 'open') return;
    this.#state = state;
    this.#wake();
  }

  #wake(): void {
    this.#waiting?.resolve();
    this.#waiting = undefined;
  }
}

/** As `Promise.all`, but it settles last: when it rejects, with the first error in order, nothing goes on behind its back. */
export async function settleAll(work: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(work)) if (outcome.status === 'rejected') throw outcome.reason;
}
