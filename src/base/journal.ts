import { isUtf8 } from 'node:buffer';
import { dirname } from 'node:path';
import { assert } from './assert.ts';
import { createDeferred, type Deferred } from './async.ts';
import type { Disk, DiskFile } from './disk.ts';
import { fileError, toDiskError } from './diskErrors.ts';
import { messageOf, type RavelError, systemCode } from './errors.ts';
import { writeFully } from './files.ts';
import { encodeLine } from './ndjson.ts';

/**
 * An append-only file of JSON lines with one writer. A record is acknowledged once it is on the medium. After a failed
 * write or sync nothing more is accepted: what the file then holds is known again only after it was opened anew.
 */
export interface Journal {
  /** Bytes of a torn last line that opening cut away; 0 as a rule. */
  readonly cut: number;
  /**
   * Resolves once the record is durable. Records that arrive while a sync runs share the next one. Rejects with
   * `disk/full`, `disk/denied` or `disk/failed`, and then the record was not accepted.
   */
  append(value: unknown): Promise<void>;
  /** Waits for what was appended before, then lets go of the file. */
  close(): Promise<void>;
}

/** Opens or creates a journal for appending; a last line without newline was never acknowledged and is cut. */
export async function openJournal(disk: Disk, path: string): Promise<Journal> {
  try {
    const file = await openDurably(disk, path);
    try {
      const found = await cutTornTail(file);
      if (found.cut > 0) await file.sync();
      return new FileJournal(file, path, found);
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw toDiskError(error, path, 'write');
  }
}

/**
 * Takes away the bytes behind the last newline of a file of lines, so that the next line starts on its own. Returns how
 * long the file is now and how many bytes went. Errors are the system's own.
 */
export async function cutTornTail(file: DiskFile): Promise<{ readonly length: number; readonly cut: number }> {
  const size = await file.size();
  const length = await wholeLinesLength(file, size);
  assert(length >= 0 && length <= size, 'the whole lines are a part of the file');
  if (length < size) await file.truncate(length);
  return { length, cut: size - length };
}

export interface JournalContent {
  readonly records: unknown[];
  /** Whether bytes of a record that was never acknowledged follow the last one. */
  readonly tornTail: boolean;
}

/**
 * All records of a journal; a missing file has none. Throws `journal/corrupt` for a bad line that is not a torn tail.
 * Changes nothing.
 */
export async function readJournal(disk: Disk, path: string): Promise<JournalContent> {
  const bytes = await readIfExists(disk, path);
  const records: unknown[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    assert(end >= start, 'lines follow each other');
    records.push(parseRecord(bytes.subarray(start, end), path, records.length));
    start = end + 1;
  }
  assert(start <= bytes.length, 'reading ends with the file');
  return { records, tornTail: start < bytes.length };
}

interface Pending {
  readonly line: string;
  readonly accepted: Deferred<void>;
}

type JournalState =
  | { readonly kind: 'idle' | 'closed' }
  | { readonly kind: 'flushing'; readonly done: Promise<void> }
  | { readonly kind: 'failed'; readonly error: RavelError };

class FileJournal implements Journal {
  readonly cut: number;
  readonly #file: DiskFile;
  readonly #path: string;
  #state: JournalState = { kind: 'idle' };
  #pending: Pending[] = [];
  /** Bytes that are acknowledged. */
  #length: number;

  constructor(file: DiskFile, path: string, found: { readonly length: number; readonly cut: number }) {
    assert(found.length >= 0 && found.cut >= 0, 'lengths are not negative');
    assert(path !== '', 'a journal has a path');
    this.#file = file;
    this.#path = path;
    this.#length = found.length;
    this.cut = found.cut;
  }

  append(value: unknown): Promise<void> {
    const line = encodeLine(value);
    assert(line.endsWith('\n'), 'a record ends with a newline');
    assert(line.indexOf('\n') === line.length - 1, 'a record is one line');
    if (this.#state.kind === 'failed') return Promise.reject(this.#refusal(this.#state.error));
    assert(this.#state.kind !== 'closed', 'a closed journal takes no records');
    const accepted = createDeferred<void>();
    this.#pending.push({ line, accepted });
    if (this.#state.kind === 'idle') this.#state = { kind: 'flushing', done: this.#flush() };
    return accepted.promise;
  }

  async close(): Promise<void> {
    if (this.#state.kind === 'closed') return;
    if (this.#state.kind === 'flushing') await this.#state.done;
    assert(this.#pending.length === 0, 'nothing waits when the journal is closed');
    const hadFailed = this.#state.kind === 'failed';
    this.#state = { kind: 'closed' };
    try {
      await this.#file.close();
    } catch (error) {
      // After a failure the file is in doubt anyway, and whoever appended knows.
      if (!hadFailed) throw toDiskError(error, this.#path, 'write');
    }
  }

  /** Never rejects; the outcome goes to those who appended. */
  async #flush(): Promise<void> {
    assert(this.#pending.length > 0, 'there is something to write');
    while (this.#pending.length > 0) {
      const batch = this.#pending;
      this.#pending = [];
      try {
        await this.#writeBatch(batch);
      } catch (error) {
        await this.#fail(toDiskError(error, this.#path, 'write'), batch);
        return;
      }
      for (const { accepted } of batch) accepted.resolve();
    }
    assert(this.#state.kind === 'flushing', 'one flush runs at a time');
    this.#state = { kind: 'idle' };
  }

  async #writeBatch(batch: readonly Pending[]): Promise<void> {
    const data = Buffer.from(batch.map(({ line }) => line).join(''));
    assert(data.length >= batch.length, 'each record has bytes');
    await writeFully(this.#file, data);
    await this.#file.sync();
    this.#length += data.length;
    assert(data[data.length - 1] === newline, 'the file ends with a whole line');
  }

  async #fail(error: RavelError, batch: readonly Pending[]): Promise<void> {
    assert(this.#state.kind !== 'failed', 'a journal fails once');
    assert(batch.length > 0, 'somebody waits for the batch that failed');
    this.#state = { kind: 'failed', error };
    // So that what was refused does not turn up later. Where this fails too, opening anew finds whole lines only.
    await this.#file.truncate(this.#length).catch(() => undefined);
    const refused = [...batch, ...this.#pending];
    this.#pending = [];
    for (const { accepted } of refused) accepted.reject(error);
  }

  #refusal(cause: RavelError): RavelError {
    assert(this.#state.kind === 'failed', 'only a failed journal refuses');
    assert(cause.message !== '', 'the failure before has a message');
    return fileError(cause.code, this.#path, `${this.#path} takes no more records since a write failed.`, {
      help: 'It is opened and checked again at the next start.',
      cause,
    });
  }
}

const newline = 10;
const windowBytes = 64 * 1024;

/** A new file's name must be as durable as what is appended to it. */
async function openDurably(disk: Disk, path: string): Promise<DiskFile> {
  assert(path !== '', 'a journal has a path');
  const file = await disk.open(path, 'append', 0o600);
  assert(file !== undefined, 'an open file is returned');
  try {
    await disk.syncDirectory(dirname(path));
    return file;
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Where the last newline ends, looking backwards from the end: the file may be large, the tail is short. */
async function wholeLinesLength(file: DiskFile, size: number): Promise<number> {
  assert(Number.isSafeInteger(size) && size >= 0, 'a size is a whole number');
  let end = size;
  while (end > 0) {
    const start = Math.max(0, end - windowBytes);
    const window = await readRange(file, start, end);
    const last = window.lastIndexOf(newline);
    if (last !== -1) return start + last + 1;
    assert(start < end, 'each step looks further back');
    end = start;
  }
  return 0;
}

async function readRange(file: DiskFile, start: number, end: number): Promise<Buffer> {
  assert(start < end, 'a range is not empty');
  const buffer = Buffer.alloc(end - start);
  let filled = 0;
  while (filled < buffer.length) {
    const count = await file.read(buffer.subarray(filled), start + filled);
    assert(count > 0, 'a journal has one writer, so it does not shrink while it is opened');
    filled += count;
  }
  return buffer;
}

function parseRecord(line: Buffer, path: string, index: number): unknown {
  assert(index >= 0, 'lines are counted from 0');
  assert(!line.includes(newline), 'a record is one line');
  if (!isUtf8(line)) throw corrupt(path, index, 'it is not UTF-8');
  try {
    return JSON.parse(line.toString('utf8'));
  } catch (error) {
    throw corrupt(path, index, messageOf(error), error);
  }
}

function corrupt(path: string, index: number, reason: string, cause?: unknown): RavelError {
  assert(index >= 0, 'lines are counted from 0');
  assert(reason !== '', 'a reason is given');
  const start = { line: index, character: 0 };
  return fileError('journal/corrupt', path, `Line ${index + 1} of ${path} cannot be read: ${reason}.`, {
    help: 'Keep the file, repair the named line by hand, then start again.',
    range: { start, end: start },
    cause,
  });
}

async function readIfExists(disk: Disk, path: string): Promise<Buffer> {
  assert(path !== '', 'a journal has a path');
  try {
    const bytes = await disk.readFile(path);
    assert(Buffer.isBuffer(bytes), 'a file is read as bytes');
    return bytes;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return Buffer.alloc(0);
    throw toDiskError(error, path, 'read');
  }
}
