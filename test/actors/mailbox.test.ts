import { open as openFile, readFile, rm } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { seal } from '../../src/actors/envelope.ts';
import { windowRecordsMax } from '../../src/actors/pendingWindow.ts';
import { encodeRecord } from '../../src/actors/record.ts';
import { createDeferred } from '../../src/base/async.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { mailboxMessagesMax, messageBytesMax, messageDepthMax } from '../../src/model/message.ts';
import { failureOf } from '../support/failureOf.ts';
import { ManualClock } from '../support/manualClock.ts';
import { diskChanges, traceDisk } from '../support/tracingDisk.ts';
import { append, describeInFlight, drain, fillProcessed, makeMailboxFiles, range } from './mailboxPlace.ts';
import { idOf, message, newMessage, plan } from './messages.ts';

describe('a mailbox', () => {
  test('returns messages in order and once, even to the next process', async () => {
    const { open } = await makeMailboxFiles();
    const mailbox = await open();
    expect(await append(mailbox, 1, 5)).toEqual([1, 2, 3, 4, 5]);
    expect(await drain(mailbox, 2)).toEqual([1, 2]);
    await mailbox.close();
    const again = await open();
    expect(again.diagnostics).toEqual([]);
    expect(again.waiting).toBe(3);
    expect(await append(again, 6, 6)).toEqual([6]);
    expect(await drain(again)).toEqual([3, 4, 5, 6]);
    expect(await again.next()).toBeUndefined();
    await again.close();
  });

  test('compacts after a thousand handled messages and keeps counting', async () => {
    const { open, paths } = await makeMailboxFiles();
    const mailbox = await open();
    await append(mailbox, 1, 1100);
    expect(await drain(mailbox, 1050)).toEqual(range(1, 1050));
    const lines = (await readFile(paths.mailbox, 'utf8')).split('\n');
    expect(lines).toHaveLength(102);
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

  test('compacts in an order that a crash can interrupt: clear the hint, then file, name and folder, then set the hint', async () => {
    const { open, paths } = await makeMailboxFiles();
    await fillProcessed(paths, 1200);
    const steps: string[] = [];
    const disk = traceDisk(nodeDisk, async (_n, name, path) => {
      if (!diskChanges.has(name)) return;
      const { offset } = JSON.parse(await readFile(paths.cursor, 'utf8'));
      const file = path.includes('.cursor') ? 'cursor' : path.includes('compact') ? 'new' : 'folder';
      steps.push(`${file} ${name}${offset === null ? ', no hint' : ''}`);
    });
    const mailbox = await open(disk);
    await mailbox.compactIfDue();
    await mailbox.close();
    const cursor = ['file.write', 'file.sync', 'rename'].map((name) => `cursor ${name}`);
    expect(steps).toEqual([
      ...cursor,
      'folder syncDirectory, no hint',
      ...['new file.write', 'new file.sync', 'new rename', 'folder syncDirectory'].map((step) => `${step}, no hint`),
      ...cursor.map((step) => `${step}, no hint`),
      'folder syncDirectory',
    ]);
  });

  test('keeps the order of sending, whatever the clock says', async () => {
    const { open } = await makeMailboxFiles();
    const clock = new ManualClock();
    const mailbox = await open();
    for (const n of range(1, 5)) {
      await mailbox.append(seal(newMessage(n), clock));
      clock.jumpWall(-86_400_000);
    }
    expect(await drain(mailbox)).toEqual([1, 2, 3, 4, 5]);
    await mailbox.close();
  });
});

describe('a mailbox on disk', () => {
  test('accepts a message after writing it, and one write serves all that arrived in the meantime', async () => {
    const gates = [createDeferred<void>(), createDeferred<void>()];
    const reached = createDeferred<void>();
    let writes = 0;
    const disk = traceDisk(nodeDisk, async (_n, name, path) => {
      if (name !== 'file.write' || !path.endsWith('.jsonl')) return;
      reached.resolve();
      await gates[writes++]?.promise;
    });
    const { open, paths } = await makeMailboxFiles(disk);
    const mailbox = await open();
    const accepted: number[] = [];
    const first = mailbox.append(message(1)).then((seq) => accepted.push(seq));
    await reached.promise;
    const others = [2, 3, 4].map((n) => mailbox.append(message(n)).then((seq) => accepted.push(seq)));
    expect(await mailbox.next()).toBeUndefined();
    expect([accepted, await readFile(paths.mailbox, 'utf8')]).toEqual([[], '']);
    gates[0]?.resolve();
    await first;
    gates[1]?.resolve();
    await Promise.all(others);
    expect([accepted, writes]).toEqual([[1, 2, 3, 4], 2]);
    await mailbox.close();
  });

  test('uses a file whose writes are durable', async () => {
    const modes: string[] = [];
    const open: Disk['open'] = (path, mode, permissions) => {
      if (path.endsWith('.jsonl')) modes.push(mode);
      return nodeDisk.open(path, mode, permissions);
    };
    const place = await makeMailboxFiles({ ...nodeDisk, open });
    await (await place.open()).close();
    expect(modes).toEqual(['appendDurably']);
  });

  test('syncs its folder before the first write when its file is gone and its cursor is not', async () => {
    const { open, paths } = await makeMailboxFiles();
    await (await open()).close();
    await rm(paths.mailbox);
    const steps: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name) => {
      if (diskChanges.has(name)) steps.push(name);
    });
    const mailbox = await open(disk);
    await append(mailbox, 1, 1);
    expect(steps).toEqual(['syncDirectory', 'file.write']);
    await mailbox.close();
  });

  test('has lines with their number first and their checksum last', async () => {
    const { open, paths } = await makeMailboxFiles();
    const mailbox = await open();
    await append(mailbox, 1, 1);
    await mailbox.close();
    const line = /^\{"seq":1,"id":"01HZY0{20}1","type":"note",.*,"crc":"[0-9a-f]{8}"\}\n$/;
    expect(await readFile(paths.mailbox, 'utf8')).toMatch(line);
  });

  test('notes an attempt before handing out the message, and moves on after it', async () => {
    const { open, paths } = await makeMailboxFiles();
    const mailbox = await open();
    await append(mailbox, 1, 2);
    const cursor = async () => JSON.parse(await readFile(paths.cursor, 'utf8'));
    const inFlight = await mailbox.next();
    expect(await cursor()).toMatchObject({ actor: plan, seq: 1, offset: 0, started: 1, threw: 0, effects: {} });
    if (inFlight !== undefined) await mailbox.record(inFlight, 2, { said: 'yes' });
    expect(await cursor()).toMatchObject({ seq: 1, effects: { 2: { said: 'yes' } } });
    await mailbox.fail();
    expect(await cursor()).toMatchObject({ seq: 1, started: 1, threw: 1 });
    expect(describeInFlight(await mailbox.next())).toBe('1: 1, attempt 2, threw 1');
    expect(mailbox.effects).toEqual({ 2: { said: 'yes' } });
    await mailbox.complete();
    expect(await cursor()).toMatchObject({ seq: 2, started: 1, threw: 0, effects: {} });
    expect(describeInFlight(await mailbox.next())).toBe('2: 2, attempt 1, threw 0');
    await mailbox.close();
    expect(await cursor()).toMatchObject({ seq: 2, started: 0, threw: 0 });
  });
});

