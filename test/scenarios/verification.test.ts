import { expect, onTestFinished, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { openVault } from '../../src/library.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { openCore } from '../support/openCore.ts';
import { nextEvent } from '../support/phaseWorld.ts';
import { startRavel } from '../support/runProgram.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeWorld } from '../support/world.ts';

const broken = { plan: { 'memory.yaml': 'entries: [\n' } };

test('an owner reports a file that was broken before it started, but only after its first look', async () => {
  const world = await makeWorld(broken);
  const looked = createDeferred<void>();
  const core = await openCore(world, { backgroundAfter: looked.promise });
  onTestFinished(() => core.stop());
  const events: RavelEvent[] = [];
  const told = nextEvent(core, 'diagnostic');
  core.api.onEvent((event) => events.push(event));
  expect((await core.api.request('outline', {})).plans).toHaveLength(1);
  expect(events).toEqual([]);
  looked.resolve();
  const { actor, diagnostic } = await told;
  expect(actor).toBe(world.plan);
  expect(diagnostic).toMatchObject({ severity: 'error', file: expect.stringMatching(/memory\.yaml$/) });
});

test('an owner whose opener verifies the vault does not verify it again', async () => {
  const world = await makeWorld(broken);
  let reads = 0;
  const disk = traceDisk(nodeDisk, (_n, name, path) => {
    if (name === 'readEach' && path.endsWith('memory.yaml')) reads++;
  });
  const core = await openCore(world, { disk, verifiesItself: true });
  onTestFinished(() => core.stop());
  // Answered behind the catalogue, which the verification of a start comes after.
  expect((await core.api.request('rescan', {})).diagnostics).toHaveLength(1);
  expect(reads).toBe(1);
});

test('openVault with verifiesItself reports no diagnostics itself', async () => {
  const world = await makeWorld(broken);
  const { vault, environment } = world;
  const looked = createDeferred<void>();
  const opened = await openVault({ vault, environment, backgroundAfter: looked.promise, verifiesItself: true });
  onTestFinished(() => opened.stop());
  const told: string[] = [];
  opened.api.onEvent(({ type }) => told.push(type));
  looked.resolve();
  expect((await opened.api.request('rescan', {})).diagnostics).toHaveLength(1);
  expect(told).not.toContain('diagnostic');
});

test('a daemon without clients logs a broken plan file as one JSON line', async () => {
  const world = await makeWorld(broken);
  const { environment } = world;
  const daemon = startRavel(['daemon', '--json', '--vault', world.vault], { environment });
  await daemon.logged('memory.yaml');
  daemon.child.kill('SIGTERM');
  const { code, stderr } = await daemon.ended;
  expect(code).toBe(0);
  expect(
    stderr
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toMatchObject([{ level: 'warn', code: expect.stringMatching(/^yaml\//), subject: world.plan }]);
});
