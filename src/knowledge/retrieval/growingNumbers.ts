/** Whole numbers from 0 to 2^32 - 1 by their place. A place that was never set holds 0. */
export class GrowingNumbers {
  #numbers: Uint32Array<ArrayBufferLike>;

  constructor(numbers: Uint32Array = new Uint32Array(64)) {
    this.#numbers = numbers;
  }

  get bytes(): number {
    return this.#numbers.byteLength;
  }

  at(place: number): number {
    return this.#numbers[place] ?? 0;
  }

  set(place: number, number: number): void {
    if (place >= this.#numbers.length) this.reserve(place + 1);
    this.#numbers[place] = number;
  }

  add(place: number, number: number): void {
    this.set(place, this.at(place) + number);
  }

  /** Makes room for `length` numbers. */
  reserve(length: number): void {
    if (length <= this.#numbers.length) return;
    const grown = new Uint32Array(2 ** Math.ceil(Math.log2(length)));
    grown.set(this.#numbers);
    this.#numbers = grown;
  }

  /** The numbers below a place, for a file. */
  firstOf(length: number): Uint32Array {
    this.reserve(length);
    return this.#numbers.subarray(0, length);
  }

  /** The places themselves, for reading many of them; valid until a place behind them is set. */
  get view(): Uint32Array {
    return this.#numbers;
  }
}
