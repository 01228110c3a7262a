import { assert } from '../base/assert.ts';
import { readRange } from '../base/journal.ts';
import { newline } from '../base/units.ts';
import type { LoadedCursor } from './cursor.ts';
import { findMailboxRecord, type MailboxFile, type OpenFile } from './mailboxFile.ts';

/** Where the next record of a mailbox starts, or would start. */
export interface Location {
  readonly seq: number;
  readonly offset: number;
  /** What was wrong with the cursor, as a sentence without its end; undefined if it was right. */
  readonly repaired?: string;
}

/**
 * Finds the place that a cursor names. Its `seq` is the truth; its offset is a hint, and where another record stands
 * there the right one is found by reading all of them.
 */
export async function locateCursor(open: OpenFile, file: MailboxFile, loaded: LoadedCursor): Promise<Location> {
  const { compacted, headerLength, lastSeq, length } = file;
  assert(lastSeq >= compacted && length >= headerLength, 'the ends of the file fit each other');
  if (loaded.kind !== 'loaded') {
    const first = { seq: compacted + 1, offset: headerLength };
    // A mailbox without messages has no cursor yet.
    if (loaded.kind === 'missing' && lastSeq === 0) return first;
    const what = loaded.kind === 'missing' ? 'it is missing' : loaded.reason;
    return { ...first, repaired: `${what}; all that the mailbox holds is handled once more` };
  }
  const { seq, offset: hint } = loaded.cursor;
  if (seq <= compacted) {
    const repaired = `it names message ${seq}, but those up to ${compacted} are done with and gone`;
    return { seq: compacted + 1, offset: headerLength, repaired };
  }
  if (seq > lastSeq + 1) {
    return { seq: lastSeq + 1, offset: length, repaired: `it names message ${seq}, but the last one is ${lastSeq}` };
  }
  const offset = (await isAt(open, file, hint, seq)) ? hint : await find(open, file, seq);
  assert(offset !== null && offset <= length, 'the cursor is within the file');
  const repaired = `message ${seq} does not start at byte ${hint}`;
  return { seq, offset, ...(hint === null || hint === offset ? {} : { repaired }) };
}

/** Whether the record with this `seq`, or the end of the file behind the last one, is at `offset`. */
async function isAt(open: OpenFile, file: MailboxFile, offset: number | null, seq: number): Promise<boolean> {
  const { headerLength, lastSeq, length } = file;
  assert(seq > 0 && seq <= lastSeq + 1, 'the cursor is neither behind nor ahead');
  if (offset === null) return false;
  if (seq === lastSeq + 1) return offset === length;
  if (offset < headerLength || offset >= length) return false;
  const prefix = `{"seq":${seq},`;
  const from = Math.max(0, offset - 1);
  const bytes = await readRange(open.file, from, Math.min(length, offset + prefix.length));
  assert(bytes.length > 0, 'the offset is within the file');
  const startsLine = from === offset || bytes[0] === newline;
  return startsLine && bytes.subarray(offset - from).equals(Buffer.from(prefix));
}

async function find(open: OpenFile, file: MailboxFile, seq: number): Promise<number> {
  const { headerLength, lastSeq, length } = file;
  if (seq === lastSeq + 1) return length;
  const found = await findMailboxRecord(open, { from: headerLength, to: length }, (record) => record.seq === seq);
  assert(found !== undefined, 'records follow each other without a hole');
  assert(found.offset >= headerLength, 'a record comes after the header');
  return found.offset;
}
