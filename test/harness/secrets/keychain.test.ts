import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import { hasKeychain, readKeychain, removeFromKeychain, writeKeychain } from '../../../src/harness/secrets/keychain.ts';
import { makeSecretPerson } from '../../support/secretPrograms.ts';

const values: readonly [string, string][] = [
  ['words', 'plain words that open a door'],
  ['quotes and backslashes', `it's "quoted" \\ $HOME \`id\``],
  ['several lines', '-----BEGIN KEY-----\nabc\ndef\n'],
  ['other alphabets', 'ключ от двери'],
  ['what looks like our own mark', 'ravel-base64:abc'],
  ['what looks like hexadecimal', 'abcdef0123456789'],
];

describe.each(['linux', 'darwin'] as const)('the keychain of %s', (platform) => {
  test.each(values)('gives back a value of %s, which is in no argument', async (_what, value) => {
    const { ports, keychainArguments } = await makeSecretPerson(platform);
    expect(await writeKeychain('DOOR', value, ports)).toBeUndefined();
    expect(await readKeychain('DOOR', ports)).toEqual({ value });
    for (const line of value.split('\n').filter((one) => one !== '')) expect(keychainArguments()).not.toContain(line);
    expect(keychainArguments()).not.toContain(Buffer.from(value).toString('hex'));
  });

  test('has one value for a name, until it is removed', async () => {
    const { ports } = await makeSecretPerson(platform);
    await writeKeychain('DOOR', 'the first value', ports);
    await writeKeychain('DOOR', 'the second value', ports);
    expect(await readKeychain('DOOR', ports)).toEqual({ value: 'the second value' });
    expect(await removeFromKeychain('DOOR', ports)).toBeUndefined();
    expect(await removeFromKeychain('DOOR', ports)).toBeUndefined();
    expect(await readKeychain('DOOR', ports)).toMatchObject({
      problem: expect.stringContaining('has no value for it'),
    });
  });

  test('refuses a value that its program would cut', async () => {
    const { ports } = await makeSecretPerson(platform);
    const problem = await writeKeychain('DOOR', 'x'.repeat(9_000), ports);
    expect(problem?.problem).toMatch(/^the keychain takes at most [\d]+ bytes/);
    expect(await readKeychain('DOOR', ports)).toHaveProperty('problem');
  });

  test('is not there without its program', async () => {
    const { ports, bin } = await makeSecretPerson(platform);
    expect(await hasKeychain(ports)).toBe(true);
    rmSync(join(bin, platform === 'linux' ? 'secret-tool' : 'security'));
    expect(await hasKeychain(ports)).toBe(false);
    expect(await readKeychain('DOOR', ports)).toMatchObject({ problem: expect.stringContaining('cannot be started') });
  });

  test('that prints megabytes is stopped, and nothing of it is repeated', async () => {
    const { ports } = await makeSecretPerson(platform, { FLOODS: '1' });
    const found = await readKeychain('DOOR', ports);
    expect(found).toMatchObject({ problem: expect.stringMatching(/prints more than 64 KiB$/) });
  });

  test('that waits for its password is stopped after ten seconds, and the person is told', async () => {
    const { ports } = await makeSecretPerson(platform, { HANGS: '1' });
    const asked: number[] = [];
    const schedule: Clock['schedule'] = (delayMs, callback) => {
      asked.push(delayMs);
      return systemClock.schedule(0, callback);
    };
    const found = await readKeychain('DOOR', { ...ports, clock: { ...systemClock, schedule } });
    expect(found).toMatchObject({ problem: expect.stringContaining('may be locked') });
    expect(asked[0]).toBe(10_000);
  });
});

test.each(['36', '51', '128'])('a locked keychain of macOS is told as such (code %s)', async (LOCKED) => {
  const { ports } = await makeSecretPerson('darwin', { LOCKED });
  expect(await readKeychain('DOOR', ports)).toEqual({ problem: 'the keychain is locked' });
  expect(await removeFromKeychain('DOOR', ports)).toEqual({ problem: 'the keychain is locked' });
});

test('`secret-tool` does not tell a locked keychain from one without a value, and neither do we', async () => {
  const { ports } = await makeSecretPerson('linux', { LOCKED: '1' });
  expect(await readKeychain('DOOR', ports)).toEqual({
    problem: 'the keychain has no value for it, or is locked, or does not run',
  });
});

test('`secret-tool` that says why it failed has removed nothing', async () => {
  const { ports } = await makeSecretPerson('linux', { LOCKED: '1', COMPLAINS: '1' });
  const failed = { problem: 'the keychain is locked or does not run' };
  expect(await removeFromKeychain('DOOR', ports)).toEqual(failed);
  expect(await readKeychain('DOOR', ports)).toEqual(failed);
});

test('a system without a keychain that is known says so', async () => {
  const { ports } = await makeSecretPerson();
  const found = await readKeychain('DOOR', { ...ports, platform: 'win32' });
  expect(found).toEqual({ problem: 'Ravel knows no keychain of this system' });
});
