import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { readKeychain } from '../../src/harness/secrets/keychain.ts';
import { inspectSecret, keepSecret, nameEditorSecret, removeSecret } from '../../src/plans/keepSecret.ts';
import { createSecretKeeper, inspectSecrets, type StoredSecretPorts } from '../../src/plans/storedSecrets.ts';
import { makeSecretPerson } from '../support/secretPrograms.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';

const value = 'plain words that open a door';

test('a new secret goes into the keychain, is named in the configuration, and is looked for', async () => {
  const { ports, configured } = await makeSecretPerson();
  expect(await keepSecret(ports, { name: 'DOOR', value })).toEqual({
    ...{ name: 'DOOR', place: { kind: 'keychain' }, state: 'guarded' },
  });
  expect(configured()).toBe('[secrets]\nDOOR = { keychain = true }\n');
  expect((await createSecretKeeper(ports).load()).find(`x ${value}`)).toHaveLength(1);
});

test('without a keychain it goes into an age file beside the configuration', async () => {
  const { ports, home, bin, configured } = await makeSecretPerson();
  rmSync(join(bin, 'secret-tool'));
  const row = await keepSecret(ports, { name: 'DOOR', value });
  const file = join(home, '.config/ravel/secrets/DOOR.age');
  const identity = join(home, '.config/ravel/age-identity.txt');
  expect(row).toEqual({ name: 'DOOR', place: { kind: 'age', file, identity }, state: 'guarded' });
  expect(configured()).not.toContain(value);
  expect(readFileSync(file, 'latin1')).not.toContain(value);
  await removeSecret(ports, 'DOOR');
  expect([existsSync(file), existsSync(identity)]).toEqual([false, true]);
  expect(configured()).toBe('[secrets]\n');
});

test('a new value goes where the secret is kept already, and owners read it at once', async () => {
  const { ports, configured } = await makeSecretPerson();
  const keeper = createSecretKeeper(ports);
  await keepSecret(ports, { name: 'DOOR', value, store: 'age' });
  expect((await keeper.load()).find(value)).toHaveLength(1);
  const before = configured();
  await keepSecret(ports, { name: 'DOOR', value: 'another value by now' });
  expect(configured()).toBe(before);
  expect((await keeper.load()).find('another value by now')).toHaveLength(1);
});

test('a configuration that is a link is written where the link leads', async () => {
  const { ports, home, config } = await makeSecretPerson();
  const real = join(home, 'dotfiles.toml');
  writeFileSync(real, '# mine\n');
  mkdirSync(join(home, '.config/ravel'), { recursive: true });
  symlinkSync(real, config);
  await keepSecret(ports, { name: 'DOOR', value });
  expect(readFileSync(real, 'utf8')).toBe('# mine\n\n[secrets]\nDOOR = { keychain = true }\n');
});

test.each<[string, string, string]>([
  ['an empty value', '', 'is empty'],
  ['white space', ' \n', 'is empty'],
  ['a value of a megabyte', 'x'.repeat(1_000_000), 'is longer than 64 KiB'],
  ['a null character', 'ab\0cd', 'has a null character'],
])('%s is refused, and nothing is written', async (_what, given, told) => {
  const { ports, configured, keychainArguments } = await makeSecretPerson();
  const keeping = keepSecret(ports, { name: 'DOOR', value: given });
  await expect(keeping).rejects.toMatchObject({ code: 'secrets/badValue', message: expect.stringContaining(told) });
  expect([configured(), keychainArguments()]).toEqual([undefined, '']);
});

test.each(['', '1ST', 'two words', '../up', 'naïve', 'a'.repeat(65), 'a\u001b[2J', '__proto__'])(
  'the name %j is refused before anything is read',
  async (name) => {
    const { ports, configured } = await makeSecretPerson();
    await expect(keepSecret(ports, { name, value })).rejects.toMatchObject({ code: 'secrets/badName' });
    await expect(removeSecret(ports, name)).rejects.toMatchObject({ code: 'secrets/unknown' });
    await expect(inspectSecret(ports, name)).rejects.toMatchObject({ code: 'secrets/unknown' });
    expect(configured()).toBeUndefined();
  },
);

test('a value of several lines is kept as it is, and each long line is looked for', async () => {
  const { ports } = await makeSecretPerson();
  const lines = ['-----BEGIN KEY-----', 'q'.repeat(64), '-----END KEY-----'].join('\n');
  expect(await keepSecret(ports, { name: 'KEY', value: lines })).toMatchObject({ state: 'guarded' });
  expect((await createSecretKeeper(ports).load()).find(`+${'q'.repeat(64)}`)).toHaveLength(1);
});

