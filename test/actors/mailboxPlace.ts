import { writeFile } from 'node:fs/promises';
import type { InFlightMessage } from '../../src/actors/inFlightMessage.ts';
import { type Mailbox, type MailboxPaths, mailboxPaths, openMailbox } from '../../src/actors/mailbox.ts';
import { closeLine, encodeRecord } from '../../src/actors/record.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { message, numberOf, plan } from './messages.ts';

/** A folder for the mailbox of one actor, which can be opened repeatedly. */
export async function makeMailboxFiles(disk: Disk = nodeDisk) {
  const directory = await makeTemporaryDirectory();
  const paths = mailboxPaths(directory, plan);
  return { directory, paths, open: (other: Disk = disk) => openMailbox({ disk: other, directory, actor: plan }) };
}

export function describeInFlight(inFlight: InFlightMessage | undefined): string {
  if (inFlight === undefined) return 'nothing';
  const { content, seq, started, threw } = inFlight;
  const n = content.kind === 'message' ? numberOf(content.message.id) : content.kind;
  return `${seq}: ${n}, attempt ${started}, threw ${threw}`;
}

/** Handles every waiting message; returns their numbers. */
export async function drain(mailbox: Mailbox, max = Number.POSITIVE_INFINITY): Promise<number[]> {
  const handled: number[] = [];
  while (handled.length < max) {
    const inFlight = await mailbox.next();
    if (inFlight === undefined) break;
    if (inFlight.content.kind === 'message') handled.push(numberOf(inFlight.content.message.id));
    await mailbox.complete();
    await mailbox.compactIfDue();
  }
  return handled;
}

export async function append(mailbox: Mailbox, from: number, to: number): Promise<number[]> {
  return Promise.all(range(from, to).map((n) => mailbox.append(message(n))));
}

export function range(from: number, to: number): number[] {
  return Array.from({ length: to - from + 1 }, (_, n) => from + n);
}

/** Writes a mailbox of `count` handled messages. */
export async function fillProcessed(paths: MailboxPaths, count: number): Promise<void> {
  const text = range(1, count)
    .map((n) => encodeRecord(n, message(n)))
    .join('');
  await writeFile(paths.mailbox, text);
  await writeFile(paths.cursor, formatCursor({ seq: count + 1, offset: Buffer.byteLength(text) }));
}

/** The text of a cursor file. */
export function formatCursor(fields: object): string {
  return closeLine(JSON.stringify({ actor: plan, started: 0, threw: 0, effects: {}, ...fields }).slice(0, -1));
}

export function isMailboxWrite(name: string, path: string): boolean {
  return name === 'file.write' && path.endsWith('.jsonl');
}
