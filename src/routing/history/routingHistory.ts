import { assert } from '../../base/assert.ts';
import { nextTurn } from '../../base/async.ts';
import type { Disk, DiskFile } from '../../base/disk.ts';
import { ifThere } from '../../base/diskErrors.ts';
import { createJournal, type Journal, readRange } from '../../base/journal.ts';
import { isRecord, parseJson } from '../../base/json.ts';
import { Kept } from '../../base/kept.ts';
import { encodeLine } from '../../base/ndjson.ts';
import { isUlid, type Ulid } from '../../model/id.ts';
import type { RouteRow, RoutingResults } from '../../model/requests/routing.ts';
import type { RoutingRecord } from '../../model/routing.ts';
import { type DecidedRoute, routeRow } from './routeRow.ts';

export interface HistoryOptions {
  readonly disk: Disk;
  /** `runtime/routing-history.jsonl` of a vault. */
  readonly path: string;
  /** Every record once, in the order of the file: those that are there, then those that are added. */
  readonly onRecord?: (record: RoutingRecord) => void;
  /** A line that is no record; it stays in the file, and is left out. */
  readonly onBadLine?: (offset: number) => void;
  /** So much of the end of the file is read; what is older is kept on disk alone. */
  readonly bytesMax?: number;
}

/** A few hundred thousand decisions of usual length. */
const usualBytesMax = 256 * 1024 * 1024;

/** What is read in one go, between two turns of everybody else: some 70 decisions, which are a few milliseconds of work. */
const sliceBytes = 64 * 1024;

/** A page may be the answer to a request, which is one line of at most 8 MiB. */
const pageBytesMax = 2 * 1024 * 1024;

/** Where a line stands in the file, in bytes, without its newline. */
interface Line {
  readonly offset: number;
  readonly length: number;
}

/**
 * How messages found their receivers: an append-only journal with one writer, the owner of the vault. A record is on the
 * medium before anybody acts on it. Bodies stay on the disk; in memory are the places of the lines, about 150 bytes for
 * each message. It is read when it is first needed, in slices, so that no start waits for it (design 5).
 */