test('a value of three letters is kept, and the person is told that it is not looked for', async () => {
  const { ports } = await makeSecretPerson();
  expect(await keepSecret(ports, { name: 'PIN', value: 'abc' })).toMatchObject({ state: 'short' });
});

test('two secrets with one value are both kept, and the second says so', async () => {
  const { ports } = await makeSecretPerson();
  await keepSecret(ports, { name: 'ONE', value, store: 'age' });
  await keepSecret(ports, { name: 'TWO', value });
  const [first, second] = await inspectSecrets(ports);
  expect(second?.sameAs).toEqual([first?.name]);
  expect((await createSecretKeeper(ports).load()).find(value)).toHaveLength(1);
});

test.each<[string, string]>([
  ['variable', '{ environment = "DOOR" }'],
  ['program', '{ command = ["pass", "show"] }'],
  ['editor', '{ editor = true }'],
])('a value that Ravel cannot change (%s) is left where it is', async (where, entry) => {
  const { ports, configure, configured } = await makeSecretPerson();
  configure(`[secrets]\nDOOR = ${entry}\n`);
  const keeping = keepSecret(ports, { name: 'DOOR', value });
  await expect(keeping).rejects.toMatchObject({ code: 'secrets/elsewhere', message: expect.stringContaining(where) });
  expect(configured()).toBe(`[secrets]\nDOOR = ${entry}\n`);
});

test('a keychain that fails keeps the configuration as it was, and no error repeats the value', async () => {
  const { ports, configured } = await makeSecretPerson('darwin', { LOCKED: '36' });
  const error = await keepSecret(ports, { name: 'DOOR', value, store: 'keychain' }).catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'secrets/notKept', message: expect.stringContaining('is locked') });
  expect(JSON.stringify(error) + String(error)).not.toContain(value);
  expect(configured()).toBeUndefined();
});

test('programs run at once, and of those that fail the first is named with how many others', async () => {
  const { ports, bin, home, configure } = await makeSecretPerson();
  // Each waits until all have begun: one after the other, the first would wait for ever.
  const meet = `: > "${home}/began-$1"; until [ -e "${home}/began-A" ] && [ -e "${home}/began-B" ] && [ -e "${home}/began-C" ]; do /bin/sleep 0.01; done; exit 3`;
  writeFileSync(join(bin, 'meet'), `#!/bin/sh\n${meet}\n`, { mode: 0o700 });
  configure(`[secrets]\n${['A', 'B', 'C'].map((name) => `${name} = { command = ["meet", "${name}"] }\n`).join('')}`);
  await expect(createSecretKeeper(ports).load()).rejects.toMatchObject({
    ...{ code: 'secrets/unreadable' },
    message: 'The secret A: its program meet ended with code 3. 2 other secrets cannot be read either.',
  });
});

test('a secret of the editor is read from what a window gives, and from nothing else', async () => {
  const { ports, configured } = await makeSecretPerson();
  await nameEditorSecret(ports, 'DOOR', true);
  await nameEditorSecret(ports, 'DOOR', true);
  expect(configured()).toBe('[secrets]\nDOOR = { editor = true }\n');
  expect(await inspectSecret(ports, 'DOOR')).toMatchObject({ state: 'unseen' });
  const keeper = createSecretKeeper(ports);
  await expect(keeper.load()).rejects.toMatchObject({
    message: expect.stringContaining('only a window of the editor'),
  });
  keeper.takeFromEditor(new Map());
  await expect(keeper.load()).rejects.toMatchObject({ message: expect.stringContaining('has no value for it') });
  keeper.takeFromEditor(new Map([['DOOR', value]]));
  expect((await keeper.load()).find(value)).toHaveLength(1);
  expect(keeper.known().find(value)).toHaveLength(1);
  await nameEditorSecret(ports, 'DOOR', false);
  expect(configured()).toBe('[secrets]\n');
});

/** A disk that does this once, when a file next to the configuration is about to take its place. */
function beforeWriting(config: string, act: () => void) {
  let isDone = false;
  return traceDisk(nodeDisk, (_n, name, path) => {
    if (isDone || name !== 'rename' || !path.startsWith(join(config, '..'))) return;
    isDone = true;
    act();
  });
}

test('secrets that are kept at the same time are all named', async () => {
  const { ports, configured } = await makeSecretPerson();
  const names = ['A', 'B', 'C', 'D'];
  await Promise.all(names.map((name) => keepSecret(ports, { name, value: `${value} ${name}`, store: 'age' })));
  for (const name of names) expect(configured()).toContain(`${name} = { age = `);
});

