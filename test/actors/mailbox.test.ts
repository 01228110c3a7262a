import { appendFile, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Mailbox, mailboxPaths, openMailbox } from '../../src/actors/mailbox.ts';
import { windowRecordsMax } from '../../src/actors/pendingWindow.ts';
import type { Taken } from '../../src/actors/taken.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { mailboxMessagesMax, messageBytesMax, messageDepthMax } from '../../src/model/message.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, shortWritingDisk, traceDisk } from '../support/tracingDisk.ts';
import { idOf, message, numberOf, plan } from './messages.ts';

async function makePlace(disk: Disk = nodeDisk) {
  const directory = await makeTemporaryDirectory();
  const paths = mailboxPaths(directory, plan);
  return { directory, paths, open: (other: Disk = disk) => openMailbox({ disk: other, directory, actor: plan }) };
}

function describeTaken(taken: Taken | undefined): string {
  if (taken === undefined) return 'nothing';
  const { content, seq, started, threw } = taken;
  const n = content.kind === 'message' ? numberOf(content.message.id) : content.kind;
  return `${seq}: ${n}, attempt ${started}, threw ${threw}`;
}

/** Handles everything that waits; returns the numbers of the messages. */
async function drain(mailbox: Mailbox, max = Number.POSITIVE_INFINITY): Promise<number[]> {
  const handled: number[] = [];
  while (handled.length < max) {
    const taken = await mailbox.take();
    if (taken === undefined) break;
    if (taken.content.kind === 'message') handled.push(numberOf(taken.content.message.id));
    await mailbox.complete();
    await mailbox.compactIfDue();
  }
  return handled;
}

async function append(mailbox: Mailbox, from: number, to: number): Promise<number[]> {
  const seqs: Promise<number>[] = [];
  for (let n = from; n <= to; n++) seqs.push(mailbox.append(message(n)));
  return Promise.all(seqs);
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

describe('a mailbox', () => {
  test('gives what was appended, in order, once, also to the next process', async () => {
    const { open } = await makePlace();
    const mailbox = await open();
    expect(await append(mailbox, 1, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(await drain(mailbox, 2)).toEqual([1, 2]);
    await mailbox.close();
    const again = await open();
    expect(again.diagnostics).toEqual([]);
    expect(again.waiting).toBe(3);
    expect(await append(again, 6, 6)).toEqual([6]);
    expect(await drain(again)).toEqual([3, 4, 5, 6]);
    expect(await again.take()).toBeUndefined();
    await again.close();
  });

  test('compacts, and numbers go on', async () => {
    const { open, paths } = await makePlace();
    const mailbox = await open();
    await append(mailbox, 1, 1100);
    expect(await drain(mailbox, 1050)).toEqual(range(1, 1050));
    const lines = (await readFile(paths.mailbox, 'utf8')).split('\n');
    expect(lines.length).toBeLessThan(120);
    expect(lines[0]).toMatch(/^\{"compacted":1000,"ids":\["01HZY0{20}1",/);
    expect(await append(mailbox, 1101, 1101)).toEqual([1101]);
    await mailbox.close();
    const again = await open();
    expect(again.diagnostics).toEqual([]);
    expect(await drain(again)).toEqual(range(1051, 1101));
    expect(await again.append(message(3), { isRepeat: true })).toBe(3);
    expect(await again.append(message(1090), { isRepeat: true })).toBe(1090);
    expect(await again.append(message(1102), { isRepeat: true })).toBe(1102);
    await again.close();
  });
});
void [
  appendFile,
  readdir,
  writeFile,
  join,
  failureOf,
  failingDisk,
  shortWritingDisk,
  traceDisk,
  idOf,
  windowRecordsMax,
  messageBytesMax,
  mailboxMessagesMax,
  messageDepthMax,
  describeTaken,
];
