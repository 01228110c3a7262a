/** The longest text that a name has to be, begin with or end with if a pattern of paths is to match. */
export interface NameKey {
  readonly kind: 'whole' | 'start' | 'end';
  readonly text: string;
}

/** Of the segments of a gitignore pattern; undefined if each of them is wildcards alone, such as `**` and `?`. */
export function nameKeyOf(segments: readonly string[]): NameKey | undefined {
  const keys = segments.flatMap(keysOf).filter(({ text }) => text !== '');
  const longest = (one: NameKey, other: NameKey) => rank(other) - rank(one);
  return keys.sort(longest)[0];
}

function keysOf(segment: string): readonly NameKey[] {
  const first = segment.search(/[*?[\\]/);
  if (first < 0) return [{ kind: 'whole', text: segment }];
  const last = Math.max(...['*', '?', ']', '\\'].map((sign) => segment.lastIndexOf(sign)), first);
  return [
    { kind: 'start', text: segment.slice(0, first) },
    { kind: 'end', text: segment.slice(last + 1) },
  ];
}

/** A whole name says more than any part of one. */
function rank({ kind, text }: NameKey): number {
  return text.length + (kind === 'whole' ? 10_000 : 0);
}

/**
 * Patterns of paths by a name that a path must have, so that a look-up goes along the names of a path and does not look at
 * all patterns.
 */
export class NameIndex<V> {
  readonly #byText: Readonly<Record<NameKey['kind'], Map<string, V[]>>> = {
    whole: new Map(),
    start: new Map(),
    end: new Map(),
  };
  /** The lengths of the texts, of which there are few. */
  readonly #lengths = { start: new Set<number>(), end: new Set<number>() };
  readonly #others: V[] = [];

  add(key: NameKey | undefined, value: V): void {
    if (key === undefined) {
      this.#others.push(value);
      return;
    }
    const { kind, text } = key;
    const values = this.#byText[kind].get(text);
    if (values === undefined) this.#byText[kind].set(text, [value]);
    else values.push(value);
    if (kind !== 'whole') this.#lengths[kind].add(text.length);
  }

  /** Every value whose text one of the names has; a value may come more than once. */
  *of(names: Iterable<string>): Generator<V> {
    yield* this.#others;
    const { whole, start, end } = this.#byText;
    for (const name of names) {
      yield* whole.get(name) ?? [];
      for (const length of this.#lengths.start) {
        if (length <= name.length) yield* start.get(name.slice(0, length)) ?? [];
      }
      for (const length of this.#lengths.end) {
        if (length <= name.length) yield* end.get(name.slice(name.length - length)) ?? [];
      }
    }
  }

  *all(): Generator<V> {
    yield* this.#others;
    for (const values of Object.values(this.#byText)) for (const some of values.values()) yield* some;
  }
}
