import { assert } from '../../base/assert.ts';
import { nextTurn } from '../../base/async.ts';
import { CachedPromise } from '../../base/cachedPromise.ts';
import type { DiskFile } from '../../base/disk.ts';
import { readRange } from '../../base/journal.ts';
import type { Ulid } from '../../model/id.ts';
import type { RouteRow, RoutingResults } from '../../model/requests/routing.ts';
import type { RoutingDecision, RoutingRecord } from '../../model/routing.ts';
import {
  HistoryFiles,
  type HistoryFilesOptions,
  isBehind,
  type Line,
  linesOf,
  readSegment,
  type Segment,
} from './historyFiles.ts';
import { nameOfLine, type RecordName, toRecord } from './historyRecord.ts';
import { type DecidedRoute, routeRow } from './routeRow.ts';

export interface HistoryOptions extends HistoryFilesOptions {
  /** Every record that is appended here, once it is durable, in the order of the file. */
  readonly onAppended?: (record: RoutingRecord, line: Line) => void;
  /** Called for a line that is not a record; it stays in the file and is skipped. */
  readonly onBadLine?: (offset: number) => void;
}

/** A page may be the answer to a request, which is one line of at most 8 MiB. */
const pageBytesMax = 2 * 1024 * 1024;
/** How many places of first decisions are remembered without reading the history. */
const linesMax = 1000;

/** A line, and the one before it of the same message: if the newest is damaged, that one holds. */
interface KnownLine extends Line {
  readonly earlier?: KnownLine;
}

/**
 * How messages found their receivers: an append-only journal with one writer, the owner of the vault. A record is on
 * the medium before anything acts on it, and appending reads nothing. The first request for a message reads which
 * lines belong to which message, from the beginnings of the lines alone. Memory holds only their places, about 150
 * bytes for each message; bodies stay on the disk.
 */
export class RoutingHistory {
  readonly #options: HistoryOptions;
  readonly #files: HistoryFiles;
  /** The newest decision of each message holds; in the order in which messages were first decided. */
  readonly #decisions = new Map<Ulid, KnownLine>();
  readonly #results = new Map<Ulid, KnownLine>();
  readonly #loaded = new CachedPromise<void>();
  /** What was appended before the rest was read, in the order of the file. */
  #appended: { readonly name: RecordName; readonly line: Line }[] | undefined = [];
  /** Where the first decision about a message stands that was made here. */
  readonly #lines = new Map<Ulid, Line>();
  #isStopped = false;

  constructor(options: HistoryOptions) {
    this.#options = options;
    this.#files = new HistoryFiles(options);
  }

  /** Resolves once it is known which message has which lines. */
  load(): Promise<void> {
    return this.#loaded.get(() => this.#files.reading(() => this.#load()));
  }

