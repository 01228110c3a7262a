/** A queue in which what waits can also leave before its turn. Each step costs the same however long the queue is. */
export class Fifo<T> {
  readonly #items = new Set<T>();
  /** Goes on where it stopped: from the front, it would pass over all that are gone each time. */
  #next = this.#items.values();

  get size(): number {
    return this.#items.size;
  }

  has(item: T): boolean {
    return this.#items.has(item);
  }

  /** An item can be in the queue once. */
  add(item: T): void {
    this.#items.add(item);
  }

  /** Whether the item was in the queue. */
  delete(item: T): boolean {
    return this.#items.delete(item);
  }

  /** Takes the item that has waited longest. */
  shift(): T | undefined {
    if (this.#items.size === 0) return undefined;
    let next = this.#next.next();
    if (next.done === true) {
      // It came to an end before these were added.
      this.#next = this.#items.values();
      next = this.#next.next();
    }
    if (next.done === true) return undefined;
    this.#items.delete(next.value);
    return next.value;
  }
}