describe('the limits of a mailbox', () => {
  test('refuse a message that is too long or too deep before it is written', async () => {
    const { open, paths } = await makeMailboxFiles();
    const mailbox = await open();
    const empty = Buffer.byteLength(encodeRecord(1, message(1, plan, '')));
    const letters = Math.floor((messageBytesMax - empty) / 2);
    expect(await mailbox.append(message(1, plan, 'ä'.repeat(letters)))).toBe(1);
    const long = message(2, plan, 'ä'.repeat(letters + 1));
    expect(await failureOf(() => mailbox.append(long))).toMatchObject({ code: 'message/tooLong' });
    const deep = { ...message(3), depth: messageDepthMax + 1 };
    expect(await failureOf(() => mailbox.append(deep))).toMatchObject({ code: 'message/tooDeep' });
    expect(await mailbox.append({ ...message(4), depth: messageDepthMax })).toBe(2);
    expect((await readFile(paths.mailbox, 'utf8')).split('\n')).toHaveLength(3);
    await mailbox.close();
  });

  test('let a hundred thousand messages wait, with at most a window of them in memory', async () => {
    const { open, paths } = await makeMailboxFiles();
    await (await open()).close();
    const file = await openFile(paths.mailbox, 'a');
    for (let from = 1; from < mailboxMessagesMax; from += 10_000) {
      const to = Math.min(from + 9_999, mailboxMessagesMax - 1);
      await file.write(
        range(from, to)
          .map((n) => encodeRecord(n, message(n)))
          .join(''),
      );
    }
    await file.close();
    const mailbox = await open();
    const [last, beyond] = await Promise.allSettled([mailbox.append(message(0)), mailbox.append(message(0))]);
    expect(last).toMatchObject({ status: 'fulfilled', value: mailboxMessagesMax });
    expect(beyond).toMatchObject({ status: 'rejected', reason: { code: 'mailbox/full' } });
    expect(mailbox.waiting).toBe(mailboxMessagesMax);
    for (const n of range(1, 300)) {
      expect(describeInFlight(await mailbox.next())).toBe(`${n}: ${n}, attempt 1, threw 0`);
      expect(mailbox.readAhead).toBeGreaterThan(0);
      expect(mailbox.readAhead).toBeLessThanOrEqual(windowRecordsMax);
      await mailbox.complete();
    }
    expect(await mailbox.append(message(0))).toBe(mailboxMessagesMax + 1);
    await mailbox.close();
  });

  test('read fewer large messages ahead', async () => {
    const { open } = await makeMailboxFiles();
    const mailbox = await open();
    const text = 'x'.repeat(1_000_000);
    await Promise.all(range(1, 20).map((n) => mailbox.append(message(n, plan, text))));
    await mailbox.next();
    expect(mailbox.readAhead).toBeLessThanOrEqual(6);
    expect(await drain(mailbox)).toEqual(range(1, 20));
    await mailbox.close();
  });
});

