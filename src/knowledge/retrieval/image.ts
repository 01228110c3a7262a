import { assert } from '../../base/assert.ts';

/** Why an image cannot be read: it was cut, or is not one. */
export class BadImage extends Error {}

/** Parts of a file in the order in which they are read again: numbers as the machine has them, and texts. */
export class ImageWriter {
  readonly #chunks: Uint8Array[] = [];

  /** Whole numbers below 2^32. */
  numbers(numbers: Uint32Array): void {
    this.#part(new Uint8Array(numbers.buffer, numbers.byteOffset, numbers.byteLength), numbers.length);
  }

  /** Any numbers, such as times. */
  fractions(numbers: Float64Array): void {
    this.numbers(new Uint32Array(numbers.buffer, numbers.byteOffset, numbers.length * 2));
  }

  json(value: unknown): void {
    this.#bytesOf(Buffer.from(JSON.stringify(value)));
  }

  /** Any text, unit by unit: halves of characters stay as they are. */
  text(text: string): void {
    this.#bytesOf(Buffer.from(text, 'utf16le'));
  }

  /** The parts one behind the other. */
  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }

  #bytesOf(bytes: Uint8Array): void {
    this.#part(bytes, bytes.length);
    // What follows stays at a place that can be read as numbers.
    this.#chunks.push(new Uint8Array(paddingOf(bytes.length)));
  }

  #part(bytes: Uint8Array, count: number): void {
    assert(count < 2 ** 32, 'the length of a part fits its field');
    this.#chunks.push(new Uint8Array(Uint32Array.of(count).buffer), bytes);
  }
}

/** Reads what a writer wrote, in the same order. Numbers are not copied: the bytes must not change. Throws `BadImage`. */
export class ImageReader {
  readonly #bytes: Uint8Array;
  #at = 0;

  /** The bytes begin at a place that is a multiple of four in their buffer. */
  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  numbers(): Uint32Array {
    const count = this.#count();
    const start = this.#take(4 * count);
    return new Uint32Array(this.#bytes.buffer, start, count);
  }

  fractions(): Float64Array {
    const halves = this.numbers().slice();
    if (halves.length % 2 !== 0) throw new BadImage('a number is cut in two');
    return new Float64Array(halves.buffer, 0, halves.length / 2);
  }

  json(): unknown {
    const length = this.#count();
    const start = this.#take(length + paddingOf(length));
    try {
      return JSON.parse(Buffer.from(this.#bytes.buffer, start, length).toString('utf8'));
    } catch (error) {
      throw new BadImage('a text cannot be read', { cause: error });
    }
  }

  text(): string {
    const length = this.#count();
    if (length % 2 !== 0) throw new BadImage('a character is cut in two');
    const start = this.#take(length + paddingOf(length));
    return Buffer.from(this.#bytes.buffer, start, length).toString('utf16le');
  }

  #count(): number {
    const start = this.#take(4);
    return new Uint32Array(this.#bytes.buffer, start, 1)[0] ?? 0;
  }

  /** Where in the buffer the next bytes begin. */
  #take(length: number): number {
    const start = this.#at;
    if (start + length > this.#bytes.length) throw new BadImage('it ends too early');
    this.#at = start + length;
    return this.#bytes.byteOffset + start;
  }
}

function paddingOf(length: number): number {
  return (4 - (length % 4)) % 4;
}
