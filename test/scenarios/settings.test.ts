import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeWorld, startCore } from '../support/world.ts';

test('a person sees who set what, for the vault and for a plan, and that a change waits for a restart', async () => {
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
