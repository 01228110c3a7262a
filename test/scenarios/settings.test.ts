import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, startCore } from '../support/world.ts';

test('settings name who set each value, and a changed daemon.toml is marked outdated while the old value holds', async () => {
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
  expect((await core.api.request('settings', {})).isOutdated).toBe(false);
  await writeFile(join(world.vault, 'daemon.toml'), '[limits]\nsession-minutes = 6\n');
  const after = await core.api.request('settings', {});
  expect(after.isOutdated).toBe(true);
  expect(after.settings.find(({ path }) => path === 'limits.session-minutes')?.value).toBe(5);
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
