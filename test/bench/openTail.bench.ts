import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { saveCursor } from '../../src/actors/cursor.ts';
import { mailboxPaths, openMailbox } from '../../src/actors/mailbox.ts';
import { encodeRecord } from '../../src/actors/record.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { Message } from '../../src/model/message.ts';
import { type Bench, type BenchRow, measure, median, round, sized } from './bench.ts';

const actor = toQualifiedId('Demo/project-root');
const bytesWanted = sized(1024, 1) * 1024 * 1024;
const waiting = 10;
const rounds = sized(15, 2);

/** The time from opening a mailbox to its first message, compared with reading only the end of the file. */
async function run(): Promise<BenchRow> {
  const directory = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const { tail, bytes } = await fill(directory);
    const ours: number[] = [];
    const bare: number[] = [];
    for (let n = 0; n < rounds; n++) {
      bare.push(await measure(() => readTail(mailboxPaths(directory, actor).mailbox, tail, bytes)));
      ours.push(await measure(() => openAndTake(directory)));
    }
    return {
      id: 'open-tail',
      value: round(median(ours), 1),
      unit: 'ms to the first message',
      goal: '≤ 50',
      ok: median(ours) <= 50,
      limit: round(median(bare), 1),
      note: `a mailbox of ${Math.round(bytes / 2 ** 20)} MiB in which ${waiting} messages wait; the slowest of ${rounds} took ${round(Math.max(...ours), 1)} ms; the limit only reads the end of the file`,
    };
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

async function fill(directory: string): Promise<{ readonly tail: number; readonly bytes: number }> {
  const { mailbox, cursor } = mailboxPaths(directory, actor);
  const file = await open(mailbox, 'w');
  let [seq, bytes] = [0, 0];
  const write = async (count: number) => {
    const lines: string[] = [];
    for (let n = 0; n < count; n++) lines.push(encodeRecord(++seq, makeMessage(seq)));
    bytes += (await file.write(lines.join(''))).bytesWritten;
  };
  while (bytes < bytesWanted) await write(1_000);
  const tail = bytes;
  const next = seq + 1;
  await write(waiting);
  await file.sync();
  await file.close();
  await saveCursor(nodeDisk, cursor, { actor, seq: next, offset: tail, started: 0, threw: 0, effects: {} });
  return { tail, bytes: (await stat(mailbox)).size };
}

function makeMessage(n: number): Message {
  const id = `01HZY${String(n).padStart(21, '0')}` as Ulid;
  const envelope = { id, from: 'person', to: actor, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id } as const;
  return { ...envelope, type: 'note', text: 'a'.repeat(800) };
}

async function readTail(path: string, from: number, to: number): Promise<void> {
  const file = await open(path, 'r');
  await file.read(Buffer.alloc(to - from), 0, to - from, from);
  await file.close();
}

async function openAndTake(directory: string): Promise<void> {
  const mailbox = await openMailbox({ disk: nodeDisk, directory, actor });
  const taken = await mailbox.next();
  if (taken?.content.kind !== 'message' || mailbox.waiting !== waiting)
    throw new Error('the mailbox did not give its first waiting message');
  await mailbox.close();
}

export const benches: readonly Bench[] = [{ id: 'open-tail', run }];
