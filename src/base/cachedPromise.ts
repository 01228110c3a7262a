/** What is made when somebody first wants it, and kept for all who want it then. What could not be made is made anew. */
export class CachedPromise<T> {
  #made: Promise<T> | undefined;

  /** As it is kept; undefined where nobody has wanted it since it was forgotten. */
  get current(): Promise<T> | undefined {
    return this.#made;
  }

  get(make: () => Promise<T>): Promise<T> {
    return this.#made ?? this.renew(make);
  }

  /** Makes it anew, whatever is kept. */
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
