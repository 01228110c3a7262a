import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { watchTree } from '../../src/vault/watcher.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeWorld, startCore } from '../support/world.ts';

test('settings name who set each value', async () => {
  const world = await makeWorld({
    settings: '[limits]\nsession-minutes = 5\n',
    plan: { 'plan-state.md': '---\nschema-version: 1\ndescription: Greets people\nharness: scripted\n---\n' },
  });
  const { core } = await startCore(world);
  const rows = async (plan?: string) => {
    const { settings } = await core.api.request('settings', plan === undefined ? {} : { plan });
    return settings.filter(({ from }) => from !== 'default').map(({ path, value, from }) => [path, value, from]);
  };
  expect(await rows()).toEqual([['limits.session-minutes', 5, 'daemon.toml']]);
  expect(await rows(world.plan)).toEqual([
    ['run.harness', 'scripted', 'plan-state.md'],
    ['limits.session-minutes', 5, 'daemon.toml'],
  ]);
});

test('an edited daemon.toml holds at once, and settings that wait for a new owner are shown beside those that hold', async () => {
  const world = await makeWorld({ settings: '[limits]\nsession-minutes = 5\n' });
  const file = join(world.vault, 'daemon.toml');
  const { core, events } = await startCore(world);
  const look = async () => {
    const { settings, isOutdated, diagnostics } = await core.api.request('settings', {});
    const named = settings.filter(({ path }) => /session-minutes|max-active/.test(path));
    return { named, isOutdated, codes: diagnostics.map(({ code }) => code) };
  };
  expect(await look()).toMatchObject({ named: [{ value: 5 }, { value: 20 }], isOutdated: false, codes: [] });
  await writeFile(file, '[limits]\nsession-minutes = 6\n[actors]\nmax-active = 3\n');
  const waiting = { value: 3, because: 'owner' };
  expect(await look()).toMatchObject({
    named: [
      { value: 6, from: 'daemon.toml' },
      { value: 20, from: 'default', waiting },
    ],
    isOutdated: true,
    codes: ['vault/settingsWait'],
  });
  const { checks } = await core.api.request('doctor', {});
  expect(checks.filter(({ check }) => check === 'settings')).toMatchObject([
    { severity: 'warning', message: expect.stringContaining('actors.max-active') },
  ]);
  const told = events.flatMap((event) => (event.type === 'diagnostic' ? [event.diagnostic.code] : []));
  expect(told).toEqual(['vault/settingsWait']);
  await writeFile(file, '[limits]\nsession-minutes = "six"\n');
  expect(await look()).toMatchObject({
    named: [{ value: 6 }, { value: 20 }],
    codes: ['vault/badSettings', 'vault/settingsWait'],
  });
});

test('the next run goes by the harness and the scenario that daemon.toml names by then', async () => {
  const world = await makeWorld({
    settings: '[run]\nharness = "claude-code"\n[harnesses.claude-code]\nprogram = "/nowhere"\n',
    plan: { 'phase.md': 'triage\n' },
  });
  const { core } = await startCore(world);
  expect(await failureOf(() => core.api.request('run_phase', { plan: world.plan }))).toMatchObject({
    code: 'harness/missing',
  });
  const steps = [{ finish: { outcome: 'done', summary: 'Nothing to change.' } }];
  await writeFile(join(world.vault, 'triage.yaml'), JSON.stringify({ version: 1, phases: { triage: steps } }));
  await writeFile(
    join(world.vault, 'daemon.toml'),
    '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "triage.yaml"\n',
  );
  expect(await core.api.request('run_phase', { plan: world.plan })).toMatchObject({ phase: 'triage', end: 'finished' });
});

test('an edit is taken as soon as it is noticed', async () => {
  const world = await makeWorld();
  const { core } = await startCore(world, { watchTree });
  const told = createDeferred<void>();
  core.api.onEvent((event) => {
    if (event.type === 'diagnostic' && event.diagnostic.code === 'vault/settingsWait') told.resolve();
  });
  await core.api.request('rescan', {});
  await writeFile(join(world.vault, 'daemon.toml'), '[actors]\nmax-active = 3\n');
  await core.api.request('rescan', {});
  await told.promise;
});

test('scripted sessions play the scenario that daemon.toml names', async () => {
  const world = await makeWorld({
    settings: '[run]\nharness = "scripted"\n[harnesses.scripted]\nscenario = "plays/triage.yaml"\n',
    plan: { 'phase.md': 'triage\n' },
  });
  await mkdir(join(world.vault, 'plays'));
  const steps = [{ finish: { outcome: 'done', summary: 'Nothing to change.' } }];
  await writeFile(join(world.vault, 'plays', 'triage.yaml'), JSON.stringify({ version: 1, phases: { triage: steps } }));
  const { core } = await startCore(world);
  const report = await core.api.request('run_phase', { plan: world.plan });
  expect(report).toMatchObject({ phase: 'triage', end: 'finished', summary: 'Nothing to change.' });
});
