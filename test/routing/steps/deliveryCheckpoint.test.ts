import { existsSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import type { Disk } from '../../../src/base/disk.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { Ulid } from '../../../src/model/id.ts';
import { RoutingHistory } from '../../../src/routing/history/routingHistory.ts';
import { DeliveryCheckpoint } from '../../../src/routing/steps/deliveryCheckpoint.ts';
import { VaultLayout } from '../../../src/vault/layout.ts';
import { decision } from '../../support/routingRecords.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const id = (n: number) => `01M${String(n).padStart(23, '0')}` as Ulid;
const ids = (from: number, to: number) => Array.from({ length: to - from + 1 }, (_, n) => id(from + n));

/** A vault and its successive owners. */
async function makeVault() {
  const layout = new VaultLayout(await makeTemporaryDirectory());
  await mkdir(layout.runtime);
  return {
    layout,
    mark: async () =>
      existsSync(layout.handedOver) ? JSON.parse(await readFile(layout.handedOver, 'utf8')) : undefined,
    async open(disk: Disk = nodeDisk) {
      const history = new RoutingHistory({ disk: nodeDisk, path: layout.routingHistory });
      const checkpoint = new DeliveryCheckpoint({ disk, layout, log: silentLogger, history });
      const decide = async (message: Ulid, to: string | undefined = 'Shop/project-root') => {
        checkpoint.begin(message);
        await history.append(decision(message, to === '' ? {} : { to }));
      };
      const stop = async () => {
        await checkpoint.stop();
        await history.stop();
      };
      return { checkpoint, history, decide, stop };
    },
  };
}

test('a handed-over message is not looked at again', async () => {
  const vault = await makeVault();
  const first = await vault.open();
  expect(await first.checkpoint.loadUndelivered()).toEqual([]);
  for (const message of ids(1, 3)) {
    await first.decide(message);
    first.checkpoint.done(message);
  }
  await first.stop();
  expect(await vault.mark()).toMatchObject({ message: id(3) });
  const second = await vault.open();
  expect(await second.checkpoint.loadUndelivered()).toEqual([]);
});

test('what lies before the mark is not read again', async () => {
  const vault = await makeVault();
  const first = await vault.open();
  await first.checkpoint.loadUndelivered();
  for (const message of ids(1, 3)) await first.decide(message);
  for (const message of ids(1, 2)) first.checkpoint.done(message);
  await first.stop();
  const bytes = await readFile(vault.layout.routingHistory);
  const at = bytes.indexOf(id(2));
  // As a disk has it that damaged what is old: code that goes by the mark does not notice.
  await writeFile(vault.layout.routingHistory, Buffer.concat([Buffer.alloc(at - 40, 'x'), bytes.subarray(at - 40)]));
  const second = await vault.open();
  expect(await second.checkpoint.loadUndelivered()).toEqual([id(3)]);
});

test.each([
  ['another message is at its place', { segment: 1, offset: 0, length: 1 }],
  ['its place is behind the end', { segment: 1, offset: 1_000_000, length: 1 }],
  ['its file is gone', { segment: 7, offset: 0, length: 1 }],
  ['its place is malformed', { segment: 'x' }],
])('the mark is looked for if %s', async (_what, at) => {
  const vault = await makeVault();
  const first = await vault.open();
  await first.checkpoint.loadUndelivered();
  for (const message of ids(1, 3)) await first.decide(message);
  for (const message of ids(1, 2)) first.checkpoint.done(message);
  await first.stop();
  await writeFile(vault.layout.handedOver, JSON.stringify({ message: id(2), at }));
  const second = await vault.open();
  expect(await second.checkpoint.loadUndelivered()).toEqual([id(3)]);
});

test('decisions not handed over are open for the next owner, with all later ones, oldest first', async () => {
  const vault = await makeVault();
  const first = await vault.open();
  await first.checkpoint.loadUndelivered();
  for (const message of ids(1, 5)) await first.decide(message);
  for (const n of [1, 2, 4]) first.checkpoint.done(id(n));
  expect(ids(1, 5).map((message) => first.checkpoint.isOpen(message))).toEqual([false, false, true, false, true]);
  await first.stop();
  const second = await vault.open();
  expect(await second.checkpoint.loadUndelivered()).toEqual(ids(3, 5));
  expect(second.checkpoint.isOpen(id(4))).toBe(true);
  for (const message of ids(3, 5)) second.checkpoint.done(message);
  await second.stop();
  expect(await vault.mark()).toEqual({ message: id(5) });
});

test('a message without a decision or a receiver does not hold up the mark', async () => {
  const vault = await makeVault();
  const first = await vault.open();
  await first.checkpoint.loadUndelivered();
  first.checkpoint.begin(id(1));
  await first.decide(id(2), '');
  await first.decide(id(3));
  for (const n of [2, 3]) first.checkpoint.done(id(n));
  first.checkpoint.drop(id(1));
  await first.stop();
  expect(await vault.mark()).toMatchObject({ message: id(3) });
});

test('nothing is marked before the decisions of an earlier owner were looked through', async () => {
  const vault = await makeVault();
  const first = await vault.open();
  await first.decide(id(1));
  await first.stop();
  const second = await vault.open();
  await second.decide(id(2));
  second.checkpoint.done(id(2));
  await second.stop();
  expect(await vault.mark()).toBeUndefined();
  const third = await vault.open();
  await third.decide(id(3));
  third.checkpoint.done(id(3));
  expect(await third.checkpoint.loadUndelivered()).toEqual(ids(1, 2));
  for (const message of ids(1, 2)) third.checkpoint.done(message);
  await third.stop();
  expect(await vault.mark()).toMatchObject({ message: id(3) });
});

describe('the mark of handed-over decisions', () => {
  test('is saved every 64 messages, so that a killed owner leaves little to look through', async () => {
    const vault = await makeVault();
    const saved = createDeferred<void>();
    const rename: Disk['rename'] = async (from, to) => {
      await nodeDisk.rename(from, to);
      if (to === vault.layout.handedOver) saved.resolve();
    };
    const first = await vault.open({ ...nodeDisk, rename });
    await first.checkpoint.loadUndelivered();
    for (const message of ids(1, 100)) {
      await first.decide(message);
      first.checkpoint.done(message);
    }
    await saved.promise;
    await first.history.stop();
    const second = await vault.open();
    expect(await second.checkpoint.loadUndelivered()).toEqual(ids(65, 100));
  });

  test.each([
    ['is missing', async ({ handedOver }: VaultLayout) => rm(handedOver, { force: true })],
    ['cannot be read', async ({ handedOver }: VaultLayout) => writeFile(handedOver, '{"mess')],
  ])('%s: only the end of a long history is looked through', async (_name, spoil) => {
    const vault = await makeVault();
    const first = await vault.open();
    await first.checkpoint.loadUndelivered();
    for (const message of ids(1, 300)) {
      await first.decide(message);
      first.checkpoint.done(message);
    }
    await first.stop();
    await spoil(vault.layout);
    const second = await vault.open();
    const left = await second.checkpoint.loadUndelivered();
    expect(left.length).toBeLessThan(300);
    expect(left.at(-1)).toBe(id(300));
  });
});