  /** Resolves once the record is durable. Rejects with `disk/full`, `disk/denied` or `disk/failed`. */
  async append(record: RoutingRecord): Promise<void> {
    assert(!this.#isStopped, 'nothing is decided any more');
    const line = await this.#files.append(record);
    const name = { type: record.type, message: record.message };
    if (this.#appended === undefined) this.#take(name, line);
    else this.#appended.push({ name, line });
    if (record.type === 'decision') this.#keepPosition(record.message, line);
    this.#options.onAppended?.(record, line);
  }

  /** The decision that holds; undefined for a message that was never decided about. */
  async find(message: Ulid): Promise<DecidedRoute | undefined> {
    await this.load();
    return this.#files.reading(async () => {
      for await (const { decided } of this.#read([message])) return decided;
      return undefined;
    });
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
    await this.#files.reading(async () => {
      for await (const { message, decided } of this.#read(wanted)) {
        last = message;
        if (decided === undefined) continue;
        const row = routeRow(decided);
        routes.push(row);
        bytes += Buffer.byteLength(JSON.stringify(row));
        if (bytes >= pageBytesMax) break;
      }
    });
    return { routes, ...(last !== undefined && last !== ids[0] && { next: last }) };
  }

  /** Where the first decision about a message is in the files; undefined if it is old or an earlier owner made it. */
  lineOf(message: Ulid): Line | undefined {
    return this.#lines.get(message);
  }

  /**
   * The decisions from a place on, in the order of the file, without reading what lies before it; undefined if no
   * decision about this message stands there.
   */
  async since(message: Ulid, { segment, offset }: Line): Promise<readonly RoutingDecision[] | undefined> {
    return this.#files.reading(async () => {
      const segments = (await this.#files.segments()).filter(({ number }) => number >= segment);
      if (segments[0]?.number !== segment || segments[0].size <= offset) return undefined;
      const decisions: RoutingDecision[] = [];
      for (const each of segments) {
        await this.#eachLine({ ...each, from: each.number === segment ? offset : 0 }, true, (bytes) => {
          const record = toRecord(bytes);
          if (record?.type === 'decision') decisions.push(record);
        });
      }
      return decisions[0]?.message === message ? decisions : undefined;
    });
  }

  /** Does `work` with what counts of the history, at most its newest bytes, while none of it changes its name. */
  readingNewest<T>(bytesMax: number, work: (segments: readonly Segment[]) => Promise<T>): Promise<T> {
    return this.#files.reading(async () => work(await this.#files.segments(bytesMax)));
  }

  /** Waits for what is being written, then releases the file. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#files.close();
  }

  async #load(): Promise<void> {
    let end: Pick<Line, 'segment' | 'offset'> = { segment: 0, offset: 0 };
    for (const segment of await this.#files.segments()) {
      const { number } = segment;
      await this.#eachLine(segment, false, (bytes, offset) => {
        const name = nameOfLine(bytes);
        if (name === undefined) this.#options.onBadLine?.(offset);
        else this.#take(name, { segment: number, offset, length: bytes.length });
        end = { segment: number, offset: offset + bytes.length + 1 };
      });
      if (this.#isStopped) return;
    }
    for (const { name, line } of this.#appended ?? []) {
      if (isBehind(line, end)) this.#take(name, line);
    }
    this.#appended = undefined;
  }

  async #eachLine(
    segment: Segment,
    isLineStart: boolean,
    each: (bytes: Buffer, offset: number) => void,
  ): Promise<void> {
    for await (const { piece, offset } of readSegment(this.#options.disk, segment, isLineStart)) {
      for (const { line, start } of linesOf(piece)) each(line, offset + start);
      if (this.#isStopped) return;
      await nextTurn();
    }
  }

  #take({ type, message }: RecordName, line: Line): void {
    const lines = type === 'decision' ? this.#decisions : this.#results;
    const earlier = lines.get(message);
    lines.set(message, earlier === undefined ? line : { ...line, earlier });
  }

  #keepPosition(message: Ulid, line: Line): void {
    if (this.#lines.has(message)) return;
    this.#lines.set(message, line);
    if (this.#lines.size <= linesMax) return;
    for (const oldest of this.#lines.keys()) {
      this.#lines.delete(oldest);
      return;
    }
  }

  /** One after the other, for each may have a megabyte. */
  async *#read(
    messages: readonly Ulid[],
  ): AsyncGenerator<{ readonly message: Ulid; readonly decided: DecidedRoute | undefined }> {
    const open = new Map<number, DiskFile | undefined>();
    const recordOf = async (message: Ulid, newest: KnownLine | undefined): Promise<RoutingRecord | undefined> => {
      for (let line = newest; line !== undefined; line = line.earlier) {
        if (!open.has(line.segment)) open.set(line.segment, await this.#files.open(line.segment));
        const record = await recordAt(open.get(line.segment), line);
        if (record?.message === message) return record;
      }
      return undefined;
    };
    try {
      for (const message of messages) {
        const newest = this.#decisions.get(message);
        const decision = await recordOf(message, newest);
        const first = newest?.earlier === undefined ? undefined : await recordOf(message, oldestOf(newest));
        const result = await recordOf(message, this.#results.get(message));
        yield { message, decided: decided(decision, first, result) };
      }
    } finally {
      for (const file of open.values()) await file?.close();
    }
  }
}

function oldestOf(newest: KnownLine): KnownLine {
  let line = newest;
  while (line.earlier !== undefined) line = line.earlier;
  return line;
}

function decided(
  decision: RoutingRecord | undefined,
  first: RoutingRecord | undefined,
  result: RoutingRecord | undefined,
): DecidedRoute | undefined {
  if (decision?.type !== 'decision') return undefined;
  return {
    ...decision,
    ...(first !== undefined && first.at !== decision.at && { firstAt: first.at }),
    ...(result?.type === 'result' && { result }),
  };
}

/** Undefined if the file is gone, has become shorter, or holds something else there. */
async function recordAt(file: DiskFile | undefined, line: Line): Promise<RoutingRecord | undefined> {
  if (file === undefined || (await file.size()) < line.offset + line.length) return undefined;
  return toRecord(await readRange(file, line.offset, line.offset + line.length));
}
