import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openVault } from '../../src/library.ts';
import { ApiKey } from '../../src/ui/apiKey.ts';
import { listTree } from '../support/listTree.ts';
import { finishDone, makeReflectWorld } from '../support/phaseWorld.ts';

const key = 'sk-ant-secret-0123456789';

test('an API key reaches the harness only through its environment: no argument, log, event or file holds it', async () => {
  const world = await makeReflectWorld([finishDone]);
  const [program, told] = [join(world.root, 'claude'), join(world.root, 'told')];
  await writeFile(program, `#!/bin/sh\nprintf '%s\\n' "$ANTHROPIC_API_KEY" "$@" > '${told}'\nexit 1\n`);
  await chmod(program, 0o755);

  const environment: Record<string, string | undefined> = { ...world.environment };
  const store = { get: async () => key, store: async () => undefined, delete: async () => undefined };
  const apiKey = new ApiKey(
    { ...store, onDidChange: () => ({ dispose: () => undefined }) },
    environment,
    () => undefined,
  );
  const logged: unknown[] = [];
  const write = (...line: unknown[]) => void logged.push(line);
  const log = { debug: write, info: write, warn: write, error: write };
  const overrides = { 'harnesses.claude-code.program': program };
  const { api, stop } = await openVault({ vault: world.vault, environment, log, overrides });
  const events: unknown[] = [];
  api.onEvent((event) => events.push(event));
  await apiKey.load();
  const { end } = await api.request('run_phase', { plan: world.plan, harness: 'claude-code' });
  await stop();
  const vault = JSON.stringify(listTree(world.vault));

  const [inEnvironment, ...args] = (await readFile(told, 'utf8')).split('\n');
  expect({ end, inEnvironment }).toEqual({ end: 'failed', inEnvironment: key });
  for (const place of [args, logged, events, vault, listTree(world.project)]) {
    expect(JSON.stringify(place)).not.toContain(key);
  }
  expect(vault).toContain('host.json');
});

test('an editor setting overrides daemon.toml and is listed as set by the editor', async () => {
  const world = await makeReflectWorld([finishDone], { settings: '[limits]\nsession-usd = 3\nsession-minutes = 7\n' });
  const { api, stop } = await openVault({
    vault: world.vault,
    environment: world.environment,
    overrides: { 'limits.session-usd': 1 },
  });
  const { settings, isOutdated } = await api.request('settings', {});
  await stop();
  const found = settings.filter(({ path }) => path === 'limits.session-usd' || path === 'limits.session-minutes');
  expect(found).toMatchObject([
    { path: 'limits.session-minutes', value: 7, from: 'daemon.toml' },
    { path: 'limits.session-usd', value: 1, from: 'editor' },
  ]);
  expect(isOutdated).toBe(false);
});
