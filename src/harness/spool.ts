import { createDeferred, type Deferred } from '../base/async.ts';
import type { Disk } from '../base/disk.ts';
import { NdjsonDecoder, type NdjsonItem } from '../base/ndjson.ts';
import { plural } from '../base/text.ts';
import type { HarnessOutput } from '../model/harnessOutput.ts';
import type { OutputParser } from './adapter.ts';

/** Bytes of one line that an agent program writes; a longer one is not read. */
export const outputLineBytesMax = 16 * 1024 * 1024;
/** Bytes that are read at once. */
const chunkBytes = 64 * 1024;
/** Malformed lines that are reported one by one. */
const malformedWarningsMax = 20;
/** Bytes of a malformed line that its report quotes. */
const snippetBytesMax = 200;

/** How far a spool has grown, for all who read it. */
export class SpoolProgress {
  #bytes = 0;
  #state: 'growing' | 'ended' = 'growing';
  #changed: Deferred<void> = createDeferred();

  get bytes(): number {
    return this.#bytes;
  }

  get ended(): boolean {
    return this.#state === 'ended';
  }

  grow(bytes: number): void {
    if (bytes <= this.#bytes) return;
    this.#bytes = bytes;
    this.#notify();
  }

  end(): void {
    this.#state = 'ended';
    this.#notify();
  }

  /** Resolves at the next growth or at the end. */
  changed(): Promise<void> {
    return this.#changed.promise;
  }

  #notify(): void {
    const changed = this.#changed;
    this.#changed = createDeferred();
    changed.resolve();
  }
}

export interface SpoolSource {
  readonly disk: Disk;
  readonly path: string;
  readonly progress: SpoolProgress;
}

/**
 * Reads a spool from its beginning to its end, at its consumer's pace: what is not read yet stays on the disk, so a slow
 * consumer costs no memory. The outputs depend on the spool's bytes alone.
 */
export class SpoolReader {
  readonly #source: SpoolSource;
  readonly #parser: OutputParser;
  #malformedLines = 0;

  constructor(source: SpoolSource, parser: OutputParser) {
    this.#source = source;
    this.#parser = parser;
  }

  get malformedLines(): number {
    return this.#malformedLines;
  }

  async *outputs(): AsyncGenerator<HarnessOutput, void, undefined> {
    const decoder = new NdjsonDecoder(outputLineBytesMax);
    for await (const chunk of readChunks(this.#source)) yield* this.#parseAll(decoder.push(chunk));
    yield* this.#parseAll(decoder.end());
    const untold = this.#malformedLines - malformedWarningsMax;
    if (untold > 0) yield { kind: 'warning', message: `${plural(untold, 'more line')} could not be understood` };
  }

  *#parseAll(items: readonly NdjsonItem[]): Generator<HarnessOutput, void, undefined> {
    for (const item of items) {
      const outputs = item.kind === 'tooLong' ? 'malformed' : this.#parser.parse(item.text);
      if (outputs === undefined) continue;
      if (outputs !== 'malformed') {
        yield* outputs;
        continue;
      }
      this.#malformedLines++;
      if (this.#malformedLines <= malformedWarningsMax) yield { kind: 'warning', message: malformedMessage(item) };
    }
  }
}

/** The last `bytesMax` bytes of a file as text, cut at a character. */
export async function readTail(disk: Disk, path: string, bytesMax: number): Promise<string> {
  const file = await disk.open(path, 'read');
  try {
    const size = await file.size();
    const buffer = Buffer.alloc(Math.min(size, bytesMax));
    const count = await file.read(buffer, size - buffer.length);
    let start = 0;
    while (size > bytesMax && isContinuation(buffer[start])) start++;
    return buffer.toString('utf8', start, count);
  } finally {
    await file.close();
  }
}

async function* readChunks({ disk, path, progress }: SpoolSource): AsyncGenerator<Buffer, void, undefined> {
  const file = await disk.open(path, 'read');
  try {
    const buffer = Buffer.alloc(chunkBytes);
    let position = 0;
    for (;;) {
      const changed = progress.changed();
      const { ended } = progress;
      const count = await file.read(buffer, position);
      if (count > 0) {
        position += count;
        yield buffer.subarray(0, count);
      } else if (ended) return;
      else await changed;
    }
  } finally {
    await file.close();
  }
}

function malformedMessage(item: NdjsonItem): string {
  if (item.kind === 'tooLong') return `a line of more than ${item.lineBytesMax} bytes was dropped`;
  return `a line was not understood: ${snippet(item.text)}`;
}

function snippet(line: string): string {
  const bytes = Buffer.from(line.slice(0, snippetBytesMax), 'utf8');
  if (bytes.length <= snippetBytesMax) return bytes.toString('utf8');
  let end = snippetBytesMax;
  while (isContinuation(bytes[end])) end--;
  return bytes.toString('utf8', 0, end);
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0b1100_0000) === 0b1000_0000;
}
