import { dirname } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Disk, DiskFile } from '../base/disk.ts';
import type { RavelError } from '../base/errors.ts';
import { writeFully } from '../base/files.ts';
import { cutTornTail, readRange, wholeLinesLength } from '../base/journal.ts';
import { newline } from '../base/units.ts';
import { failure } from '../model/codes.ts';
import { inspectLine, type MailboxLine, parseHeaderKeys, recordBytesMax } from './record.ts';

/** The file of a mailbox as opening found it; only its first and its last line have been read. */
export interface MailboxFile {
  readonly file: DiskFile;
  readonly length: number;
  /** Bytes of a torn last line that opening cut away. */
  readonly cut: number;
  /** The last `seq` that compaction took away; 0 before the first. */
  readonly compacted: number;
  /** Where the first record starts. */
  readonly headerLength: number;
  /** The `seq` of the last record, which may be one that compaction took away. */
  readonly lastSeq: number;
}

/** A record where it lies. */
export interface FoundRecord {
  readonly seq: number;
  readonly key: string;
  readonly offset: number;
  readonly end: number;
  /** Without its newline. */
  readonly line: Buffer;
}

/** An open mailbox file by its path, which errors name. */
export interface OpenFile {
  readonly file: DiskFile;
  readonly path: string;
}

/**
 * Opens or makes the file of a mailbox. Part of a record at the end was never acknowledged and is cut; so is what lies
 * behind `lengthMax`, which was refused. Throws `mailbox/corrupt` if the first or the last line is bad.
 */
