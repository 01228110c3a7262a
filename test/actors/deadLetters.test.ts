import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DeadLetter, DeadLetters, deadLettersOf } from '../../src/actors/deadLetters.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type QualifiedId, segmentFromId } from '../../src/model/id.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';
import { idOf, message, otherPlan, plan } from './messages.ts';

function makeDeadLetter(n: number, actor: QualifiedId = plan): DeadLetter {
  return {
    id: idOf(n),
    actor,
    message: message(n, actor),
    reason: { code: 'message/crashed', message: 'boom' },
    at: '2026-01-02T03:04:05Z',
    attempts: 2,
    redelivered: 0,
    effects: { 0: 'made' },
  };
}

async function makeDeadLetters() {
  const directory = await makeTemporaryDirectory();
  return { directory, letters: new DeadLetters(nodeDisk, join(directory, 'letters')) };
}

test('letters are listed by actor and id, and removed one by one', async () => {
  const { letters } = await makeDeadLetters();
  expect(await letters.list()).toEqual({ letters: [], diagnostics: [] });
  for (const letter of [makeDeadLetter(2), makeDeadLetter(1), makeDeadLetter(3, otherPlan)]) await letters.add(letter);
  expect((await letters.list()).letters).toEqual([makeDeadLetter(1), makeDeadLetter(2), makeDeadLetter(3, otherPlan)]);
  expect((await letters.list(otherPlan)).letters).toEqual([makeDeadLetter(3, otherPlan)]);
  await letters.remove(makeDeadLetter(1));
  await letters.remove(makeDeadLetter(1));
  expect(await letters.ids()).toEqual(
    new Map([
      [segmentFromId(plan), new Set([idOf(2)])],
      [segmentFromId(otherPlan), new Set([idOf(3)])],
    ]),
  );
});

test('writing a letter again replaces it', async () => {
  const { letters } = await makeDeadLetters();
  await letters.add(makeDeadLetter(1));
  await letters.add({ ...makeDeadLetter(1), redelivered: 1 });
  expect((await letters.list()).letters).toEqual([{ ...makeDeadLetter(1), redelivered: 1 }]);
});

test('an unreadable letter is reported and kept', async () => {
  const { directory, letters } = await makeDeadLetters();
  await letters.add(makeDeadLetter(1));
  const folder = deadLettersOf(join(directory, 'letters'), plan);
  await writeFile(join(folder, `${idOf(2)}.json`), 'half');
  await writeFile(join(folder, `.${idOf(3)}.json.abc.tmp`), 'half');
  await mkdir(join(directory, 'letters', 'empty'));
  const found = await letters.list();
  expect(found.letters).toEqual([makeDeadLetter(1)]);
  expect(found.diagnostics).toMatchObject([{ code: 'message/unreadable', file: join(folder, `${idOf(2)}.json`) }]);
  expect(await readdir(folder)).toHaveLength(3);
});

test('written and removed letters are synced, and a denied removal is an error', async () => {
  const { directory } = await makeDeadLetters();
  const steps: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name) => void steps.push(name));
  const letters = new DeadLetters(disk, join(directory, 'letters'));
  await letters.add(makeDeadLetter(1));
  expect(steps).toEqual(expect.arrayContaining(['file.write', 'file.sync', 'rename']));
  expect(steps.at(-1)).toBe('syncDirectory');
  steps.length = 0;
  await letters.remove(makeDeadLetter(1));
  expect(steps).toEqual(['unlink', 'syncDirectory']);
  const failing = new DeadLetters(failingDisk(nodeDisk, { code: 'EACCES', at: 1 }), join(directory, 'letters'));
  expect(await failureOf(() => failing.remove(makeDeadLetter(1)))).toMatchObject({ code: 'disk/denied' });
});

test('letters are counted as they are added and removed, without reading the disk', async () => {
  const disk = traceDisk(nodeDisk, () => undefined);
  const directory = join(await makeTemporaryDirectory(), 'letters');
  const letters = new DeadLetters(disk, directory);
  await letters.count();
  for (const letter of [makeDeadLetter(1), makeDeadLetter(1), makeDeadLetter(2), makeDeadLetter(3, otherPlan)])
    await letters.add(letter);
  const before = disk.operationCount();
  expect([letters.countOf(plan), letters.countOf(otherPlan)]).toEqual([2, 1]);
  expect(letters.actors()).toEqual([plan, otherPlan]);
  expect(disk.operationCount()).toBe(before);
  await letters.remove(makeDeadLetter(3, otherPlan));
  expect(letters.countOf(otherPlan)).toBe(0);
  expect(letters.actors()).toEqual([plan]);
  const next = new DeadLetters(nodeDisk, directory);
  await next.count();
  expect([next.countOf(plan), next.countOf(otherPlan)]).toEqual([2, 0]);
});

test('a letter is found by its id alone', async () => {
  const letters = new DeadLetters(nodeDisk, join(await makeTemporaryDirectory(), 'letters'));
  await letters.add(makeDeadLetter(1, otherPlan));
  expect(await letters.find(idOf(1))).toEqual(makeDeadLetter(1, otherPlan));
  expect(await failureOf(() => letters.find(idOf(2)))).toMatchObject({
    code: 'message/noDeadLetter',
    subject: idOf(2),
  });
});

test('readdress gives letters that moved the id of their new actor', async () => {
  const directory = join(await makeTemporaryDirectory(), 'letters');
  const letters = new DeadLetters(nodeDisk, directory);
  await letters.add(makeDeadLetter(1));
  await nodeDisk.rename(deadLettersOf(directory, plan), deadLettersOf(directory, otherPlan));
  await letters.count();
  await letters.readdress(otherPlan);
  expect((await letters.list(otherPlan)).letters).toEqual([{ ...makeDeadLetter(1), actor: otherPlan }]);
  expect([letters.countOf(plan), letters.countOf(otherPlan)]).toEqual([0, 1]);
});
