import { cpSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { rollBackPlan } from '../../src/housekeeping/snapshots/rollback.ts';
import { listSnapshots } from '../../src/housekeeping/snapshots/snapshots.ts';
import type { PlanWorld } from '../support/planServices.ts';
import { type MadeStates, makeStates, snapshotTexts } from '../support/planStates.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { diskChanges, systemError, traceDisk } from '../support/tracingDisk.ts';
import { relocationsOf } from './planFamily.ts';

function rollBack(world: PlanWorld, to: string, disk: Disk = nodeDisk) {
  const trees = {
    withTree: <T>(_location: unknown, _phase: unknown, work: () => Promise<T>) => work(),
    withRepository: <T>(_location: unknown, _phase: unknown, work: () => Promise<T>) => work(),
  };
  const services = { ...world.services, disk };
  return rollBackPlan({ services, trees, relocations: relocationsOf(world, disk) }, world.location, to);
}

async function twoStates(): Promise<MadeStates & { readonly oldest: string }> {
  const made = await makeStates({ count: 2, seed: 7 });
  const [, oldest] = await listSnapshots(made.world.services, made.world.location, 2);
  return { ...made, oldest: oldest?.id ?? '' };
}

test('a rollback stopped before any change of the disk is finished or undone by the next start', {
  timeout: 120_000,
}, async () => {
  const { world, states, oldest } = await twoStates();
  const saved = join(await makeTemporaryDirectory(), 'saved');
  cpSync(world.folder, saved, { recursive: true, verbatimSymlinks: true });
  onTestFinished(() => rmSync(saved, { recursive: true }));
  const ends = new Set<string>();
  let stopped = 0;
  for (let at = 1; ; at++) {
    let changes = 0;
    const stopping = traceDisk(nodeDisk, (_n, operation) => {
      if (diskChanges.has(operation) && ++changes >= at) throw systemError('EIO');
    });
    const done = await rollBack(world, oldest, stopping).then(
      () => true,
      () => false,
    );
    if (done) break;
    stopped++;
    await relocationsOf(world).finish();
    expect(existsSync(world.layout.moveIntent)).toBe(false);
    const found = snapshotTexts(world);
    const end = states.findIndex((state) => JSON.stringify(state) === JSON.stringify(found));
    expect(end).toBeGreaterThanOrEqual(0);
    ends.add(end === 0 ? 'back' : 'as it was');
    rmSync(world.folder, { recursive: true });
    cpSync(saved, world.folder, { recursive: true, verbatimSymlinks: true });
  }
  expect(stopped).toBeGreaterThan(5);
  expect([...ends].sort()).toEqual(['as it was', 'back']);
});

test('a file that a person saves while a rollback is finished stays as they saved it', async () => {
  const { world, states, oldest } = await twoStates();
  // The second file is never replaced, and the owner dies there.
  let replaced = 0;
  const stopping = traceDisk(nodeDisk, (_n, operation, path) => {
    if (operation === 'rename' && path.includes('/project-root/') && ++replaced > 1) throw systemError('EIO');
  });
  await expect(rollBack(world, oldest, stopping)).rejects.toThrow('was begun and not finished');
  world.writePlan('memory.yaml', 'entries: [] # saved meanwhile\n');
  await relocationsOf(world).finish();
  expect(world.planText('memory.yaml')).toBe('entries: [] # saved meanwhile\n');
  expect(world.planText('backlog.yaml')).toBe(states[0]?.['backlog.yaml']);
  expect(world.events).toContainEqual(expect.objectContaining({ type: 'recovered', outcome: 'finished' }));
});

test('random states come back byte for byte, and so does the state before', { timeout: 120_000 }, async () => {
  const { world, states, random } = await makeStates({ count: 12, seed: 11 });
  for (let n = 0; n < 6; n++) {
    const snapshots = await listSnapshots(world.services, world.location, 100);
    const before = snapshotTexts(world);
    const target = random(states.length);
    const wanted = states[target];
    const snapshot = snapshots.find(({ title }) => title === `State ${target}`);
    const done = await rollBack(world, snapshot?.id ?? '');
    expect(snapshotTexts(world), `state ${target}`).toEqual(wanted);
    if (done.before === undefined) continue;
    await rollBack(world, done.before);
    expect(snapshotTexts(world), `back from state ${target}`).toEqual(before);
    await rollBack(world, snapshot?.id ?? '');
  }
});
