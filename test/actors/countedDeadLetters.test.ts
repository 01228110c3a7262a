import { join } from 'node:path';
import { expect, test } from 'vitest';
import { CountedDeadLetters } from '../../src/actors/countedDeadLetters.ts';
import { type DeadLetter, deadLettersOf } from '../../src/actors/deadLetters.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { QualifiedId } from '../../src/model/id.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { idOf, message, otherPlan, plan } from './messages.ts';

function makeDeadLetter(n: number, actor: QualifiedId = plan): DeadLetter {
  const reason = { code: 'message/crashed', message: 'boom' } as const;
  const at = '2026-01-02T03:04:05Z';
  return { id: idOf(n), actor, message: message(n, actor), reason, at, attempts: 2, redelivered: 0, effects: {} };
}

test('letters are counted as they are added and removed, without reading the disk', async () => {
  const disk = traceDisk(nodeDisk, () => undefined);
  const directory = join(await makeTemporaryDirectory(), 'letters');
  const letters = new CountedDeadLetters(disk, directory);
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
  const next = new CountedDeadLetters(nodeDisk, directory);
  await next.count();
  expect([next.countOf(plan), next.countOf(otherPlan)]).toEqual([2, 0]);
});

test('a letter is found by its id alone', async () => {
  const letters = new CountedDeadLetters(nodeDisk, join(await makeTemporaryDirectory(), 'letters'));
  await letters.add(makeDeadLetter(1, otherPlan));
  expect(await letters.find(idOf(1))).toEqual(makeDeadLetter(1, otherPlan));
  expect(await failureOf(() => letters.find(idOf(2)))).toMatchObject({
    code: 'message/noDeadLetter',
    subject: idOf(2),
  });
});

test('readdress gives letters that moved the id of their new actor', async () => {
  const directory = join(await makeTemporaryDirectory(), 'letters');
  const letters = new CountedDeadLetters(nodeDisk, directory);
  await letters.add(makeDeadLetter(1));
  await nodeDisk.rename(deadLettersOf(directory, plan), deadLettersOf(directory, otherPlan));
  await letters.count();
  await letters.readdress(otherPlan);
  expect((await letters.list(otherPlan)).letters).toEqual([{ ...makeDeadLetter(1), actor: otherPlan }]);
  expect([letters.countOf(plan), letters.countOf(otherPlan)]).toEqual([0, 1]);
});
