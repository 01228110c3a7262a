import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { DeadLetters } from '../../src/actors/deadLetters.ts';
import { openMailbox } from '../../src/actors/mailbox.ts';
import { actorFiles, archivedFiles, moveMailbox } from '../../src/actors/moveMailbox.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { segmentFromId } from '../../src/model/id.ts';
import { failureOf } from '../support/failureOf.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { diskChanges, systemError, traceDisk } from '../support/tracingDisk.ts';
import { append, drain } from './mailboxPlace.ts';
import { idOf, message, otherPlan, plan } from './messages.ts';

/** A mailbox of three messages, the first of them handled, and a dead letter. */
async function makeUsed() {
  const root = await makeTemporaryDirectory();
  const [mailboxes, letters] = [join(root, 'mailboxes'), join(root, 'letters')];
  await mkdir(mailboxes);
  const mailbox = await openMailbox({ disk: nodeDisk, directory: mailboxes, actor: plan });
  await append(mailbox, 1, 3);
  await drain(mailbox, 1);
  await mailbox.close();
  const deadLetters = new DeadLetters(nodeDisk, letters);
  const reason = { code: 'message/crashed', message: 'boom' };
  const letter = { id: idOf(9), actor: plan, message: message(9), reason, at: '2026-01-02T03:04:05Z' };
  await deadLetters.add({ ...letter, attempts: 2, redelivered: 0, effects: {} });
  const files = (actor: typeof plan) => actorFiles(mailboxes, letters, actor);
  const move = (disk: Disk) => moveMailbox(disk, files(plan), files(otherPlan), otherPlan);
  const openAs = (actor: typeof plan) => openMailbox({ disk: nodeDisk, directory: mailboxes, actor });
  return { root, mailboxes, deadLetters, files, move, openAs };
}

test('a move interrupted by a crash at any change leaves one mailbox with its cursor, and a second move completes it', async () => {
  let changes = 0;
  const counted = await makeUsed();
  const counting = traceDisk(nodeDisk, (_n, name) => void (diskChanges.has(name) && changes++));
  await counted.move(counting);
  expect(changes).toBeGreaterThan(8);
  for (let at = 1; at <= changes; at++) {
    const { mailboxes, deadLetters, move, openAs } = await makeUsed();
    let seen = 0;
    const dying = traceDisk(nodeDisk, (_n, name) => {
      if (diskChanges.has(name) && ++seen >= at) throw systemError('EIO');
    });
    expect((await failureOf(() => move(dying))).code).toBe('disk/failed');
    const names = (await readdir(mailboxes)).filter((name) => name.endsWith('.jsonl'));
    expect(names).toHaveLength(1);
    for (const name of names) {
      const cursors = await readdir(mailboxes);
      expect(cursors).toContain(name.replace('.jsonl', '.cursor'));
    }
    await move(nodeDisk);
    const moved = await openAs(otherPlan);
    expect(moved.diagnostics).toEqual([]);
    expect(await drain(moved)).toEqual([2, 3]);
    await moved.close();
    expect((await deadLetters.list(otherPlan)).letters).toHaveLength(1);
    expect((await deadLetters.list(plan)).letters).toEqual([]);
    expect((await readdir(mailboxes)).filter((name) => !name.startsWith('.'))).toHaveLength(2);
  }
});

test('a mailbox that was moved stays moved when the power is cut, with nothing left under its earlier name', async () => {
  const { root, mailboxes, move } = await makeUsed();
  const disk = MemoryDisk.copyOf(root);
  await move(disk);
  for (let seed = 0; seed < 20; seed++) {
    const names = (await disk.afterPowerCut(seed).readDirectory(mailboxes)).map(({ name }) => name);
    const left = names.filter((name) => !name.startsWith('.')).sort();
    expect(left, `seed ${seed}`).toEqual(['.cursor', '.jsonl'].map((end) => `${segmentFromId(otherPlan)}${end}`));
  }
});

test('a move onto an existing mailbox is refused and changes nothing', async () => {
  const { move, openAs, files } = await makeUsed();
  await (await openAs(otherPlan)).close();
  expect(await failureOf(() => move(nodeDisk))).toMatchObject({ code: 'actor/exists', file: files(otherPlan).mailbox });
  const mailbox = await openAs(plan);
  expect(await drain(mailbox)).toEqual([2, 3]);
  await mailbox.close();
});

test('a move of a missing mailbox does nothing', async () => {
  const { files } = await makeUsed();
  await moveMailbox(nodeDisk, files(otherPlan), archivedFiles(join(files(plan).letters, 'away')), otherPlan);
  await moveMailbox(nodeDisk, { ...files(otherPlan), letters: '/nowhere/at/all' }, files(otherPlan), plan).then(
    () => expect.unreachable(),
    (error: Error) => expect(error.message).toContain('another place'),
  );
});

test('a move into an archive uses plain names, and is refused if the archive is in use', async () => {
  const { root, files } = await makeUsed();
  const archive = join(root, 'archive', 'demo');
  await moveMailbox(nodeDisk, files(plan), archivedFiles(archive), plan);
  expect((await readdir(archive)).sort()).toEqual(['dead-letters', 'mailbox.cursor', 'mailbox.jsonl']);
  await writeFile(files(plan).mailbox, '');
  expect(await failureOf(() => moveMailbox(nodeDisk, files(plan), archivedFiles(archive), plan))).toMatchObject({
    code: 'actor/exists',
  });
});
