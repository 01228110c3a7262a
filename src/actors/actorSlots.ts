import { assert } from '../base/assert.ts';
import { createDeferred, type Deferred } from '../base/async.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import type { QualifiedId } from '../model/id.ts';

interface Request {
  readonly actor: QualifiedId;
  readonly granted: Deferred<void>;
}

/** So many actors may be active at a time. Who comes first is served first; an actor that is active may do more at once. */
export class ActorSlots {
  readonly #max: number;
  readonly #onPressure: () => void;
  readonly #holders = new Map<QualifiedId, number>();
  #requests: Request[] = [];

  /** `onPressure`: somebody queues, so whoever holds a slot without need should let go of it. */
  constructor(max: number, onPressure: () => void) {
    assert(max > 0, 'somebody may be active');
    assert(Number.isSafeInteger(max), 'actors are counted');
    this.#max = max;
    this.#onPressure = onPressure;
  }

  get queued(): number {
    return this.#requests.length;
  }

  /** Resolves once the actor may be active, until what it resolves with is disposed. `onQueued` is told when it must wait. */
  async acquire(actor: QualifiedId, signal: AbortSignal, onQueued: (reason: string) => void): Promise<Disposable> {
    signal.throwIfAborted();
    const request: Request = { actor, granted: createDeferred() };
    this.#requests.push(request);
    this.#grant();
    if (this.#requests.includes(request)) await this.#wait(request, signal, onQueued);
    assert((this.#holders.get(actor) ?? 0) > 0, 'who was let in holds a slot');
    assert(this.#holders.size <= this.#max, 'no more are active than may be');
    return toDisposable(() => this.#release(actor));
  }

  async #wait(request: Request, signal: AbortSignal, onQueued: (reason: string) => void): Promise<void> {
    const withdraw = () => {
      if (!this.#requests.includes(request)) return;
      this.#requests = this.#requests.filter((other) => other !== request);
      request.granted.reject(signal.reason);
    };
    assert(this.#holders.size === this.#max, 'nobody waits for a free slot');
    assert(!signal.aborted, 'who gave up does not wait');
    signal.addEventListener('abort', withdraw, { once: true });
    try {
      onQueued(`${this.#max} plans and experts are active, which is as many as may be`);
      this.#onPressure();
      await request.granted.promise;
    } finally {
      signal.removeEventListener('abort', withdraw);
    }
  }

  #release(actor: QualifiedId): void {
    const count = this.#holders.get(actor);
    assert(count !== undefined && count > 0, 'only who holds a slot lets go of it');
    if (count > 1) this.#holders.set(actor, count - 1);
    else this.#holders.delete(actor);
    this.#grant();
  }

  #grant(): void {
    const left: Request[] = [];
    for (const request of this.#requests) {
      const { actor, granted } = request;
      const count = this.#holders.get(actor) ?? 0;
      if (count > 0 || this.#holders.size < this.#max) {
        this.#holders.set(actor, count + 1);
        granted.resolve();
      } else left.push(request);
    }
    this.#requests = left;
    assert(this.#holders.size <= this.#max, 'no more are active than may be');
    assert(left.length === 0 || this.#holders.size === this.#max, 'nobody waits for a free slot');
  }
}
