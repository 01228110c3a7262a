import { dirname } from 'node:path';
import type { Disk, DiskFile } from '../../base/disk.ts';
import { ifThere, isAbsent } from '../../base/diskErrors.ts';
import { ensureDirectory } from '../../base/files.ts';
import { createJournal, type Journal, readRange } from '../../base/journal.ts';
import { encodeLine } from '../../base/ndjson.ts';
import { listNumbers, numberedFile } from '../../base/numberedFiles.ts';
import { newline } from '../../base/units.ts';

/** Where a record stands: bytes of a segment, without the newline. Numbers of segments rise and are not used again. */
export interface Line {
  readonly segment: number;
  readonly offset: number;
  readonly length: number;
}

/** Whether a line stands behind a byte of a segment, or begins there. */
export function isBehind(line: Line, end: Pick<Line, 'segment' | 'offset'>): boolean {
  return line.segment > end.segment || (line.segment === end.segment && line.offset >= end.offset);
}

/** A file of the history, and from which byte on it counts; its first line may begin behind that. */
export interface Segment {
  readonly number: number;
  readonly path: string;
  readonly from: number;
  readonly size: number;
}

export interface HistoryFilesOptions {
  readonly disk: Disk;
  /** The file that is written, `runtime/routing-history.jsonl` of a vault; the earlier ones are in a folder of its name. */
  readonly path: string;
  /** The size in bytes at which a file is closed and a new one begun. */
  readonly segmentBytes?: number;
  /** How many of the newest bytes are kept and read; a file that is older as a whole is removed. */
  readonly bytesMax?: number;
  readonly onError?: (error: unknown) => void;
}

/** Bytes of one file of the history, before the next one begins. */
const usualSegmentBytes = 8 * 1024 * 1024;
/** A few hundred thousand decisions of usual length. */
const usualBytesMax = 256 * 1024 * 1024;

/** The files of the routing history: one that is appended to, and those that were full, by their numbers. One writer. */
export class HistoryFiles {
  readonly #options: HistoryFilesOptions;
  readonly #folder: string;
  #journal: Journal;
  /** Of the file that is written; undefined until the folder was looked at. */
  #current: Promise<number> | undefined;
  #writing = 0;
  #reading = 0;
  #turning: Promise<void> | undefined;

  constructor(options: HistoryFilesOptions) {
    this.#options = options;
    this.#folder = options.path.slice(0, -'.jsonl'.length);
    this.#journal = createJournal(options.disk, options.path);
  }

