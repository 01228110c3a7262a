import { assert } from './assert.ts';
import { createDeferred, type Deferred, nextTurn } from './async.ts';
import type { DiskFile } from './disk.ts';
import { fileError, toDiskError } from './diskErrors.ts';
import type { RavelError } from './errors.ts';
import { writeFully } from './files.ts';
import { newline } from './units.ts';

/** A file of whole lines that is open for appending. */
export interface LineFile {
  readonly file: DiskFile;
  /** Bytes of its whole lines. */
  readonly length: number;
}

/** What makes a write durable: a sync after it, or the write itself (a file opened by `appendDurably`). */
export type Durability = 'bySync' | 'byWrite';

/** Lines that go to the medium together, and are acknowledged together. */
interface Batch {
  readonly lines: string[];
  /** Of the lines together. */
  bytes: number;
  /** At which byte of the file they begin. */
  readonly accepted: Deferred<number>;
}

interface Exchange {
  readonly work: () => Promise<LineFile>;
  readonly done: Deferred<void>;
}

type LineWriterState =
  | { readonly kind: 'idle' | 'closed' }
  | { readonly kind: 'flushing'; readonly done: Promise<void> }
  /** `done` resolves once the remains are cleared away and the waiting callers know. */
  | { readonly kind: 'failed'; readonly error: RavelError; readonly done: Promise<void> };

/**
 * The one writer of a file of lines. A line is acknowledged once it is on the medium; all that arrive while others are
 * being written share the next write. After a failed write or sync nothing more is accepted: what the file then holds
 * is known again only after it was opened again.
 */
export class LineWriter {
  readonly #path: string;
  readonly #durability: Durability;
  #file: DiskFile;
  #state: LineWriterState = { kind: 'idle' };
  #pending: Batch | undefined;
  #exchange: Exchange | undefined;
  /** Bytes that are acknowledged. */
  #length: number;

  constructor(path: string, { file, length }: LineFile, durability: Durability) {
    assert(length >= 0, 'a length is not negative');
    assert(path !== '', 'a file has a path');
    this.#path = path;
    this.#file = file;
    this.#length = length;
    this.#durability = durability;
  }

  /** Bytes that are acknowledged; what lies behind them in the file is not there yet. */
  get length(): number {
    return this.#length;
  }

  get hasFailed(): boolean {
    return this.#state.kind === 'failed';
  }

