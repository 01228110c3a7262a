import type { Disk } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { sha256 } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import { NdjsonDecoder, type NdjsonItem } from '../base/ndjson.ts';
import { failure } from '../model/codes.ts';
import { outputLineBytesMax } from './spool.ts';

/** Bytes that are read at once. */
const chunkBytes = 64 * 1024;
/** Twice as far back as Claude Code takes a row out of its record. */
const rewrittenBytesMax = 128 * 1024;
const rewritesMax = 100;
/** More lines than that part of a record, and one chunk before it, can hold. */
const seenMax = 4096;

/**
 * The values in a file of JSON lines that another program appends to, each line once, as they come: what was read is not
 * read again. That program may take lines out of the end of its file and write on. So if a line is torn, or the file
 * became shorter, its end is read once more, and lines that were seen are left out.
 */
export class JsonLinesTail {
  readonly #disk: Pick<Disk, 'open' | 'stat'>;
  readonly #path: string;
  readonly #counts: (line: string) => boolean;
  readonly #seen = new Set<string>();
  #decoder = new NdjsonDecoder(outputLineBytesMax);
  #position = 0;
  #rewrites = 0;
  /** Whether the next line is the rest of one that began before the position. */
  #startsInside = false;

  /** Lines for which `counts` is false are left out. */
  constructor(disk: Pick<Disk, 'open' | 'stat'>, path: string, counts: (line: string) => boolean = () => true) {
    this.#disk = disk;
    this.#path = path;
    this.#counts = counts;
  }

  /** How many bytes the file has; undefined while there is none. */
  size(): Promise<number | undefined> {
    return ifThere(this.#path, async () => (await this.#disk.stat(this.#path)).size);
  }

  /**
   * What came since the last time, up to the present end; with `isLast` also a line that has no end. Throws
   * `harness/unrecorded` if the file is no longer a record, else the disk's errors.
   */
  async *read(isLast: boolean): AsyncGenerator<unknown, void, undefined> {
    const file = await ifThere(this.#path, () => this.#disk.open(this.#path, 'read'));
    if (file === undefined) return;
    try {
      const buffer = Buffer.alloc(chunkBytes);
      let left = isLast;
      for (;;) {
        const size = await file.size();
        if (size < this.#position) this.#goBack(size);
        const count = await file.read(buffer, this.#position);
        if (count === 0 && !left) return;
        if (count === 0) left = false;
        this.#position += count;
        const items = count === 0 ? this.#decoder.end() : this.#decoder.push(buffer.subarray(0, count));
        const { values, isTorn } = this.#take(items);
        yield* values;
        if (isTorn) this.#goBack(this.#position);
      }
    } finally {
      await file.close();
    }
  }

  #take(items: readonly NdjsonItem[]): { readonly values: readonly unknown[]; readonly isTorn: boolean } {
    const values: unknown[] = [];
    for (const item of items) {
      if (this.#startsInside) {
        this.#startsInside = false;
        continue;
      }
      if (item.kind === 'tooLong') throw this.#unreadable(`has a line of more than ${outputLineBytesMax} bytes`);
      const value = this.#valueOf(item.text);
      // What follows is read again, after what was written in its place.
      if (value === 'torn') return { values, isTorn: true };
      if (value !== 'none') values.push(value.is);
    }
    return { values, isTorn: false };
  }

  #valueOf(text: string): 'none' | 'torn' | { readonly is: unknown } {
    const isCounted = this.#counts(text);
    if (!isCounted && text.startsWith('{') && text.endsWith('}')) return 'none';
    const hash = sha256(text);
    if (this.#seen.has(hash)) return 'none';
    this.#seen.add(hash);
    const [oldest] = this.#seen;
    if (this.#seen.size > seenMax && oldest !== undefined) this.#seen.delete(oldest);
    const is = parseJson(text);
    if (is === undefined) return 'torn';
    return isCounted ? { is } : 'none';
  }

  #goBack(end: number): void {
    this.#rewrites++;
    if (this.#rewrites > rewritesMax) throw this.#unreadable('was rewritten again and again');
    this.#decoder = new NdjsonDecoder(outputLineBytesMax);
    this.#position = Math.max(0, end - rewrittenBytesMax);
    this.#startsInside = this.#position > 0;
  }

  #unreadable(what: string) {
    return failure('harness/unrecorded', this.#path, `The record of the session's tool calls ${what}: ${this.#path}.`);
  }
}