  /** Resolves with its place once the record is durable. Rejects with `disk/full`, `disk/denied` or `disk/failed`. */
  async append(record: unknown): Promise<Line> {
    const length = Buffer.byteLength(encodeLine(record)) - 1;
    const segment = await this.#number();
    // Nothing is written between the end of one file and the beginning of the next.
    while (this.#turning !== undefined) await this.#turning;
    this.#writing++;
    let end = 0;
    try {
      const offset = await this.#journal.append(record);
      end = offset + length + 1;
      return { segment: (await this.#current) ?? segment, offset, length };
    } finally {
      this.#writing--;
      if (end >= (this.#options.segmentBytes ?? usualSegmentBytes)) this.#turnOver();
    }
  }

  /** What counts of the history, oldest first: at most the `bytesMax` newest bytes. */
  async segments(bytesMax = this.#options.bytesMax ?? usualBytesMax): Promise<readonly Segment[]> {
    const { disk, path } = this.#options;
    const current = await this.#number();
    const numbers = [...(await this.#earlier()), current];
    const found: Segment[] = [];
    let left = bytesMax;
    for (const number of numbers.reverse()) {
      if (left <= 0) break;
      const file = number === current ? path : this.#pathOf(number);
      const size = (await ifThere(file, () => disk.stat(file)))?.size ?? 0;
      found.push({ number, path: file, from: Math.max(0, size - left), size });
      left -= size;
    }
    return found.reverse();
  }

  /** Does `work` while no file changes its name. */
  async reading<T>(work: () => Promise<T>): Promise<T> {
    while (this.#turning !== undefined) await this.#turning;
    this.#reading++;
    try {
      return await work();
    } finally {
      this.#reading--;
    }
  }

  /** Undefined if it is not there. Called within `reading`. */
  async open(number: number): Promise<DiskFile | undefined> {
    const path = number === (await this.#number()) ? this.#options.path : this.#pathOf(number);
    return ifThere(path, () => this.#options.disk.open(path, 'read'));
  }

  /** Waits for what is being written, then releases the file. */
  async close(): Promise<void> {
    await this.#turning;
    await this.#journal.close();
  }

  #number(): Promise<number> {
    this.#current ??= this.#earlier().then(
      (numbers) => (numbers.at(-1) ?? 0) + 1,
      (error: unknown) => {
        this.#current = undefined;
        throw error;
      },
    );
    return this.#current;
  }

  #earlier(): Promise<number[]> {
    return listNumbers(this.#options.disk, this.#folder);
  }

  #pathOf(number: number): string {
    return numberedFile(this.#folder, number);
  }

  /** Whatever was appended is durable by then: what was refused has no place in a file that is never cut again. */
  #turnOver(): void {
    if (this.#turning !== undefined || this.#writing > 0 || this.#reading > 0) return;
    this.#turning = this.#turn()
      .catch((error: unknown) => this.#options.onError?.(error))
      .finally(() => {
        this.#turning = undefined;
      });
  }

  async #turn(): Promise<void> {
    const { disk, path } = this.#options;
    const number = await this.#number();
    await this.#journal.close();
    try {
      await ensureDirectory(disk, this.#folder, 0o700);
      await disk.rename(path, this.#pathOf(number));
      this.#current = Promise.resolve(number + 1);
      await disk.syncDirectory(this.#folder);
      await disk.syncDirectory(dirname(path));
    } finally {
      this.#journal = createJournal(disk, path);
    }
    await this.#removeOld();
  }

  async #removeOld(): Promise<void> {
    const { disk, bytesMax = usualBytesMax } = this.#options;
    const kept = new Set((await this.segments(bytesMax)).map((segment) => segment.number));
    for (const number of await this.#earlier()) {
      if (kept.has(number)) continue;
      await disk.unlink(this.#pathOf(number)).catch((error: unknown) => {
        if (!isAbsent(error)) throw error;
      });
    }
  }
}

/** Bytes that are read in one go, before other work gets its turn. */
const sliceBytes = 1024 * 1024;

/**
 * The whole lines of a segment that count, by pieces; `offset` is where a piece stands in the file. With `isLineStart` a
 * line is known to begin at `from`. Nothing if the file is gone.
 */
export async function* readSegment(
  disk: Pick<Disk, 'open'>,
  { path, from, size }: Segment,
  isLineStart = false,
): AsyncGenerator<{ readonly piece: Buffer; readonly offset: number }> {
  const file = await ifThere(path, () => disk.open(path, 'read'));
  if (file === undefined) return;
  try {
    yield* readPieces(file, isLineStart ? from : await nextLineStart(file, from, size), size);
  } finally {
    await file.close();
  }
}

/** Where the first line begins that does not begin before `from`. */
async function nextLineStart(file: DiskFile, from: number, size: number): Promise<number> {
  if (from === 0) return 0;
  for (let at = from - 1; at < size; at += sliceBytes) {
    const end = (await readRange(file, at, Math.min(size, at + sliceBytes))).indexOf(newline);
    if (end !== -1) return at + end + 1;
  }
  return size;
}

/**
 * The whole lines of a file between two bytes, of which the first begins a line, by pieces of a megabyte or of one line
 * that is longer; `offset` is where the piece stands in the file.
 */
async function* readPieces(
  file: DiskFile,
  from: number,
  size: number,
): AsyncGenerator<{ readonly piece: Buffer; readonly offset: number }> {
  let rest: Buffer = Buffer.alloc(0);
  let offset = from;
  for (let read = from; read < size; ) {
    const slice = await readRange(file, read, Math.min(size, read + sliceBytes));
    read += slice.length;
    const piece = rest.length === 0 ? slice : Buffer.concat([rest, slice]);
    const end = piece.lastIndexOf(newline) + 1;
    if (end > 0) yield { piece: piece.subarray(0, end), offset };
    offset += end;
    rest = piece.subarray(end);
  }
}

/** The lines of a piece, without their newlines. */
export function* linesOf(piece: Buffer): Generator<{ readonly line: Buffer; readonly start: number }> {
  let start = 0;
  for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, start)) {
    yield { line: piece.subarray(start, end), start };
    start = end + 1;
  }
}