export async function openMailboxFile(disk: Disk, path: string, lengthMax?: number): Promise<MailboxFile> {
  const file = await disk.open(path, 'appendDurably', 0o600);
  try {
    const size = await file.size();
    // The name of a new file must be as durable as what is appended to it.
    if (size === 0) await disk.syncDirectory(dirname(path));
    if (lengthMax === undefined) await endLastRecord({ file, path }, size);
    const { length, cut } = await cutTornTail(file, lengthMax);
    assert(lengthMax === undefined || length <= lengthMax, 'what was refused is cut away');
    if (cut > 0) await file.sync();
    return { file, length, cut, ...(await readEnds({ file, path }, length)) };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** A whole record that lacks only its newline, as some editors leave the last line of a file, gets it back. */
async function endLastRecord(open: OpenFile, size: number): Promise<void> {
  const length = await wholeLinesLength(open.file, size);
  assert(length <= size, 'the whole lines are a part of the file');
  if (length === size || size - length > recordBytesMax) return;
  const found = inspectLine(await readRange(open.file, length, size));
  if (found.kind !== 'record' || found.seq !== (await readEnds(open, length)).lastSeq + 1) return;
  await writeFully(open.file, Buffer.from('\n'));
  await open.file.sync();
}

/** The ends of a mailbox as it lies there: a torn last line is passed over, and nothing is changed. */
export async function peekMailboxFile(
  disk: Pick<Disk, 'open'>,
  path: string,
): Promise<Pick<MailboxFile, 'compacted' | 'lastSeq'>> {
  const file = await disk.open(path, 'read');
  try {
    const length = await wholeLinesLength(file, await file.size());
    return await readEnds({ file, path }, length);
  } finally {
    await file.close();
  }
}

/** Records between two offsets, chunk by chunk, each verified; the first must have `seq`, if it is given. */
export async function* readMailboxRecords(
  open: OpenFile,
  range: { readonly from: number; readonly to: number },
  seq?: number,
): AsyncGenerator<readonly FoundRecord[]> {
  assert(range.from <= range.to, 'a range does not end before it starts');
  let expected = seq;
  for await (const lines of readLines(open.file, range.from, range.to)) {
    const records: FoundRecord[] = [];
    let problem: { readonly offset: number; readonly reason: string } | undefined;
    for (const { line, offset, end } of lines) {
      const found = inspectLine(line);
      const reason = recordProblem(found, expected);
      if (reason !== undefined || found.kind !== 'record') {
        problem = { offset, reason: reason ?? '' };
        break;
      }
      expected = found.seq + 1;
      records.push({ seq: found.seq, key: found.key, offset, end, line });
    }
    if (records.length > 0) yield records;
    if (problem !== undefined) throw await corrupt(open, problem.offset, problem.reason, expected);
  }
}

/** The first record that is wanted, found by reading one after the other; undefined if there is none. */
export async function findMailboxRecord(
  open: OpenFile,
  range: { readonly from: number; readonly to: number },
  isWanted: (record: FoundRecord) => boolean,
): Promise<FoundRecord | undefined> {
  assert(range.from <= range.to, 'a range does not end before it starts');
  for await (const records of readMailboxRecords(open, range)) {
    assert(records.length > 0, 'no chunk comes empty');
    const found = records.find(isWanted);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The keys of the latest records that compaction took away. */
export async function readHeaderKeys(open: OpenFile, headerLength: number): Promise<string[]> {
  if (headerLength === 0) return [];
  const line = (await readRange(open.file, 0, headerLength)).subarray(0, -1);
  const found = inspectLine(line);
  if (found.kind === 'header') return parseHeaderKeys(line);
  throw await corrupt(open, 0, found.kind === 'bad' ? found.reason : 'it is not a header');
}

/** The line that ends right before `end`. */
async function readLineBefore(file: DiskFile, end: number): Promise<{ line: Buffer; offset: number }> {
  assert(end > 0, 'a line has at least its newline');
  for (let bytes = tailBytes; ; bytes *= 4) {
    const from = Math.max(0, end - bytes);
    const tail = await readRange(file, from, end);
    const newlineBefore = tail.length < 2 ? -1 : tail.lastIndexOf(newline, tail.length - 2);
    if (newlineBefore !== -1 || from === 0 || bytes > recordBytesMax) {
      assert(newlineBefore < tail.length - 1, 'the line ends at the end');
      return { line: tail.subarray(newlineBefore + 1, -1), offset: from + newlineBefore + 1 };
    }
  }
}

/** The error for a bad line. It says where the line is, which is all that a person needs to repair it. */
export async function corrupt(
  { file, path }: OpenFile,
  offset: number,
  reason: string,
  seq?: number,
): Promise<RavelError> {
  const line = await countLines(file, offset);
  const start = { line, character: 0 };
  return failure('mailbox/corrupt', path, `Line ${line + 1} of ${path} cannot be read: ${reason}.`, {
    file: path,
    range: { start, end: start },
    ...(seq === undefined ? {} : { help: helpWith(seq) }),
  });
}

function helpWith(seq: number): string {
  return `Keep a copy. Restore the line, or give message ${seq} up: write {"lost":${seq}} in its place. Then revive the actor.`;
}

/** Bytes that are read at once. */
const chunkBytes = 256 * 1024;
/**
 * Bytes of the end of a mailbox that are read first to find its last record; four times as many each time that is too
 * few.
 */
const tailBytes = 4 * 1024;

type Ends = Pick<MailboxFile, 'compacted' | 'headerLength' | 'lastSeq'>;

async function readEnds(open: OpenFile, length: number): Promise<Ends> {
  if (length === 0) return { compacted: 0, headerLength: 0, lastSeq: 0 };
  const first = await readFirstLine(open, length);
  assert(first.headerLength <= length, 'the first line is a part of the file');
  const last = await readLineBefore(open.file, length);
  const found = inspectLine(last.line);
  if (found.kind === 'record' && found.seq > first.compacted) return { ...first, lastSeq: found.seq };
  if (found.kind === 'header' && last.offset === 0) return { ...first, lastSeq: first.compacted };
  throw await corrupt(open, last.offset, found.kind === 'bad' ? found.reason : 'it does not belong there');
}

async function readFirstLine(open: OpenFile, length: number): Promise<Pick<Ends, 'compacted' | 'headerLength'>> {
  for await (const [first] of readLines(open.file, 0, length)) {
    if (first === undefined) continue;
    const found = inspectLine(first.line);
    if (found.kind === 'header') return { compacted: found.compacted, headerLength: first.end };
    const reason = recordProblem(found, 1);
    if (reason !== undefined) throw await corrupt(open, 0, reason);
    return { compacted: 0, headerLength: 0 };
  }
  throw await corrupt(open, 0, 'it is too long for a record');
}

function recordProblem(found: MailboxLine, expected: number | undefined): string | undefined {
  if (found.kind === 'bad') return found.reason;
  if (found.kind === 'header') return 'a header stands only at the beginning';
  if (expected === undefined || found.seq === expected) return undefined;
  return `its seq is ${found.seq} where ${expected} follows`;
}

interface FileLine {
  readonly line: Buffer;
  readonly offset: number;
  readonly end: number;
}

/** The lines of a part of a file that starts and ends with whole lines, chunk by chunk. Chunks without any are left out. */
async function* readLines(file: DiskFile, from: number, to: number): AsyncGenerator<readonly FileLine[]> {
  let carry: Buffer = Buffer.alloc(0);
  for (let position = from; position < to; ) {
    const chunk = await readRange(file, position, Math.min(to, position + chunkBytes));
    const bytes = carry.length === 0 ? chunk : Buffer.concat([carry, chunk]);
    position += chunk.length;
    const offset = position - bytes.length;
    const lines: FileLine[] = [];
    let start = 0;
    for (let end = bytes.indexOf(newline); end !== -1; end = bytes.indexOf(newline, start)) {
      lines.push({ line: bytes.subarray(start, end), offset: offset + start, end: offset + end + 1 });
      start = end + 1;
    }
    carry = bytes.subarray(start);
    // What has no end within the longest line is given as it is: no check sum will fit it.
    if (carry.length > recordBytesMax) lines.push({ line: carry, offset: offset + start, end: position });
    if (lines.length > 0) yield lines;
    if (carry.length > recordBytesMax) return;
  }
  assert(carry.length === 0, 'a part of a mailbox ends with a whole line');
}

/** How many lines end before `offset`. */
async function countLines(file: DiskFile, offset: number): Promise<number> {
  let lines = 0;
  for (let position = 0; position < offset; position += chunkBytes) {
    const chunk = await readRange(file, position, Math.min(offset, position + chunkBytes));
    for (let at = chunk.indexOf(newline); at !== -1; at = chunk.indexOf(newline, at + 1)) lines++;
  }
  return lines;
}
