import { nextTurn } from '../../base/async.ts';
import { CachedPromise } from '../../base/cachedPromise.ts';
import { type Clock, delay } from '../../base/clock.ts';
import type { Disk } from '../../base/disk.ts';
import { messageOf } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import type { RoutingRecord } from '../../model/routing.ts';
import { isBehind, type Line, type Segment } from './historyFiles.ts';
import { HistoryIndex, type ReadRecords, RecordReader } from './historyIndex.ts';
import { readInThread } from './historyThread.ts';
import { type ReadEnd, readRecords } from './readRecords.ts';
import type { RoutingHistory } from './routingHistory.ts';

export interface RecentOptions {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Pick<Logger, 'warn'>;
  /** Messages are routed without the history, since it takes too long to be read; told once for each reading. */
  readonly onLate?: () => void;
  /** The bundle of `historyWorker.ts`; without it, and for few bytes, everything is read in this thread. */
  readonly program?: string;
  /** How many of the newest bytes of the history count. */
  readonly bytesMax?: number;
  /** Up to this many bytes are read in this thread: starting another would take longer. */
  readonly hereBytesMax?: number;
}

/** About 30,000 decisions of 60 words, and 60 MB of memory. */
const usualBytesMax = 24 * 1024 * 1024;
const usualHereBytesMax = 512 * 1024;
/** Reading all that counts takes a few seconds; what takes longer than this may never come, as from a disk that hangs. */
export const historyWaitMs = 30_000;

/**
 * The newest part of the routing history with its words, by which rules are learned and places are scored. The first
 * request reads it, in a thread of its own if it is long, and then it is kept up to date. Requests wait during the
 * reading, so that the result for a message does not depend on when it comes. It is read again once it has grown by half
 * of what counts, so that it does not grow for ever.
 */
export class RecentDecisions {
  readonly #options: RecentOptions;
  readonly #kept = new CachedPromise<HistoryIndex>();
  readonly #stopping = new AbortController();
  #index: HistoryIndex | undefined;
  /** The reading that took too long; messages do not wait for it any more. */
  #late: Promise<HistoryIndex> | undefined;
  /** What was appended while the index is read. */
  #appended: { readonly record: RoutingRecord; readonly line: Line }[] | undefined;
  #grown = 0;

  constructor(options: RecentOptions) {
    this.#options = options;
  }

  /** Resolves with an index of all that counts now; it goes on growing. */
  ready(history: Pick<RoutingHistory, 'readingNewest'>): Promise<HistoryIndex> {
    const { bytesMax = usualBytesMax } = this.#options;
    return this.#grown > bytesMax / 2 && this.#appended === undefined
      ? this.#kept.renew(() => this.#read(history))
      : this.#kept.get(() => this.#read(history));
  }

  /** As `ready`, but undefined if that takes longer than half a minute, for callers that can do without. */
  async inTime(history: Pick<RoutingHistory, 'readingNewest'>): Promise<HistoryIndex | undefined> {
    const ready = this.ready(history);
    if (ready === this.#late) return undefined;
    const waiting = new AbortController();
    const given = AbortSignal.any([waiting.signal, this.#stopping.signal]);
    try {
      const timedOut = delay(this.#options.clock, historyWaitMs, given).then(() => undefined);
      const index = await Promise.race([ready, timedOut]);
      if (index === undefined) this.#recordLate(ready);
      return index;
    } finally {
      waiting.abort();
    }
  }

  /** Takes in what was appended, in the order of the file. */
  record(record: RoutingRecord, line: Line): void {
    this.#grown += line.length;
    if (this.#appended !== undefined) this.#appended.push({ record, line });
    else this.#index?.add(record);
  }

  /** Ends the reading that is under way. */
  stop(): void {
    this.#stopping.abort();
  }

  #recordLate(reading: Promise<HistoryIndex>): void {
    if (reading === this.#late) return;
    this.#late = reading;
    this.#options.onLate?.();
    const forget = () => {
      if (this.#late === reading) this.#late = undefined;
    };
    reading.then(forget, forget);
  }

  async #read(history: Pick<RoutingHistory, 'readingNewest'>): Promise<HistoryIndex> {
    const { bytesMax = usualBytesMax } = this.#options;
    this.#appended = [];
    this.#index = undefined;
    this.#grown = 0;
    try {
      const index = new HistoryIndex();
      const end = await history.readingNewest(bytesMax, (segments) => this.#readInto(index, segments));
      for (const { record, line } of this.#appended) if (isBehind(line, end)) index.add(record);
      this.#index = index;
      return index;
    } finally {
      this.#appended = undefined;
    }
  }

  async #readInto(index: HistoryIndex, segments: readonly Segment[]): Promise<ReadEnd> {
    const { disk, program, log, hereBytesMax = usualHereBytesMax } = this.#options;
    const { signal } = this.#stopping;
    const bytes = segments.reduce((sum, { from, size }) => sum + size - from, 0);
    if (program !== undefined && bytes > hereBytesMax) {
      const read: ReadRecords[] = [];
      try {
        const end = await readInThread(program, { segments }, (records) => read.push(records), signal);
        for (const records of read) {
          index.addRead(records);
          await nextTurn();
        }
        return end;
      } catch (error) {
        signal.throwIfAborted();
        log.warn('no thread could read the routing history, so it is read here', { error: messageOf(error) });
      }
    }
    return readHere(disk, index, segments, signal);
  }
}

async function readHere(
  disk: Disk,
  index: HistoryIndex,
  segments: readonly Segment[],
  signal: AbortSignal,
): Promise<ReadEnd> {
  const reader = new RecordReader();
  const pieces = readRecords(disk, segments);
  let piece = await pieces.next();
  for (; piece.done !== true; piece = await pieces.next()) {
    signal.throwIfAborted();
    index.addRead(reader.read(piece.value));
    await nextTurn();
  }
  return piece.value;
}
