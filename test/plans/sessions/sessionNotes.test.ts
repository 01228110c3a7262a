import { describe, expect, onTestFinished, test } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import { ensureDirectory } from '../../../src/base/files.ts';
import { openJournal } from '../../../src/base/journal.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { Ulid } from '../../../src/model/id.ts';
import { callJournalPath } from '../../../src/plans/proposals/callJournal.ts';
import { hadNote, returnNotes, SessionNotes, withNotes } from '../../../src/plans/sessions/sessionNotes.ts';
import { FakeActors } from '../../support/fakeDelivery.ts';
import { demoPlan, makePlanWorld } from '../../support/planServices.ts';
import { diskChanges, failingDisk, traceDisk } from '../../support/tracingDisk.ts';

const session = '01S00000000000000000000000' as Ulid;
const idOf = (n: number) => `01M0000000000000000000000${n}` as Ulid;
const returnIdOf = (n: number) => `01R0000000000000000000000${n}` as Ulid;
const note = (n: number) => ({ id: idOf(n), at: '2026-01-02T03:04:05Z', text: `Mind the cat, ${n}.` });

/** An ended session with notes, of which its calls told some. */
async function makeEnded(left: readonly number[], told: readonly number[] = []) {
  const world = await makePlanWorld();
  const directory = world.layout.session(session);
  await ensureDirectory(nodeDisk, directory);
  const notes = await SessionNotes.open(nodeDisk, directory);
  for (const n of left) await notes.add(note(n), returnIdOf(n));
  await notes.close();
  const calls = await openJournal(nodeDisk, callJournalPath(directory));
  const record = { call: 'c', tool: 'x', args: {}, result: { text: 'ok', isError: false } };
  for (const n of told) await calls.append(withNotes(record, [note(n)]));
  await calls.close();
  const actors = new FakeActors();
  const giveBack = (disk: Disk = nodeDisk) =>
    returnNotes({ services: { disk, layout: world.layout }, actors }, demoPlan, session);
  return { world, directory, actors, giveBack };
}

test('notes are kept in order, and calls show which were told', async () => {
  const { directory } = await makeEnded([1, 2, 3]);
  const notes = await SessionNotes.open(nodeDisk, directory);
  onTestFinished(() => notes.close());
  expect([notes.has(idOf(2)), notes.has(idOf(4))]).toEqual([true, false]);
  const call = { call: 'c', tool: 'x', args: {}, result: { text: 'ok', isError: false } };
  expect(notes.undelivered([call]).map(({ id }) => id)).toEqual([idOf(1), idOf(2), idOf(3)]);
  expect(notes.undelivered([withNotes(call, [note(2)])]).map(({ id }) => id)).toEqual([idOf(1), idOf(3)]);
});

test('a session without notes has no notes file', async () => {
  const { directory } = await makeEnded([]);
  expect((await nodeDisk.readDirectory(directory)).map(({ name }) => name)).toEqual(['calls.jsonl']);
  expect(await hadNote(nodeDisk, directory, idOf(1))).toBe(false);
});

test.each(['open', 'file.write', 'file.sync'])(
  'a note that the disk refused at %s can be added again',
  async (operation) => {
    const { directory } = await makeEnded([1]);
    const matches = (name: string, path: string) => name === operation && path.endsWith('notes.jsonl');
    const notes = await SessionNotes.open(failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches }), directory);
    await expect(notes.add(note(2), returnIdOf(2))).rejects.toMatchObject({ code: 'disk/full' });
    expect(notes.has(idOf(2))).toBe(false);
    await notes.add(note(2), returnIdOf(2));
    await notes.close();
    const kept = await SessionNotes.open(nodeDisk, directory);
    onTestFinished(() => kept.close());
    expect(kept.undelivered([]).map(({ id }) => id)).toEqual([idOf(1), idOf(2)]);
  },
);

test('an ended session knows which notes it had', async () => {
  const { directory } = await makeEnded([1]);
  expect(await hadNote(nodeDisk, directory, idOf(1))).toBe(true);
  expect(await hadNote(nodeDisk, directory, idOf(2))).toBe(false);
});

describe('notes that an ended session was not told', () => {
  test('are sent to its plan as messages from the person', async () => {
    const { actors, giveBack } = await makeEnded([1, 2, 3], [2]);
    await giveBack();
    const common = { type: 'dispatch', from: 'person', to: demoPlan, reason: 'A note that no session was told' };
    expect(actors.sent).toEqual([
      { ...common, id: returnIdOf(1), body: 'Mind the cat, 1.' },
      { ...common, id: returnIdOf(3), body: 'Mind the cat, 3.' },
    ]);
  });

  test('are sent once', async () => {
    const { actors, giveBack } = await makeEnded([1]);
    await giveBack();
    actors.sent.length = 0;
    await giveBack();
    expect(actors.sent).toEqual([]);
  });

  test('are sent once even when sending was cut short at any change of the disk', async () => {
    let finished = false;
    let cut = 0;
    while (!finished) {
      cut++;
      const { actors, giveBack } = await makeEnded([1, 2]);
      let count = 0;
      const disk = traceDisk(nodeDisk, (_n, name) => {
        if (diskChanges.has(name) && ++count >= cut) throw new Error('the power is cut');
      });
      finished = await giveBack(disk).then(
        () => true,
        () => false,
      );
      await giveBack();
      expect(
        actors.sent.map(({ id }) => id),
        `cut ${cut}`,
      ).toEqual([returnIdOf(1), returnIdOf(2)]);
    }
    expect(cut).toBeGreaterThan(3);
  });
});