test.each<[string, (ports: StoredSecretPorts) => Promise<unknown>]>([
  ['keeps', (ports) => keepSecret(ports, { name: 'DOOR', value })],
  ['removes', (ports) => removeSecret(ports, 'OLD')],
  ['names', (ports) => nameEditorSecret(ports, 'SEEN', true)],
])('what a person saves while Ravel %s a secret stays', async (_what, change) => {
  const { ports, config, configure, configured } = await makeSecretPerson();
  configure('[secrets]\nOLD = { keychain = true }\n');
  const edited = '[secrets]\nOLD = { keychain = true }\n\n[notify]\ndesktop = true\n';
  const disk = beforeWriting(config, () => writeFileSync(config, edited));
  await change({ ...ports, disk });
  expect(configured()).toContain('[notify]\ndesktop = true\n');
  expect(configured()).not.toBe(edited);
});

test('a name that has another place by the time the value is kept stays there', async () => {
  const { ports, config, configure, configured } = await makeSecretPerson();
  configure('# mine\n');
  const edited = '[secrets]\nDOOR = { environment = "DOOR" }\n';
  const disk = beforeWriting(config, () => writeFileSync(config, edited));
  const keeping = keepSecret({ ...ports, disk }, { name: 'DOOR', value });
  await expect(keeping).rejects.toMatchObject({ code: 'secrets/elsewhere' });
  expect(configured()).toBe(edited);
});

test('an age file stays while another secret names it, by whatever path, and no new secret goes into it', async () => {
  const { ports, home, config, configured } = await makeSecretPerson();
  await keepSecret(ports, { name: 'ONE', value, store: 'age' });
  const file = join(home, '.config/ravel/secrets/ONE.age');
  symlinkSync(file, join(home, 'link.age'));
  writeFileSync(config, `${configured()}TWO = { age = "${home}/link.age" }\n`);
  expect(await removeSecret(ports, 'ONE')).toMatchObject({ name: 'ONE', keptFor: ['TWO'] });
  expect(await inspectSecret(ports, 'TWO')).toMatchObject({ state: 'guarded' });
  const again = keepSecret(ports, { name: 'ONE', value: 'another value by now', store: 'age' });
  await expect(again).rejects.toMatchObject({ message: expect.stringContaining('holds the value of TWO') });
  expect(await removeSecret(ports, 'TWO')).not.toHaveProperty('keptFor');
});

test('beside a configuration that is a link, no secret and no identity goes where the link leads', async () => {
  const { ports, home, config } = await makeSecretPerson();
  const [real, folder] = [join(home, 'dot/config.toml'), join(home, '.config/ravel')];
  mkdirSync(join(home, 'dot'));
  writeFileSync(real, '# mine\n');
  mkdirSync(folder, { recursive: true });
  symlinkSync(real, config);
  const row = await keepSecret(ports, { name: 'DOOR', value, store: 'age' });
  expect(row.place).toMatchObject({ identity: join(folder, 'age-identity.txt') });
  expect(readdirSync(join(home, 'dot'))).toEqual(['config.toml']);
  expect(readdirSync(folder).toSorted()).toEqual(['age-identity.txt', 'config.toml', 'secrets']);
});

test.each(['age', 'keychain'] as const)(
  'a configuration that cannot be written leaves no new value in the store (%s), and a kept one where it is',
  async (store) => {
    const { ports, configured } = await makeSecretPerson();
    const matches = (name: string, path: string) => name === 'open' && path.includes('.config.toml.');
    const full = { ...ports, disk: failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, forEver: true, matches }) };
    const error = await keepSecret(full, { name: 'DOOR', value, store }).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: 'secrets/notKept', message: expect.stringContaining('removed again') });
    expect([configured(), await keptValue(ports, store)]).toEqual([undefined, false]);
    await keepSecret(ports, { name: 'DOOR', value, store });
    await expect(keepSecret(full, { name: 'DOOR', value, store })).rejects.toMatchObject({ code: 'disk/full' });
    expect(await keptValue(ports, store)).toBe(true);
  },
);

async function keptValue(ports: StoredSecretPorts, store: 'age' | 'keychain'): Promise<boolean> {
  if (store === 'keychain') return 'value' in (await readKeychain('DOOR', ports));
  return existsSync(join(String(ports.environment['HOME']), '.config/ravel/secrets/DOOR.age'));
}
