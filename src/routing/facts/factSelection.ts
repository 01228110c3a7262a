import { factsMax } from '../../model/routing.ts';

/**
 * The facts of a text among all the terms that stand in it: the first by weight, then by where they begin. `weights`
 * falls with importance, and terms are numbered in the order in which equals follow each other; so the choice is the
 * same however the text was read.
 */
export class FactSelection {
  private readonly terms: number[] = [];
  private readonly places: number[] = [];
  private readonly weights: Uint32Array | readonly number[];
  private readonly most: number;
  /** No term weighs more than those of this weight; looked for when it is first needed. */
  private least: number | undefined;

  constructor(weights: Uint32Array | readonly number[], most = factsMax) {
    this.weights = weights;
    this.most = most;
  }

  clear(): void {
    this.terms.length = 0;
    this.places.length = 0;
  }

  /** Of a term that came before only its first place counts: texts are read from the left. */
  add(term: number, at: number): void {
    const { terms, places, most } = this;
    if (terms.length === most && !this.precedes(term, at, most - 1)) return;
    if (terms.includes(term)) return;
    let slot = terms.length;
    while (slot > 0 && this.precedes(term, at, slot - 1)) slot--;
    if (slot >= most) return;
    terms.splice(slot, 0, term);
    places.splice(slot, 0, at);
    if (terms.length > most) {
      terms.length = most;
      places.length = most;
    }
  }

  /** Whether nothing that begins further on can be among them: as many as there may be weigh as much as any term does. */
  get isSettled(): boolean {
    const last = this.terms[this.most - 1];
    if (last === undefined) return false;
    this.least ??= leastOf(this.weights);
    return this.weights[last] === this.least;
  }

  /** The most important first. */
  get chosen(): readonly number[] {
    return this.terms;
  }

  private precedes(term: number, at: number, slot: number): boolean {
    const other = this.terms[slot] ?? 0;
    const difference = (this.weights[term] ?? 0) - (this.weights[other] ?? 0);
    if (difference !== 0) return difference < 0;
    const place = this.places[slot] ?? 0;
    return at !== place ? at < place : term < other;
  }
}

function leastOf(weights: Iterable<number>): number {
  let least = Number.MAX_VALUE;
  for (const weight of weights) if (weight < least) least = weight;
  return least;
}
