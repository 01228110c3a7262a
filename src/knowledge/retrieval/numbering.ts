import { ownCopy } from '../../base/words/ownCopy.ts';
import { BadImage, type ImageReader, type ImageWriter } from './image.ts';
import { SavedNames } from './savedNames.ts';

/** Numbers for names, from 0 on. A number that was given back is given again, so they stay as small as the names are few. */
export class Numbering {
  /** Of names that were added since the saved ones were read. */
  readonly #numbers = new Map<string, number>();
  /** Of numbers behind the saved ones. */
  readonly #names: (string | undefined)[] = [];
  readonly #free: number[] = [];
  readonly #saved: SavedNames | undefined;
  /** Of each saved number: 1 where its name is no longer that. */
  readonly #isGone: Uint8Array;
  /** Names of saved numbers that were given again. */
  readonly #again = new Map<number, string>();
  readonly #savedEnd: number;
  #count = 0;

  constructor(saved?: SavedNames) {
    this.#saved = saved;
    this.#savedEnd = saved?.end ?? 0;
    this.#isGone = new Uint8Array(this.#savedEnd).fill(1);
    for (const number of saved?.used ?? []) {
      if (this.#isGone[number] === 0) throw new BadImage('a number has two names');
      this.#isGone[number] = 0;
      this.#count += 1;
    }
    if (this.#count === this.#savedEnd) return;
    for (let number = 0; number < this.#savedEnd; number += 1) if (this.#isGone[number] === 1) this.#free.push(number);
  }

  static read(image: ImageReader): Numbering {
    return new Numbering(SavedNames.read(image));
  }

  write(image: ImageWriter): void {
    SavedNames.write(
      image,
      Array.from({ length: this.end }, (_, number) => this.nameOf(number)),
    );
  }

  /** How many names have a number. */
  get count(): number {
    return this.#count;
  }

  /** Above every number that was given. */
  get end(): number {
    return this.#savedEnd + this.#names.length;
  }

  find(name: string): number | undefined {
    const added = this.#numbers.get(name);
    if (added !== undefined || this.#saved === undefined) return added;
    const saved = this.#saved.find(name);
    return saved !== undefined && this.#isGone[saved] === 0 ? saved : undefined;
  }

  nameOf(number: number): string | undefined {
    if (number >= this.#savedEnd) return this.#names[number - this.#savedEnd];
    return this.#isGone[number] === 0 ? this.#saved?.nameOf(number) : this.#again.get(number);
  }

  add(name: string): number {
    const known = this.find(name);
    if (known !== undefined) return known;
    const own = ownCopy(name);
    const number = this.#free.pop() ?? this.end;
    this.#numbers.set(own, number);
    if (number < this.#savedEnd) this.#again.set(number, own);
    else this.#names[number - this.#savedEnd] = own;
    this.#count += 1;
    return number;
  }

  remove(number: number): void {
    const name = this.nameOf(number);
    if (name === undefined) return;
    this.#numbers.delete(name);
    if (number >= this.#savedEnd) this.#names[number - this.#savedEnd] = undefined;
    else {
      this.#isGone[number] = 1;
      this.#again.delete(number);
    }
    this.#count -= 1;
    this.#free.push(number);
  }
}