  /**
   * Resolves with the byte at which the line begins, once it is durable. Rejects with `disk/full`, `disk/denied` or
   * `disk/failed`, and then it was not accepted.
   */
  append(line: string): Promise<number> {
    assert(line.endsWith('\n'), 'a line ends with a newline');
    assert(line.indexOf('\n') === line.length - 1, 'a line is one line');
    if (this.#state.kind === 'failed') return Promise.reject(this.#refusal(this.#state.error));
    assert(this.#state.kind !== 'closed', 'a closed file takes no lines');
    this.#pending ??= { lines: [], bytes: 0, accepted: createDeferred() };
    const { lines, bytes, accepted } = this.#pending;
    lines.push(line);
    this.#pending.bytes += Buffer.byteLength(line);
    this.#start();
    return accepted.promise.then((start) => start + bytes);
  }

  /**
   * Replaces this file with another: `work` runs as soon as nothing is being written, and lines that are not on their
   * way by then go to the file it returns. If it throws, the content of the path is unknown, so that counts as a failed
   * write.
   */
  exchange(work: () => Promise<LineFile>): Promise<void> {
    assert(this.#exchange === undefined, 'one exchange is made at a time');
    if (this.#state.kind === 'failed') return Promise.reject(this.#refusal(this.#state.error));
    assert(this.#state.kind !== 'closed', 'a closed file is not exchanged');
    const done = createDeferred<void>();
    this.#exchange = { work, done };
    this.#start();
    return done.promise;
  }

  /** Resolves once everything that was appended before is acknowledged or refused. */
  async settled(): Promise<void> {
    if (this.#state.kind === 'flushing' || this.#state.kind === 'failed') await this.#state.done;
  }

  /** Waits for what was appended before, then releases the file. */
  async close(): Promise<void> {
    if (this.#state.kind === 'closed') return;
    await this.settled();
    assert(this.#pending === undefined, 'nothing waits when the file is closed');
    const hadFailed = this.hasFailed;
    this.#state = { kind: 'closed' };
    try {
      await this.#file.close();
    } catch (error) {
      // After a failure the file is in doubt anyway, and the callers that appended know.
      if (!hadFailed) throw toDiskError(error, this.#path, 'write');
    }
  }

  #start(): void {
    if (this.#state.kind === 'idle') this.#state = { kind: 'flushing', done: this.#flush() };
  }

  /** Never rejects; the outcome goes to those who appended. */
  async #flush(): Promise<void> {
    assert(this.#pending !== undefined || this.#exchange !== undefined, 'there is something to do');
    while (this.#pending !== undefined || this.#exchange !== undefined) {
      const exchange = this.#exchange;
      const batch = exchange === undefined ? this.#pending : undefined;
      this.#exchange = undefined;
      if (batch !== undefined) this.#pending = undefined;
      const start = this.#length;
      try {
        if (exchange !== undefined) await this.#replace(exchange);
        if (batch !== undefined) await this.#writeBatch(batch);
      } catch (error) {
        await this.#fail(toDiskError(error, this.#path, 'write'), batch, exchange);
        return;
      }
      exchange?.done.resolve();
      batch?.accepted.resolve(start);
      // Those who waited for this batch are about to append again: let them join the next. One alone never waits.
      if (batch !== undefined && batch.lines.length > 1) await nextTurn();
    }
    assert(this.#state.kind === 'flushing', 'one flush runs at a time');
    this.#state = { kind: 'idle' };
  }

  async #writeBatch({ lines, bytes }: Batch): Promise<void> {
    const data = Buffer.from(lines.length === 1 ? (lines[0] ?? '') : lines.join(''));
    assert(data.length === bytes, 'each line stands where its writer is told');
    await writeFully(this.#file, data);
    if (this.#durability === 'bySync') await this.#file.sync();
    this.#length += data.length;
    assert(data[data.length - 1] === newline, 'the file ends with a whole line');
  }

  async #replace({ work }: Exchange): Promise<void> {
    const former = this.#file;
    const next = await work();
    assert(next.file !== former, 'another file was opened');
    assert(next.length >= 0, 'a length is not negative');
    this.#file = next.file;
    this.#length = next.length;
    // Its name belongs to another file by now; nothing that happens to it can matter.
    await former.close().catch(() => undefined);
  }

  async #fail(error: RavelError, batch: Batch | undefined, exchange: Exchange | undefined): Promise<void> {
    assert(this.#state.kind === 'flushing', 'only what is being done can fail');
    assert(batch !== undefined || exchange !== undefined, 'a caller waits for what failed');
    this.#state = { kind: 'failed', error, done: this.#state.done };
    if (exchange === undefined) await this.#cutRefused();
    const waiting = [batch?.accepted, this.#pending?.accepted, exchange?.done, this.#exchange?.done];
    this.#pending = undefined;
    this.#exchange = undefined;
    for (const refused of waiting) refused?.reject(error);
  }

  /** So that what was refused does not turn up later, also after a power cut. */
  async #cutRefused(): Promise<void> {
    try {
      await this.#file.truncate(this.#length);
      await this.#file.sync();
    } catch {
      // The disk refuses this as well; opening again cuts once more.
    }
  }

  #refusal(cause: RavelError): RavelError {
    assert(this.#state.kind === 'failed', 'only a failed file refuses');
    assert(cause.message !== '', 'the failure before has a message');
    return fileError(cause.code, this.#path, `${this.#path} takes no more records since a write failed.`, {
      help: 'It is opened and checked again by the next one.',
      cause,
    });
  }
}
