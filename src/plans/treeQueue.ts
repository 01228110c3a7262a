import { createDeferred, SerialQueue } from '../base/async.ts';
import type { QualifiedId } from '../model/id.ts';

/**
 * One queue for each working tree: only one phase that touches the source runs in it at a time, whichever plan it belongs
 * to, and commits of one repository are made one after the other (design 4). Who waits is told behind whom.
 */
export class TreeQueue {
  readonly #queues = new Map<string, { readonly queue: SerialQueue; holders: QualifiedId[] }>();

  /** Runs `work` when the tree is free; `onWait` is called first when it is not. */
  async run<T>(
    tree: string,
    plan: QualifiedId,
    onWait: (behind: QualifiedId) => void,
    work: () => Promise<T>,
  ): Promise<T> {
    const entry = this.#queues.get(tree) ?? { queue: new SerialQueue(), holders: [] };
    this.#queues.set(tree, entry);
    const behind = entry.holders.at(-1);
    if (behind !== undefined) onWait(behind);
    entry.holders.push(plan);
    try {
      return await entry.queue.run(work);
    } finally {
      entry.holders.splice(entry.holders.indexOf(plan), 1);
      if (entry.holders.length === 0) this.#queues.delete(tree);
    }
  }

  /** Takes the tree for a stretch of work; it is free again when the returned function is called. */
  async take(tree: string, plan: QualifiedId, onWait: (behind: QualifiedId) => void): Promise<() => void> {
    const taken = createDeferred<void>();
    const released = createDeferred<void>();
    const turn = this.run(tree, plan, onWait, () => {
      taken.resolve();
      return released.promise;
    });
    await Promise.race([taken.promise, turn]);
    return () => released.resolve();
  }
}
