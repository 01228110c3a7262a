import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { connect } from '../../src/server/client.ts';
import { backlogOf, done, memoryOf, runPhase, type Step, scenarioText } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World, type WorldOptions } from '../support/world.ts';

const value = 'plain words that open a door';
const forms = [
  value,
  `'plain words '"that open"\\\n' a door'`,
  `plain words that\n+ open a door`,
  Buffer.from(`user:${value}`).toString('base64'),
  encodeURIComponent(value),
  JSON.stringify({ key: value }),
  Buffer.from(value).toString('hex'),
  Buffer.from(value).toString('hex').toUpperCase().match(/../g)?.join(':') ?? '',
];
/** What none of those may leave anywhere, in any form. */
const pieces = [/plain.?words/i, /open.?a.?door/i, /cGxhaW4gd29yZHM|GxhaW4gd29yZ|BsYWluIHdvcm/, /70:?6c:?61:?69:?6e/i];

async function makeDoorWorld(options: WorldOptions): Promise<World> {
  const world = await makeWorld(options);
  const config = join(world.root, 'config/ravel');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'config.toml'), '[secrets]\nDOOR = { environment = "DOOR" }\n');
  return {
    ...world,
    environment: { ...world.environment, XDG_CONFIG_HOME: join(world.root, 'config'), DOOR: value },
  };
}

/** Files below a folder that hold a piece of the value. */
const holders = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((file) => pieces.some((piece) => piece.test(readFileSync(file, 'utf8'))))
    .map((file) => relative(folder, file));

test('what a session is given, says and is shown is written down with the name of a secret in its place', async () => {
  const said = forms.map((text): Step => ({ say: `it is ${text}.` }));
  const world = await makeDoorWorld({
    scenario: scenarioText({ work: [...said, { run: { command: 'cat notes.txt' } }, done] }),
    plan: {
      'phase.md': 'work\n',
      'backlog.yaml': backlogOf('first'),
      'memory.yaml': memoryOf({ door: `It is ${value}.` }),
    },
  });
  await world.write('notes.txt', forms.join('\n\n'));
  const { core, events } = await startCore(world);
  await runPhase(core, world);
  const outputs = events.filter(({ type }) => type === 'session.output');
  expect(outputs.length).toBeGreaterThan(forms.length);
  for (const piece of pieces) expect(JSON.stringify(events)).not.toMatch(piece);
  expect(JSON.stringify(outputs).match(/stored secret DOOR left out/g)?.length).toBeGreaterThanOrEqual(
    2 * forms.length,
  );
  await core.stop();
  expect(holders(join(world.vault, 'runtime'))).toEqual([]);
});

const ready = {
  scenario: scenarioText({ work: [done] }),
  plan: { 'phase.md': 'work\n', 'backlog.yaml': backlogOf('a') },
};

test('once they were read, errors are told with the name of a secret in the place of its value', async () => {
  const world = await makeDoorWorld(ready);
  const { core } = await startCore(world);
  await runPhase(core, world);
  const failed = await core.api.request('status', { plan: `greeter/${value}` }).catch((error: unknown) => error);
  const told = JSON.stringify(failed) + String(failed);
  expect(told).toContain('stored secret DOOR left out');
  expect(told).not.toContain(value);
});

test('while one of two secrets cannot be read, no session starts, and the person is told which', async () => {
  const world = await makeDoorWorld(ready);
  const config = join(world.root, 'config/ravel/config.toml');
  writeFileSync(config, `${readFileSync(config, 'utf8')}LOCKED = { command = ["false", "now"] }\n`);
  const { core, events } = await startCore(world);
  const ended = await runPhase(core, world).catch((error: unknown) => error);
  expect(JSON.stringify([ended, String(ended)])).toContain('LOCKED: its program false ended with code 1');
  expect(events.some(({ type }) => type === 'session.started')).toBe(false);
});

test('a secret of the editor reaches the owner over its socket, and no file has it', async () => {
  const world = await makeDoorWorld(ready);
  writeFileSync(join(world.root, 'config/ravel/config.toml'), '');
  const { core } = await startCore(world);
  const window = await connect({ socketPath: core.socketPath, clock: systemClock });
  onTestFinished(() => window.close());
  await window.request('name_secret', { name: 'SHOP', kept: true });
  await expect(runPhase(core, world)).rejects.toMatchObject({ message: expect.stringContaining('only a window') });
  await window.request('give_secrets', { values: { SHOP: value } });
  const { secrets } = await window.request('secrets', {});
  expect(secrets).toEqual([{ name: 'SHOP', place: { kind: 'editor' }, state: 'guarded' }]);
  const reply = { title: 'Login', body: `It is ${value}`, folder: 'domains' };
  await expect(window.request('add_entry', reply)).rejects.toMatchObject({
    message: expect.stringContaining('this is the stored secret SHOP'),
  });
  expect([...holders(world.vault), ...holders(join(world.root, 'config'))]).toEqual([]);
});
