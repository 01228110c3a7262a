import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { silentLogger } from '../../src/base/log.ts';
import { type Chore, type ChoreReport, Housekeeper, loadHousekeeping } from '../../src/housekeeping/housekeeper.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { ManualClock } from '../support/manualClock.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;
const report = (removed: number, ...problems: string[]): ChoreReport => ({ removed, bytes: removed * 10, problems });

async function make(chores: readonly Chore['run'][] = [async () => report(1)]) {
  const disk = new MemoryDisk();
  const layout = new VaultLayout('/vault');
  await disk.makeDirectory('/vault');
  await disk.makeDirectory(layout.runtime);
  const clock = new ManualClock();
  const runs: string[] = [];
  const world = { isIdle: true, isAutomatic: true };
  const settings = {
    ...defaultSettings,
    get retention() {
      return { ...defaultSettings.retention, automatic: world.isAutomatic };
    },
  };
  const services = { disk, clock, layout, log: silentLogger, settings };
  const owner = () =>
    new Housekeeper({
      services,
      isIdle: () => world.isIdle,
      chores: chores.map((run, n) => ({
        name: `Chore ${n + 1}`,
        run(signal) {
          runs.push(`${n + 1}`);
          return run(signal);
        },
      })),
    });
  return { disk, clock, layout, runs, world, owner, services, kept: () => loadHousekeeping(services) };
}

test('the daily run waits until no session runs, and comes once a day for any owner of the vault', async () => {
  const { clock, runs, world, owner, kept } = await make();
  const first = owner();
  await first.runIfDue();
  expect([runs.length, await kept()]).toEqual([1, { at: '2026-01-02T03:04:05Z', removed: 1, bytes: 10, problems: [] }]);
  await first.runIfDue();
  clock.advance(dayMs - 1000);
  await owner().runIfDue();
  expect(runs).toHaveLength(1);
  clock.advance(1000);
  world.isIdle = false;
  await owner().runIfDue();
  expect(runs).toHaveLength(1);
  world.isIdle = true;
  await owner().runIfDue();
  expect(runs).toHaveLength(2);
});

test('if sessions never cease, the run comes after a week', async () => {
  const { clock, runs, world, owner } = await make();
  await owner().runIfDue();
  world.isIdle = false;
  clock.advance(7 * dayMs - 1000);
  await owner().runIfDue();
  expect(runs).toHaveLength(1);
  clock.advance(1000);
  await owner().runIfDue();
  expect(runs).toHaveLength(2);
});

test('its permission is checked each time', async () => {
  const { runs, world, owner } = await make();
  const housekeeper = owner();
  world.isAutomatic = false;
  await housekeeper.runIfDue();
  expect(runs).toHaveLength(0);
  world.isAutomatic = true;
  await housekeeper.runIfDue();
  expect(runs).toHaveLength(1);
});

test('a session that begins meanwhile ends the run before its next chore, and a later look does all of it', async () => {
  let begins = true;
  const made = await make([
    async () => {
      made.world.isIdle = !begins;
      return report(1);
    },
    async () => report(2),
  ]);
  const { runs, world, owner, kept, clock } = made;
  await owner().runIfDue();
  clock.advance(dayMs);
  runs.length = 0;
  world.isIdle = true;
  await owner().runIfDue();
  expect([runs, (await kept())?.at]).toEqual([['1'], '2026-01-02T03:04:05Z']);
  world.isIdle = true;
  begins = false;
  await owner().runIfDue();
  expect([runs, (await kept())?.at]).toEqual([['1', '1', '2'], '2026-01-03T03:04:05Z']);
});

test('a wall clock that was set back delays no run', async () => {
  const { clock, runs, owner } = await make();
  await owner().runIfDue();
  clock.jumpWall(-400 * dayMs);
  await owner().runIfDue();
  expect(runs).toHaveLength(2);
});

test('a record that cannot be read counts as none', async () => {
  const { disk, layout, runs, owner } = await make();
  const file = await disk.open(layout.housekeeping, 'append');
  await file.write(Buffer.from('{"at":'));
  await file.close();
  await owner().runIfDue();
  expect(runs).toHaveLength(1);
});

test('a chore that fails is kept with the run, and the next ones are done', async () => {
  const { runs, owner, kept } = await make([
    async () => Promise.reject(new Error('no permission')),
    async () => report(2, 'one could not go'),
  ]);
  await owner().runIfDue();
  expect(runs).toEqual(['1', '2']);
  expect(await kept()).toMatchObject({ removed: 2, problems: ['Chore 1: no permission', 'one could not go'] });
});

test('an owner looks every five minutes, and no more once it has stopped', async () => {
  const { clock, owner, runs } = await make();
  const housekeeper = owner();
  housekeeper.begin();
  clock.advance(5 * minuteMs - 1);
  expect(runs).toHaveLength(0);
  clock.advance(1);
  await clock.whenScheduled();
  expect(runs).toHaveLength(1);
  await housekeeper.stop();
  expect(clock.scheduled).toBe(0);
  housekeeper.begin();
  expect(clock.scheduled).toBe(0);
});

test('a stop ends the run that is under way, which is none then', async () => {
  const begun = createDeferred<void>();
  const { owner, kept, runs } = await make([
    (signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason), { once: true });
        begun.resolve();
      }),
    async () => report(1),
  ]);
  const housekeeper = owner();
  const looked = expect(housekeeper.runIfDue()).rejects.toBeDefined();
  await begun.promise;
  await housekeeper.stop();
  await looked;
  expect([runs, await kept()]).toEqual([['1'], undefined]);
});
