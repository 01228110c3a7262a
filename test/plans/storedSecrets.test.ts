import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { judgeSecrets } from '../../src/gates/secrets.ts';
import { factsWithoutSource } from '../../src/plans/proposals/facts.ts';
import { secretsIn } from '../../src/plans/sessions/finishing.ts';
import { createSecretKeeper, inspectSecrets } from '../../src/plans/storedSecrets.ts';
import { makePlanWorld } from '../support/planServices.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const value = 'plain words that open a door';

async function personWith(config: string, variables: Readonly<Record<string, string>> = {}) {
  const folder = await makeTemporaryDirectory();
  mkdirSync(join(folder, 'ravel'));
  writeFileSync(join(folder, 'ravel/config.toml'), config);
  const environment = { PATH: process.env['PATH'], XDG_CONFIG_HOME: folder, ...variables };
  const program = (name: string, script: string) => {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o700);
    return join(folder, name);
  };
  return { disk: nodeDisk, clock: systemClock, environment, program, config: join(folder, 'ravel/config.toml') };
}

test('a secret is read from a variable or from what a program prints, and its value is not shown', async () => {
  const ports = await personWith('', { DOOR: value, SMALL: 'main' });
  const printer = ports.program('store', `printf '%s\\n' "$1"; echo noise >&2`);
  writeFileSync(
    ports.config,
    `[secrets]\nDOOR = { environment = "DOOR" }\nKEY = { command = ["${printer}", "${value}2"] }\nNONE = { environment = "NONE" }\nSMALL = { environment = "SMALL" }\n`,
  );
  const rows = await inspectSecrets(ports);
  expect(rows.map(({ name, state }) => [name, state])).toEqual([
    ['DOOR', 'guarded'],
    ['KEY', 'guarded'],
    ['NONE', 'absent'],
    ['SMALL', 'short'],
  ]);
  const values = await createSecretKeeper(ports).load();
  expect(values.find(`x ${value} y`).map(({ service }) => service)).toEqual(['stored secret DOOR']);
  expect(values.find(`x ${value}2 y`).map(({ service }) => service)).toEqual(['stored secret KEY']);
  expect(values.find('noise noise noise')).toEqual([]);
});

test.each([
  ['fails', `echo ${value.slice(0, 11)}; exit 3`, 'ended with code 3'],
  ['prints nothing', 'exit 0', 'prints nothing'],
  ['prints too much', 'head -c 70000 /dev/zero', 'prints more than 64 KiB'],
])('while a program %s, nothing passes, and nothing of what it printed is repeated', async (_what, script, why) => {
  const ports = await personWith('');
  writeFileSync(ports.config, `[secrets]\nKEY = { command = ["${ports.program('store', script)}"] }\n`);
  const error = await createSecretKeeper(ports)
    .load()
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ diagnostic: { code: 'secrets/unreadable', subject: 'KEY' } });
  expect(String(error)).toContain(why);
  expect(String(error)).not.toContain(value.slice(0, 11));
});

test('a value that could not be read is read again the next time', async () => {
  const ports = await personWith('');
  const config = (script: string) =>
    writeFileSync(ports.config, `[secrets]\nKEY = { command = ["${ports.program('store', script)}"] }\n`);
  const load = createSecretKeeper(ports).load;
  config('exit 1');
  await expect(load()).rejects.toMatchObject({ code: 'secrets/unreadable' });
  config(`echo '${value}'`);
  expect((await load()).find(value)).toHaveLength(1);
});

test('a program that hangs is ended when its time is up, and nothing passes', async () => {
  const ports = await personWith('');
  writeFileSync(ports.config, `[secrets]\nKEY = { command = ["${ports.program('store', 'exec sleep 1000')}"] }\n`);
  const asked: number[] = [];
  const schedule: Clock['schedule'] = (delayMs, callback) => {
    asked.push(delayMs);
    return systemClock.schedule(0, callback);
  };
  const load = createSecretKeeper({ ...ports, clock: { ...systemClock, schedule } }).load;
  await expect(load()).rejects.toMatchObject({ message: expect.stringContaining('did not end within 10 seconds') });
  expect(asked[0]).toBe(10_000);
});

test('values are read once for all gates, and again after ten minutes', async () => {
  const environment: Record<string, string> = { DOOR: value };
  const ports = await personWith('[secrets]\nDOOR = { environment = "DOOR" }');
  let nowMs = 5;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  Object.assign(environment, ports.environment, { DOOR: value });
  const load = createSecretKeeper({ ...ports, clock, environment }).load;
  expect((await load()).find(value)).toHaveLength(1);
  environment['DOOR'] = 'another value by now';
  nowMs += 599_999;
  expect((await load()).find(value)).toHaveLength(1);
  nowMs += 1;
  expect((await load()).find(value)).toEqual([]);
  expect((await load()).find('another value by now')).toHaveLength(1);
});

test.each([
  'secrets = 3',
  '[secrets]\n"a b" = { environment = "A" }',
  '[secrets]\nA = "the value itself"',
  '[secrets]\nA = { command = "one text" }',
  '[secrets]\nA = { command = ["./relative"] }',
  '[secrets]\nA = { environment = "A", command = ["a"] }',
  '[secrets',
])('a configuration that says %j is refused, and no value in it is repeated', async (config) => {
  const error = await inspectSecrets(await personWith(config)).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'secrets/badSettings' });
  expect(String(error)).not.toContain('the value itself');
});

test('a stored secret that looks like words is refused in a plan’s files, a summary and a reply, and cannot be allowed', async () => {
  const world = await makePlanWorld();
  const storedSecrets = createSecretKeeper(
    await personWith('[secrets]\nDOOR = { environment = "DOOR" }', { DOOR: value }),
  ).load;
  const services = { ...world.services, storedSecrets };
  expect(await secretsIn(services, 'reply', `it is ${value}`)).toEqual([
    'reply, line 1: this is the stored secret DOOR.',
  ]);
  const about = {
    ...{ phase: 'triage' as const, outcome: 'done' as const, verbsUsed: [], unattributed: [], dreamMap: {} },
    ...{ base: new Map(), proposed: new Map(), baseValues: new Map(), proposedValues: new Map() },
    facts: await factsWithoutSource(services),
  };
  expect(judgeSecrets({ ...about, summary: `split ${value.slice(0, 9)}\n${value.slice(9)}` })).toMatchObject({
    outcome: 'reject',
    findings: ['summary, line 1: this is the stored secret DOOR.'],
  });
  expect(judgeSecrets({ ...about, summary: 'plain words' })).toEqual({ outcome: 'accept' });
});
