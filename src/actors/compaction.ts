import { basename, dirname, join } from 'node:path';
import { assert } from '../base/assert.ts';
import type { Disk, DiskFile } from '../base/disk.ts';
import { removeTree, writeFully } from '../base/files.ts';
import { readRange } from '../base/journal.ts';
import { type OpenFile, readHeaderKeys, readMailboxRecords } from './mailboxFile.ts';
import { encodeHeader } from './record.ts';

/** Keys of records that are gone, so that a sender who repeats a send of long ago is still recognised. */
const keysMax = 10_000;

/** What a compacted mailbox is made of: the records from `offset` to `length`, and the keys of those before. */
export interface CompactionPlan {
  readonly headerLength: number;
  readonly offset: number;
  readonly length: number;
  /** The last `seq` that goes. */
  readonly compacted: number;
}

/** Compaction pays once at least `recordsMin` records are processed, and they take more bytes than the rest. */
export function isCompactionDue(plan: CompactionPlan, compactedBefore: number): boolean {
  assert(plan.offset >= plan.headerLength && plan.length >= plan.offset, 'the offsets follow each other');
  assert(plan.compacted >= compactedBefore, 'a cursor does not go back');
  const processedBytes = plan.offset - plan.headerLength;
  return plan.compacted - compactedBefore >= recordsMin && processedBytes > plan.length - plan.offset;
}

/** The keys of the latest records among those that go, oldest first, with those that went before. */
export async function readCompactedKeys(open: OpenFile, plan: CompactionPlan): Promise<string[]> {
  let keys = await readHeaderKeys(open, plan.headerLength);
  assert(keys.length <= keysMax, 'a header keeps at most keysMax keys');
  for await (const records of readMailboxRecords(open, { from: plan.headerLength, to: plan.offset })) {
    for (const { key } of records) keys.push(key);
    if (keys.length > 2 * keysMax) keys = keys.slice(-keysMax);
  }
  assert(keys.length <= plan.compacted, 'each key is that of a record');
  return keys.slice(-keysMax);
}

/**
 * Replaces the file by one without the records before `plan.offset`: written beside it, synced, renamed, the folder
 * synced, so that at each moment one of the two stands there whole.
 */
export async function compact(
  disk: Disk,
  open: OpenFile,
  plan: CompactionPlan,
  keys: readonly string[],
): Promise<void> {
  assert(keys.length > 0 && keys.length <= keysMax, 'what goes leaves its keys');
  assert(plan.offset <= plan.length, 'what stays is a part of the file');
  const header = Buffer.from(encodeHeader(plan.compacted, keys));
  const temporary = join(dirname(open.path), `.${basename(open.path)}.compact.tmp`);
  // There is one writer, so what has this name was left by an earlier one.
  await removeTree(disk, temporary);
  const file = await disk.open(temporary, 'exclusive', 0o600);
  try {
    await fill(file, header, open.file, plan);
    await file.sync();
  } catch (error) {
    // A stale file does no harm, and what went wrong first is what the caller wants to know.
    await disk.unlink(temporary).catch(() => undefined);
    throw error;
  } finally {
    await file.close();
  }
  await disk.rename(temporary, open.path);
  await disk.syncDirectory(dirname(open.path));
}

/** To compact costs two syncs, and each message that arrives alone costs one: a thousandth of that is not noticed. */
const recordsMin = 1000;
/** What is copied at a time, so that the memory for it does not grow with the file. */
const copyBytes = 1024 * 1024;

async function fill(to: DiskFile, header: Buffer, from: DiskFile, plan: CompactionPlan): Promise<void> {
  assert(plan.offset <= plan.length, 'what stays is a part of the file');
  await writeFully(to, header);
  for (let position = plan.offset; position < plan.length; position += copyBytes) {
    await writeFully(to, await readRange(from, position, Math.min(plan.length, position + copyBytes)));
  }
  assert((await to.size()) === header.length + plan.length - plan.offset, 'all that stays is copied');
}
