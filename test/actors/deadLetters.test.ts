import { mkdir, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type DeadLetter, deadLettersOf, openDeadLetters } from '../../src/actors/deadLetters.ts';
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

async function makeOffice() {
  const directory = await makeTemporaryDirectory();
  return { directory, office: openDeadLetters(nodeDisk, join(directory, 'letters')) };
}

test('letters are listed by actor and id, and removed one by one', async () => {
  const { office } = await makeOffice();
  expect(await office.list()).toEqual({ letters: [], diagnostics: [] });
  for (const letter of [makeDeadLetter(2), makeDeadLetter(1), makeDeadLetter(3, otherPlan)]) await office.write(letter);
  expect((await office.list()).letters).toEqual([makeDeadLetter(1), makeDeadLetter(2), makeDeadLetter(3, otherPlan)]);
  expect((await office.list(otherPlan)).letters).toEqual([makeDeadLetter(3, otherPlan)]);
  await office.remove(makeDeadLetter(1));
  await office.remove(makeDeadLetter(1));
  expect(await office.ids()).toEqual(
    new Map([
      [segmentFromId(plan), new Set([idOf(2)])],
      [segmentFromId(otherPlan), new Set([idOf(3)])],
    ]),
  );
});

test('writing a letter again replaces it', async () => {
  const { office } = await makeOffice();
  await office.write(makeDeadLetter(1));
  await office.write({ ...makeDeadLetter(1), redelivered: 1 });
  expect((await office.list()).letters).toEqual([{ ...makeDeadLetter(1), redelivered: 1 }]);
});

test('an unreadable letter is reported and kept', async () => {
  const { directory, office } = await makeOffice();
  await office.write(makeDeadLetter(1));
  const folder = deadLettersOf(join(directory, 'letters'), plan);
  await writeFile(join(folder, `${idOf(2)}.json`), 'half');
  await writeFile(join(folder, `.${idOf(3)}.json.abc.tmp`), 'half');
  await mkdir(join(directory, 'letters', 'empty'));
  const { letters, diagnostics } = await office.list();
  expect(letters).toEqual([makeDeadLetter(1)]);
  expect(diagnostics).toMatchObject([{ code: 'message/unreadable', file: join(folder, `${idOf(2)}.json`) }]);
  expect(await readdir(folder)).toHaveLength(3);
});

test('written and removed letters are synced, and a denied removal is an error', async () => {
  const { directory } = await makeOffice();
  const steps: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name) => void steps.push(name));
  const office = openDeadLetters(disk, join(directory, 'letters'));
  await office.write(makeDeadLetter(1));
  expect(steps).toEqual(expect.arrayContaining(['file.write', 'file.sync', 'rename']));
  expect(steps.at(-1)).toBe('syncDirectory');
  steps.length = 0;
  await office.remove(makeDeadLetter(1));
  expect(steps).toEqual(['unlink', 'syncDirectory']);
  const failing = openDeadLetters(failingDisk(nodeDisk, { code: 'EACCES', at: 1 }), join(directory, 'letters'));
  expect(await failureOf(() => failing.remove(makeDeadLetter(1)))).toMatchObject({ code: 'disk/denied' });
});
