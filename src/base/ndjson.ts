import { isUtf8 } from 'node:buffer';
import { assert } from './assert.ts';
import { newline } from './units.ts';

/**
 * One line of a stream, without its line end; or a notice, once for each, that a line was longer than allowed.
 * `damaged` means that bytes which are not valid UTF-8 became U+FFFD.
 */
export type NdjsonItem =
  | { readonly kind: 'line'; readonly text: string; readonly damaged?: true }
  | { readonly kind: 'tooLong'; readonly lineBytesMax: number };

const carriageReturn = 13;
const replacementCharacter = '\uFFFD';

/**
 * Splits a stream of bytes into lines. Works on bytes and decodes whole lines only, so that a character split between
 * chunks is never damaged; bytes that are not valid UTF-8 become U+FFFD. Blank lines are dropped; both LF and CRLF end
 * a line.
 */
export class NdjsonDecoder {
  readonly #lineBytesMax: number;
  #pieces: Buffer[] = [];
  #pendingBytes = 0;
  #state: 'reading' | 'skipping' = 'reading';

  /** `lineBytesMax` counts the bytes before the newline; a longer line is dropped up to the next newline. */
  constructor(lineBytesMax: number) {
    assert(lineBytesMax > 0, 'a line has at least one byte');
    this.#lineBytesMax = lineBytesMax;
  }

  /** The lines that `chunk` completes. The chunk may be reused afterwards. */
  push(chunk: Uint8Array): NdjsonItem[] {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    const items: NdjsonItem[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      this.#take(bytes.subarray(start, end), items);
      this.#finishLine(items);
      start = end + 1;
    }
    this.#take(bytes.subarray(start), items);
    this.#keepPending();
    return items;
  }

  /** The last line, if the stream ended without a newline. */
  end(): NdjsonItem[] {
    const items: NdjsonItem[] = [];
    this.#finishLine(items);
    return items;
  }

  #take(part: Buffer, items: NdjsonItem[]): void {
    if (this.#state === 'skipping' || part.length === 0) return;
    if (this.#pendingBytes + part.length > this.#lineBytesMax) {
      this.#state = 'skipping';
      this.#drop();
      items.push({ kind: 'tooLong', lineBytesMax: this.#lineBytesMax });
      return;
    }
    this.#pieces.push(part);
    this.#pendingBytes += part.length;
  }

  #finishLine(items: NdjsonItem[]): void {
    if (this.#state === 'reading') {
      const line = joinLine(this.#pieces);
      const text = line.toString('utf8');
      const damaged = text.includes(replacementCharacter) && !isUtf8(line);
      if (text !== '') items.push({ kind: 'line', text, ...(damaged && { damaged }) });
    }
    this.#state = 'reading';
    this.#drop();
  }

  /** The caller may fill the same memory again, so what is kept between chunks is a copy. */
  #keepPending(): void {
    const last = this.#pieces.pop();
    if (last !== undefined) this.#pieces.push(Buffer.from(last));
  }

  #drop(): void {
    this.#pieces = [];
    this.#pendingBytes = 0;
  }
}

/** A value as one line, newline included. */
export function encodeLine(value: unknown): string {
  const text = JSON.stringify(value);
  assert(typeof text === 'string', 'a line holds a JSON value');
  return `${text}\n`;
}

/** The line without its end. */
function joinLine(pieces: readonly Buffer[]): Buffer {
  const [first = Buffer.alloc(0)] = pieces;
  const line = pieces.length <= 1 ? first : Buffer.concat(pieces);
  return line.at(-1) === carriageReturn ? line.subarray(0, -1) : line;
}
