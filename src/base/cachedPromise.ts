/**
 * A value that is made when a caller first asks for it, and kept for later callers. After a failure it is made again.
 */
export class CachedPromise<T> {
  #made: Promise<T> | undefined;

  /** The kept promise; undefined if there is none, such as after `forget`. */
  get current(): Promise<T> | undefined {
    return this.#made;
  }

  get(make: () => Promise<T>): Promise<T> {
    return this.#made ?? this.renew(make);
  }

  /** Makes it again, whatever is kept. */
  renew(make: () => Promise<T>): Promise<T> {
    const made = make();
    this.#made = made;
    // A failure of something older says nothing of what is kept by now.
    made.catch(() => {
      if (this.#made === made) this.#made = undefined;
    });
    return made;
  }

  forget(): void {
    this.#made = undefined;
  }
}
