import { TermReader } from '../retrieval/terms.ts';

/** What says one thing: a claim of a plan, or an entry. */
export interface Statement {
  readonly title: string;
  readonly text: string;
  readonly tags?: readonly string[] | undefined;
}

/** How much more the words of a title and of tags count than those of the text. */
const namedWeight = 1.5;

/**
 * From which likeness on two statements may say the same, or the opposite: 95 % of such pairs are above it, and 5 % of pairs
 * about different things. Chosen on one half of the labelled pairs, and judged on the other (`npm run bench -- --only
 * contradiction`).
 */
export const likenessLeast = 0.18;

/**
 * How alike statements are: the cosine of their words, each weighed by how rare it is among the statements that are known.
 * Whether two that are alike say the same or the opposite, words do not tell; a session judges that.
 */
export class Likeness {
  readonly #reader = new TermReader();
  readonly #frequencies = new Map<string, number>();
  #count = 0;

  /** Makes its words less rare. */
  add(statement: Statement): void {
    this.#count += 1;
    for (const term of this.#termsOf(statement).keys()) {
      this.#frequencies.set(term, (this.#frequencies.get(term) ?? 0) + 1);
    }
  }

  /** 0 to 1. */
  between(one: Statement, other: Statement): number {
    const [left, right] = [this.#weighed(one), this.#weighed(other)];
    let product = 0;
    for (const [term, weight] of left.weights) product += weight * (right.weights.get(term) ?? 0);
    return product === 0 ? 0 : Math.min(1, product / (left.length * right.length));
  }

  #weighed(statement: Statement): { readonly weights: ReadonlyMap<string, number>; readonly length: number } {
    const weights = this.#termsOf(statement);
    let squares = 0;
    for (const [term, weight] of weights) {
      const rare = weight * Math.log(1 + Math.max(2, this.#count) / (this.#frequencies.get(term) ?? 1));
      weights.set(term, rare);
      squares += rare ** 2;
    }
    return { weights, length: Math.sqrt(squares) };
  }

  #termsOf({ title, text, tags = [] }: Statement): Map<string, number> {
    const terms = new Map<string, number>();
    const read = (part: string, weight: number) =>
      this.#reader.eachTerm(part, (term) => terms.set(term, Math.max(terms.get(term) ?? 0, weight)));
    read(text, 1);
    read(title, namedWeight);
    for (const tag of tags) read(tag, namedWeight);
    return terms;
  }
}
