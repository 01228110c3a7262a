import { isUtf8 } from 'node:buffer';
import { dirname } from 'node:path';
import type * as z from 'zod';
import { assert } from './assert.ts';
import type { Disk, DiskFile } from './disk.ts';
import { fileError, toDiskError } from './diskErrors.ts';
import { messageOf, type RavelError, systemCode } from './errors.ts';
import { type LineFile, LineWriter } from './lineWriter.ts';
import { encodeLine } from './ndjson.ts';
import { newline } from './units.ts';

/**
 * An append-only file of JSON lines with one writer. A record is acknowledged once it is on the medium. What a failed
 * write or sync left behind is known only after the file was opened again: the next record does that, and takes away
 * what was refused before it is written itself. So work goes on as soon as a full disk has space again.
 */
export interface Journal {
  /**
   * Resolves with the byte at which the record's line begins, once it is durable. Records that arrive while a sync runs
   * share the next one. Rejects with `disk/full`, `disk/denied` or `disk/failed`, and then the record was not accepted.
   */
  append(value: unknown): Promise<number>;
  /** Waits for what was appended before, then releases the file. */
  close(): Promise<void>;
}

/** Opens or creates a journal for appending; a last line without newline was never acknowledged and is cut. */
export async function openJournal(disk: Disk, path: string): Promise<Journal> {
  const journal = new FileJournal(disk, path);
  await journal.open();
  return journal;
}

/** As `openJournal`, but its first record opens or creates it: for a journal that may never get one. */
export function createJournal(disk: Disk, path: string): Journal {
  return new FileJournal(disk, path);
}

/**
 * Takes away the bytes behind the last newline of a file of lines, so that the next line starts on its own, and whatever
 * lies behind `lengthMax`. Returns how long the file is now and how many bytes went. Errors are the system's own.
 */
export async function cutTornTail(
  file: DiskFile,
  lengthMax = Number.POSITIVE_INFINITY,
): Promise<{ readonly length: number; readonly cut: number }> {
  const size = await file.size();
  const length = await wholeLinesLength(file, Math.min(size, lengthMax));
  assert(length >= 0 && length <= size, 'the whole lines are a part of the file');
  if (length < size) await file.truncate(length);
  return { length, cut: size - length };
}

export interface JournalContent<Record = unknown> {
  readonly records: Record[];
  /** Whether bytes of a record that was never acknowledged follow the last one. */
  readonly tornTail: boolean;
}

/**
 * All records of a journal; a missing file has none. Throws `journal/corrupt` for a bad line that is not a torn tail, and
 * for one that does not fit the schema. Changes nothing.
 */
export async function readJournal(disk: Disk, path: string): Promise<JournalContent>;
export async function readJournal<Record>(
  disk: Disk,
  path: string,
  schema: z.ZodType<Record>,
): Promise<JournalContent<Record>>;
export async function readJournal(disk: Disk, path: string, schema?: z.ZodType): Promise<JournalContent> {
  const bytes = await readIfExists(disk, path);
  const records: unknown[] = [];
  let start = 0;
  for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
    assert(end >= start, 'lines follow each other');
    const record = parseRecord(bytes.subarray(start, end), path, records.length);
    records.push(schema === undefined ? record : assertFits(record, schema, path, records.length));
    start = end + 1;
  }
  assert(start <= bytes.length, 'reading ends with the file');
  return { records, tornTail: start < bytes.length };
}

type JournalState =
  | { readonly kind: 'shut' | 'closed' }
  | { readonly kind: 'opening'; readonly opened: Promise<LineWriter> }
  | { readonly kind: 'open'; readonly writer: LineWriter };

class FileJournal implements Journal {
  readonly #disk: Disk;
  readonly #path: string;
  #state: JournalState = { kind: 'shut' };
  /** Bytes that were acknowledged when a write failed: what lies behind them was refused. */
  #acknowledged: number | undefined;

  constructor(disk: Disk, path: string) {
    assert(path !== '', 'a journal has a path');
    this.#disk = disk;
    this.#path = path;
  }

  append(value: unknown): Promise<number> {
    assert(this.#state.kind !== 'closed', 'a closed file takes no lines');
    const line = encodeLine(value);
    if (this.#state.kind === 'open' && !this.#state.writer.hasFailed) return this.#state.writer.append(line);
    return this.open().then((writer) => writer.append(line));
  }

  /** What cannot be opened is tried again the next time. */
  open(): Promise<LineWriter> {
    if (this.#state.kind === 'opening') return this.#state.opened;
    const opened = this.#openAnew(this.#state.kind === 'open' ? this.#state.writer : undefined);
    this.#state = { kind: 'opening', opened };
    // The state changes before the callers that wait to append go on, so that a later append cannot overtake theirs.
    void opened.then(
      (writer) => this.#becomes({ kind: 'open', writer }),
      () => this.#becomes({ kind: 'shut' }),
    );
    return opened;
  }

  async close(): Promise<void> {
    const state = this.#state;
    this.#state = { kind: 'closed' };
    if (state.kind === 'open') await state.writer.close();
    // A journal that cannot be opened has nothing to close; the callers that appended get the error.
    if (state.kind === 'opening') await (await state.opened.catch(() => undefined))?.close();
  }

  #becomes(state: JournalState): void {
    if (this.#state.kind === 'closed') return;
    assert(this.#state.kind === 'opening', 'only what is being opened becomes open');
    this.#state = state;
  }

  /** `failed`: the writer that took lines until now. */
  async #openAnew(failed: LineWriter | undefined): Promise<LineWriter> {
    assert(failed?.hasFailed !== false, 'a writer is kept while it is well');
    await failed?.close();
    this.#acknowledged = failed?.length ?? this.#acknowledged;
    return new LineWriter(this.#path, await openLines(this.#disk, this.#path, this.#acknowledged), 'bySync');
  }
}

/** Bytes that are searched at once, from the end of a file, for its last newline. */
const windowBytes = 64 * 1024;

/** The file with its whole lines alone; what lies behind `lengthMax` goes as well. */
async function openLines(disk: Disk, path: string, lengthMax: number | undefined): Promise<LineFile> {
  try {
    const file = await openDurably(disk, path);
    try {
      const { length, cut } = await cutTornTail(file, lengthMax);
      if (cut > 0) await file.sync();
      return { file, length };
    } catch (error) {
      await file.close();
      throw error;
    }
  } catch (error) {
    throw toDiskError(error, path, 'write');
  }
}

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
export async function wholeLinesLength(file: DiskFile, size: number): Promise<number> {
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

/** The bytes of a file that is there in that length. */
export async function readRange(file: DiskFile, start: number, end: number): Promise<Buffer> {
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

function assertFits(record: unknown, schema: z.ZodType, path: string, index: number): unknown {
  const parsed = schema.safeParse(record);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const field = issue === undefined || issue.path.length === 0 ? '' : ` at ${issue.path.join('.')}`;
  throw corrupt(path, index, `it does not hold what was written there${field}`, parsed.error);
}

function corrupt(path: string, index: number, reason: string, cause?: unknown): RavelError {
  assert(index >= 0, 'lines are counted from 0');
  assert(reason !== '', 'a reason is given');
  const start = { line: index, character: 0 };
  return fileError('journal/corrupt', path, `Line ${index + 1} of ${path} cannot be read: ${reason}.`, {
    help: 'Make a copy of the file, fix the named line by hand, then start Ravel again.',
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
