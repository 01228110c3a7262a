import { createDeferred } from '../../base/async.ts';
import { Semaphore } from '../../base/semaphore.ts';
import type { QualifiedId } from '../../model/id.ts';

/** Who wants a tree. */
export interface Waiter {
  readonly plan: QualifiedId;
  /** Called first when the tree is not free. */
  readonly onWait: (behind: QualifiedId) => void;
  /** Ends the waiting with its reason; once it is the waiter's turn, it is the work's to honour. */
  readonly stop?: AbortSignal;
}

/**
 * One queue for each working tree: only one phase that touches the source runs in it at a time, whichever plan it
 * belongs to, and commits of one repository are made one after the other. Who waits is told behind whom.
 */
export class WorkTreeQueue {
  readonly #queues = new Map<string, { readonly turns: Semaphore; holders: QualifiedId[] }>();

  /** Runs `work` when the tree is free. */
  async run<T>(tree: string, waiter: Waiter, work: () => Promise<T>): Promise<T> {
    const { plan, onWait, stop } = waiter;
    stop?.throwIfAborted();
    const entry = this.#queues.get(tree) ?? { turns: new Semaphore(1), holders: [] };
    this.#queues.set(tree, entry);
    const behind = entry.holders.at(-1);
    if (behind !== undefined) onWait(behind);
    entry.holders.push(plan);
    try {
      return await entry.turns.run(work, stop);
    } finally {
      entry.holders.splice(entry.holders.indexOf(plan), 1);
      if (entry.holders.length === 0) this.#queues.delete(tree);
    }
  }

  /** Takes the tree for a stretch of work; it is free again when the returned function is called. */
  async take(tree: string, waiter: Waiter): Promise<() => void> {
    const taken = createDeferred<void>();
    const released = createDeferred<void>();
    const turn = this.run(tree, waiter, () => {
      taken.resolve();
      return released.promise;
    });
    await Promise.race([taken.promise, turn]);
    return () => released.resolve();
  }
}
