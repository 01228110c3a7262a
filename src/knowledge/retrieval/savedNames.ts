import { compareText } from '../../base/text.ts';
import { BadImage, type ImageReader, type ImageWriter } from './image.ts';

/**
 * Names by their number as they were saved: one text, where each name begins in it, and the numbers in the order of the
 * names. To read half a million of them takes no longer than to read the text.
 */
export class SavedNames {
  readonly #text: string;
  readonly #starts: Uint32Array;
  readonly #order: Uint32Array;

  private constructor(text: string, starts: Uint32Array, order: Uint32Array) {
    this.#text = text;
    this.#starts = starts;
    this.#order = order;
  }

  static read(image: ImageReader): SavedNames {
    const text = image.text();
    const [starts, order] = [image.numbers(), image.numbers()];
    const end = starts.length - 1;
    for (let number = 0; number < end; number += 1) {
      if ((starts[number] ?? 0) > (starts[number + 1] ?? 0)) throw new BadImage('names are out of order');
    }
    for (const number of order) if (number >= end) throw new BadImage('a number has no name');
    if (starts[end] !== text.length) throw new BadImage('names are missing');
    return new SavedNames(text, starts, order);
  }

  static write(image: ImageWriter, names: readonly (string | undefined)[]): void {
    const starts = new Uint32Array(names.length + 1);
    for (const [number, name = ''] of names.entries()) starts[number + 1] = (starts[number] ?? 0) + name.length;
    const used = [...names.keys()].filter((number) => names[number] !== undefined);
    image.text(names.map((name) => name ?? '').join(''));
    image.numbers(starts);
    image.numbers(Uint32Array.from(used.sort((a, b) => compareText(names[a] ?? '', names[b] ?? ''))));
  }

  /** Above every number. */
  get end(): number {
    return this.#starts.length - 1;
  }

  /** Numbers that have a name, in the order of their names. */
  get used(): Uint32Array {
    return this.#order;
  }

  nameOf(number: number): string {
    return this.#text.slice(this.#starts[number], this.#starts[number + 1]);
  }

  find(name: string): number | undefined {
    let low = 0;
    let high = this.#order.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (compareText(this.nameOf(this.#order[middle] ?? 0), name) < 0) low = middle + 1;
      else high = middle;
    }
    const number = this.#order[low];
    return number !== undefined && this.nameOf(number) === name ? number : undefined;
  }
}