export class RoutingHistory {
  readonly #options: HistoryOptions;
  /** The newest decision of each message holds; in the order in which messages were first decided. */
  readonly #decisions = new Map<Ulid, Line>();
  readonly #results = new Map<Ulid, Line>();
  readonly #loaded = new Kept<void>();
  readonly #journal: Journal;
  #isStopped = false;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#journal = createJournal(options.disk, options.path);
  }

  /** Resolves once everything that is on disk was read. */
  load(): Promise<void> {
    return this.#loaded.get(() => this.#load());
  }

  /** Resolves once the record is durable. Rejects with `disk/full`, `disk/denied` or `disk/failed`. */
  async append(record: RoutingRecord): Promise<void> {
    assert(!this.#isStopped, 'nothing is decided any more');
    const length = Buffer.byteLength(encodeLine(record)) - 1;
    await this.load();
    const offset = await this.#journal.append(record);
    this.#take(record, { offset, length });
  }

  /** The decision that holds; undefined for a message that was never decided about. */
  async find(message: Ulid): Promise<DecidedRoute | undefined> {
    await this.load();
    for await (const { decided } of this.#read([message])) return decided;
    return undefined;
  }

  /**
   * Decisions, the newest first, of those before `before`: `limit` of them, or as many as have `pageBytesMax` together.
   * `next` is where the following page begins.
   */
  async page(limit: number, before?: Ulid): Promise<RoutingResults['routes']> {
    await this.load();
    const ids = [...this.#decisions.keys()];
    const end = before === undefined ? ids.length : ids.indexOf(before);
    const wanted = ids.slice(Math.max(0, end - limit), Math.max(0, end)).reverse();
    const routes: RouteRow[] = [];
    let last: Ulid | undefined;
    let bytes = 0;
    for await (const { message, decided } of this.#read(wanted)) {
      last = message;
      if (decided === undefined) continue;
      const row = routeRow(decided);
      routes.push(row);
      bytes += Buffer.byteLength(JSON.stringify(row));
      if (bytes >= pageBytesMax) break;
    }
    return { routes, ...(last !== undefined && last !== ids[0] && { next: last }) };
  }

  /** Waits for what is being written, then lets go of the file. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#journal.close();
  }

  async #load(): Promise<void> {
    const { disk, path, bytesMax = usualBytesMax } = this.#options;
    const file = await ifThere(path, () => disk.open(path, 'read'));
    if (file === undefined) return;
    try {
      const size = await file.size();
      let at = size <= bytesMax ? 0 : await nextLineStart(file, size - bytesMax, size);
      let rest: Buffer = Buffer.alloc(0);
      for (let read = at; read < size && !this.#isStopped; ) {
        const slice = await readRange(file, read, Math.min(size, read + sliceBytes));
        read += slice.length;
        const taken = this.#takeLines(rest.length === 0 ? slice : Buffer.concat([rest, slice]), at);
        at += taken.length;
        rest = taken.rest;
        await nextTurn();
      }
    } finally {
      await file.close();
    }
  }

  /** Takes in the whole lines of a piece that begins at `offset` of the file. */
  #takeLines(piece: Buffer, offset: number): { readonly length: number; readonly rest: Buffer } {
    let start = 0;
    for (let end = piece.indexOf(newline); end !== -1; end = piece.indexOf(newline, start)) {
      const record = toRecord(piece.toString('utf8', start, end));
      if (record === undefined) this.#options.onBadLine?.(offset + start);
      else this.#take(record, { offset: offset + start, length: end - start });
      start = end + 1;
    }
    return { length: start, rest: piece.subarray(start) };
  }

  #take(record: RoutingRecord, line: Line): void {
    (record.type === 'decision' ? this.#decisions : this.#results).set(record.message, line);
    this.#options.onRecord?.(record);
  }

  /** One after the other, for each may have a megabyte. */
  async *#read(
    messages: readonly Ulid[],
  ): AsyncGenerator<{ readonly message: Ulid; readonly decided: DecidedRoute | undefined }> {
    const { disk, path } = this.#options;
    const file = await ifThere(path, () => disk.open(path, 'read'));
    if (file === undefined) return;
    try {
      for (const message of messages) {
        const decision = await recordAt(file, this.#decisions.get(message));
        const result = await recordAt(file, this.#results.get(message));
        const known = decision?.type === 'decision' ? decision : undefined;
        yield {
          message,
          decided: known !== undefined && result?.type === 'result' ? { ...known, result } : known,
        };
      }
    } finally {
      await file.close();
    }
  }
}

const newline = 10;

/** Where the first line begins that does not begin before `from`. */
async function nextLineStart(file: DiskFile, from: number, size: number): Promise<number> {
  for (let at = from; at < size; at += sliceBytes) {
    const end = (await readRange(file, at, Math.min(size, at + sliceBytes))).indexOf(newline);
    if (end !== -1) return at + end + 1;
  }
  return size;
}

async function recordAt(file: DiskFile, line: Line | undefined): Promise<RoutingRecord | undefined> {
  if (line === undefined) return undefined;
  return toRecord((await readRange(file, line.offset, line.offset + line.length)).toString('utf8'));
}

/** What was written by this program has its form; anything else is told from it by what all records have. */
function toRecord(text: string): RoutingRecord | undefined {
  const value = parseJson(text);
  if (!isRecord(value) || typeof value['message'] !== 'string' || !isUlid(value['message'])) return undefined;
  const isDecision = value['type'] === 'decision' && isRecord(value['outcome']) && typeof value['body'] === 'string';
  const isResult = value['type'] === 'result' && typeof value['plan'] === 'string';
  return isDecision || isResult ? (value as unknown as RoutingRecord) : undefined;
}