describe('sending a message again', () => {
  test('appends it only if it is not there, even while another send is under way', async () => {
    const { open } = await makeMailboxFiles();
    const mailbox = await open();
    const both = [mailbox.append(message(1)), mailbox.append(message(1), { isRepeat: true })];
    expect(await Promise.all(both)).toEqual([1, 1]);
    expect(await mailbox.append(message(2), { isRepeat: true })).toBe(2);
    expect(await mailbox.append(message(2), { isRepeat: true })).toBe(2);
    const repeats = [5, 5, 5].map((n) => mailbox.append(message(n), { isRepeat: true }));
    expect(await Promise.all(repeats)).toEqual([3, 3, 3]);
    // Only an id counts, not a text that looks like one.
    await mailbox.append(message(4, plan, `,"id":"${idOf(3)}",`));
    expect(await mailbox.append(message(3), { isRepeat: true })).toBe(5);
    await mailbox.close();
  });

  test('as a redelivery adds it once more, with its effects', async () => {
    const { open } = await makeMailboxFiles();
    const mailbox = await open();
    await append(mailbox, 1, 1);
    await drain(mailbox);
    const redelivery = { count: 1, effects: { 0: 'sent' } };
    expect(await mailbox.append(message(1), { isRepeat: true, redelivery })).toBe(2);
    expect(await mailbox.append(message(1), { isRepeat: true, redelivery })).toBe(2);
    expect(await mailbox.next()).toMatchObject({ seq: 2, started: 1, redelivered: 1, effects: { 0: 'sent' } });
    await mailbox.close();
  });
});
