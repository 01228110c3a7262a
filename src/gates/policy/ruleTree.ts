/**
 * Values by the words that they begin with, so that a look-up goes along the words of a request and does not look at all
 * values.
 */
export class RuleTree<V> {
  readonly #values: V[] = [];
  readonly #children = new Map<string, RuleTree<V>>();

  add(words: readonly string[], value: V): void {
    const [word, ...rest] = words;
    if (word === undefined) {
      this.#values.push(value);
      return;
    }
    const child = this.#children.get(word) ?? new RuleTree<V>();
    this.#children.set(word, child);
    child.add(rest, value);
  }

  /** The one value of these words, made if there is none. */
  valueAt(words: readonly string[], make: () => V): V {
    const [word, ...rest] = words;
    if (word !== undefined) {
      const child = this.#children.get(word) ?? new RuleTree<V>();
      this.#children.set(word, child);
      return child.valueAt(rest, make);
    }
    const [known] = this.#values;
    if (known !== undefined) return known;
    const made = make();
    this.#values.push(made);
    return made;
  }

  /** Every value whose words these begin with. */
  *along(words: readonly string[], from = 0): Generator<V> {
    yield* this.#values;
    const word = words[from];
    if (word !== undefined) yield* this.#children.get(word)?.along(words, from + 1) ?? [];
  }

  /** Those, and every value whose words begin with these. */
  *near(words: readonly string[], from = 0): Generator<V> {
    yield* this.#values;
    if (from >= words.length) {
      for (const child of this.#children.values()) yield* child.near([]);
      return;
    }
    yield* this.#children.get(words[from] ?? '')?.near(words, from + 1) ?? [];
  }
}
