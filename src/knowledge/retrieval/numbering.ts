import { ownCopy } from '../../base/words/ownCopy.ts';
import { BadImage, type ImageReader, type ImageWriter } from './image.ts';

/** Numbers for names, from 0 on. A number that was given back is given again, so they stay as small as the names are few. */
export class Numbering {
  readonly #numbers = new Map<string, number>();
  readonly #names: (string | undefined)[];
  readonly #free: number[] = [];

  constructor(names: (string | undefined)[] = []) {
    this.#names = names;
    for (const [number, name] of names.entries()) {
      if (name === undefined) this.#free.push(number);
      else this.#numbers.set(name, number);
    }
    if (this.#numbers.size + this.#free.length !== names.length) throw new BadImage('two numbers have one name');
  }

  static read(image: ImageReader): Numbering {
    return new Numbering(image.names());
  }

  write(image: ImageWriter): void {
    image.json(this.#names.map((name) => name ?? null));
  }

  /** How many names have a number. */
  get count(): number {
    return this.#numbers.size;
  }

  /** Above every number that was given. */
  get end(): number {
    return this.#names.length;
  }

  find(name: string): number | undefined {
    return this.#numbers.get(name);
  }

  nameOf(number: number): string | undefined {
    return this.#names[number];
  }

  add(name: string): number {
    const known = this.#numbers.get(name);
    if (known !== undefined) return known;
    const own = ownCopy(name);
    const number = this.#free.pop() ?? this.#names.length;
    this.#numbers.set(own, number);
    this.#names[number] = own;
    return number;
  }

  remove(number: number): void {
    const name = this.#names[number];
    if (name === undefined) return;
    this.#numbers.delete(name);
    this.#names[number] = undefined;
    this.#free.push(number);
  }
}
