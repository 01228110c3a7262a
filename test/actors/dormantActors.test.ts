import { appendFile, mkdir, readFile, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DeadLetters } from '../../src/actors/deadLetters.ts';
import { type DormantParts, listDormant } from '../../src/actors/dormantActors.ts';
import { mailboxPaths, openMailbox } from '../../src/actors/mailbox.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { listTree } from '../support/listTree.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { diskChanges, traceDisk } from '../support/tracingDisk.ts';
import { drain } from './mailboxPlace.ts';
import { idOf, message, otherPlan, plan } from './messages.ts';

interface Place {
  readonly parts: DormantParts;
  readonly mailboxes: string;
  readonly deadLetters: string;
  /** Sends `sent` messages and handles some of them, as an owner did that is gone. */
  leave(sent: number, handled: number): Promise<void>;
}

async function makeMailboxFiles(crashes: readonly number[] = []): Promise<Place> {
  const root = await makeTemporaryDirectory();
  const mailboxes = join(root, 'mailboxes');
  const deadLetters = join(root, 'dead-letters');
  const disk = traceDisk(nodeDisk, (_n, name) => {
    if (diskChanges.has(name)) throw new Error(`a look changes nothing: ${name}`);
  });
  return {
    mailboxes,
    deadLetters,
    parts: {
      ...{ disk, mailboxes, deadLetters },
      limits: { crashes: 3, crashWindowMs: 60_000 },
      crashTimes: { load: async () => crashes },
    },
    async leave(sent, handled) {
      await mkdir(mailboxes, { recursive: true });
      const mailbox = await openMailbox({ disk: nodeDisk, directory: mailboxes, actor: plan });
      for (let n = 1; n <= sent; n++) await mailbox.append(message(n));
      await drain(mailbox, handled);
      await mailbox.close();
    },
  };
}

test('a vault in which no message was ever sent has no resting actors', async () => {
  expect(await listDormant((await makeMailboxFiles()).parts)).toEqual([]);
});

test('waiting messages are counted and handled ones are not, without a change on disk', async () => {
  const { parts, leave, mailboxes } = await makeMailboxFiles();
  await leave(5, 2);
  const before = listTree(mailboxes);
  expect(await listDormant(parts)).toEqual([{ actor: plan, state: { kind: 'dormant' }, waiting: 3, deadLetters: 0 }]);
  expect(listTree(mailboxes)).toEqual(before);
});

test('an actor that has handled everything is not listed', async () => {
  const { parts, leave } = await makeMailboxFiles();
  await leave(3, 3);
  expect(await listDormant(parts)).toEqual([]);
});

test('a compacted mailbox counts nothing twice, and one without cursor counts all it holds', async () => {
  const { parts, leave, mailboxes } = await makeMailboxFiles();
  await leave(1200, 1100);
  expect(await listDormant(parts)).toMatchObject([{ waiting: 100 }]);
  const { cursor } = mailboxPaths(mailboxes, plan);
  await writeFile(cursor, '');
  // Without its cursor, every message still in the mailbox comes again.
  const text = await readFile(mailboxPaths(mailboxes, plan).mailbox, 'utf8');
  const records = text.split('\n').filter((line) => line.startsWith('{"seq"')).length;
  expect(await listDormant(parts)).toMatchObject([{ waiting: records }]);
});

test('a torn last line is not counted and stays in the file', async () => {
  const { parts, leave, mailboxes } = await makeMailboxFiles();
  await leave(2, 1);
  const { mailbox } = mailboxPaths(mailboxes, plan);
  await appendFile(mailbox, '{"seq":3,');
  expect(await listDormant(parts)).toMatchObject([{ waiting: 1 }]);
  expect((await readFile(mailbox, 'utf8')).endsWith('{"seq":3,')).toBe(true);
});

describe('a resting actor is faulted', () => {
  test('if its crashes used up the budget', async () => {
    const { parts, leave } = await makeMailboxFiles([1, 2, 3]);
    await leave(1, 0);
    expect(await listDormant(parts)).toMatchObject([
      { waiting: 1, state: { kind: 'faulted', fault: { code: 'actor/faulted', subject: plan } } },
    ]);
  });

  test('if its mailbox is damaged', async () => {
    const { parts, leave, mailboxes } = await makeMailboxFiles();
    await leave(2, 0);
    const { mailbox } = mailboxPaths(mailboxes, plan);
    await truncate(mailbox, 40);
    await appendFile(mailbox, '\n');
    expect(await listDormant(parts)).toMatchObject([
      { actor: plan, state: { kind: 'faulted', fault: { code: 'mailbox/corrupt' } } },
    ]);
  });
});

test('dead letters are counted, even for an actor with nothing else', async () => {
  const { parts, leave, deadLetters } = await makeMailboxFiles();
  await leave(1, 0);
  const letters = new DeadLetters(nodeDisk, deadLetters);
  for (const [n, actor] of [plan, otherPlan, otherPlan].entries()) {
    const reason = { code: 'message/crashed', message: 'It crashed.' };
    const given = { attempts: 2, redelivered: 0, effects: {}, at: '2026-01-02T03:04:05Z' };
    await letters.add({ id: idOf(n), actor, message: { ...message(n, actor) }, reason, ...given });
  }
  expect(await listDormant(parts)).toMatchObject([
    { actor: plan, waiting: 1, deadLetters: 1 },
    { actor: otherPlan, state: { kind: 'dormant' }, waiting: 0, deadLetters: 2 },
  ]);
});
