import { ownCopy } from '../../base/words/ownCopy.ts';

/** Numbers for words, so that texts are compared without strings. The first is 1; 0 means that the word is unknown. */
export class Lexicon {
  private readonly numbers = new Map<string, number>();
  private readonly forms: string[] = [''];

  /** Of the largest number. */
  get size(): number {
    return this.forms.length - 1;
  }

  /** The number of a stem, and 0 if it never came up. */
  find(stem: string): number {
    return this.numbers.get(stem) ?? 0;
  }

  /** The number of a stem, which is new if it never came up; `form` is the word in which it came up first. */
  add(stem: string, form = stem): number {
    const known = this.numbers.get(stem);
    if (known !== undefined) return known;
    const number = this.forms.length;
    this.numbers.set(ownCopy(stem), number);
    this.forms.push(ownCopy(form));
    return number;
  }

  /** All of them, in the order of their numbers. */
  stems(): Iterable<string> {
    return this.numbers.keys();
  }

  /** Those behind a number with the words in which they came up, for another lexicon to add in the same order. */
  since(number: number): (readonly [stem: string, form: string])[] {
    return [...this.numbers.keys()].slice(number).map((stem, n) => [stem, this.formOf(number + n + 1)]);
  }

  /** The word in which a stem came up first. */
  formOf(number: number): string {
    return this.forms[number] ?? '';
  }
}
