import { onAbort } from '../base/abort.ts';
import { assert } from '../base/assert.ts';
import { createDeferred, type Deferred } from '../base/async.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { Fifo } from '../base/fifo.ts';
import type { QualifiedId } from '../model/id.ts';

interface Request {
  readonly actor: QualifiedId;
  readonly granted: Deferred<void>;
}

/**
 * Limits how many actors are active at a time. Actors are served in the order in which they came; an active actor can
 * do several things at once. Each step costs the same however long the queue is.
 */
export class ActorSlots {
  readonly #max: number;
  readonly #onPressure: () => void;
  readonly #holders = new Map<QualifiedId, number>();
  readonly #requests = new Fifo<Request>();
  readonly #requestsOf = new Map<QualifiedId, Set<Request>>();

  /** `onPressure` is called when an actor queues: an actor that holds a slot without needing it should release it. */
  constructor(max: number, onPressure: () => void) {
    assert(max > 0, 'at least one actor can be active');
    assert(Number.isSafeInteger(max), 'actors are counted');
    this.#max = max;
    this.#onPressure = onPressure;
  }

  get queued(): number {
    return this.#requests.size;
  }

  /** Those that are active, at most as many as may be. */
  get holders(): Iterable<QualifiedId> {
    return this.#holders.keys();
  }

  /** Resolves once the actor may be active, until what it resolves with is disposed. `onQueued` is told when it must wait. */
  async acquire(actor: QualifiedId, signal: AbortSignal, onQueued: (reason: string) => void): Promise<Disposable> {
    signal.throwIfAborted();
    if (this.#holders.has(actor) || this.#holders.size < this.#max) this.#hold(actor);
    else await this.#wait(actor, signal, onQueued);
    assert((this.#holders.get(actor) ?? 0) > 0, 'an actor that was let in holds a slot');
    assert(this.#holders.size <= this.#max, 'no more are active than may be');
    return toDisposable(() => this.#release(actor));
  }

  async #wait(actor: QualifiedId, signal: AbortSignal, onQueued: (reason: string) => void): Promise<void> {
    const request: Request = { actor, granted: createDeferred() };
    this.#enqueue(request);
    assert(this.#holders.size === this.#max, 'no caller waits for a free slot');
    assert(!signal.aborted, 'a caller that gave up does not wait');
    const listening = onAbort(signal, () => {
      if (!this.#requests.has(request)) return;
      this.#dequeue(request);
      request.granted.reject(signal.reason);
    });
    try {
      onQueued(`${this.#max} plans and experts are active, which is the limit`);
      this.#onPressure();
      await request.granted.promise;
    } finally {
      listening.dispose();
    }
  }

  #enqueue(request: Request): void {
    this.#requests.add(request);
    const own = this.#requestsOf.get(request.actor);
    if (own === undefined) this.#requestsOf.set(request.actor, new Set([request]));
    else own.add(request);
  }

  #dequeue(request: Request): void {
    this.#requests.delete(request);
    const own = this.#requestsOf.get(request.actor);
    own?.delete(request);
    if (own?.size === 0) this.#requestsOf.delete(request.actor);
  }

  #hold(actor: QualifiedId): void {
    this.#holders.set(actor, (this.#holders.get(actor) ?? 0) + 1);
  }

  #release(actor: QualifiedId): void {
    const count = this.#holders.get(actor);
    assert(count !== undefined && count > 0, 'only the holder of a slot releases it');
    if (count > 1) {
      this.#holders.set(actor, count - 1);
      return;
    }
    this.#holders.delete(actor);
    const first = this.#requests.shift();
    if (first !== undefined) this.#grant(first.actor);
    assert(this.#holders.size <= this.#max, 'no more are active than may be');
    assert(this.#requests.size === 0 || this.#holders.size === this.#max, 'no caller waits for a free slot');
  }

  /** Grants all requests of the actor together. */
  #grant(actor: QualifiedId): void {
    for (const request of [...(this.#requestsOf.get(actor) ?? [])]) {
      this.#dequeue(request);
      this.#hold(actor);
      request.granted.resolve();
    }
  }
}
