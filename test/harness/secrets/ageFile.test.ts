import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { armor, Encrypter, generateX25519Identity, identityToRecipient } from 'age-encryption';
import { expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { readAgeFile, writeAgeFile } from '../../../src/harness/secrets/ageFile.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../../support/tracingDisk.ts';

const ports = { disk: nodeDisk };

async function makePlace() {
  const folder = await makeTemporaryDirectory();
  return { folder, file: join(folder, 'secrets/DOOR.age'), identity: join(folder, 'age-identity.txt') };
}

/** As `age -r` would write it, for an identity that the place has. */
async function encryptedBy(place: Awaited<ReturnType<typeof makePlace>>, text: string) {
  const identity = await generateX25519Identity();
  writeFileSync(place.identity, `# created by someone\n${identity}\n`, { mode: 0o600 });
  const encrypter = new Encrypter();
  encrypter.addRecipient(await identityToRecipient(identity));
  return encrypter.encrypt(text);
}

test.each(['plain words that open a door', 'two\nlines', 'x'.repeat(65_536)])(
  'a value comes back, and both files are for their owner alone',
  async (value) => {
    const place = await makePlace();
    expect(await writeAgeFile(place, value, ports)).toBeUndefined();
    expect(await readAgeFile(place, ports)).toEqual({ value });
    for (const file of [place.file, place.identity]) expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(place.file, 'latin1')).not.toContain(value.slice(0, 12));
  },
);

test('a second secret is encrypted to the identity that is there', async () => {
  const place = await makePlace();
  await writeAgeFile(place, 'the first value', ports);
  const before = readFileSync(place.identity, 'utf8');
  await writeAgeFile({ ...place, file: join(place.folder, 'other.age') }, 'the second value', ports);
  expect(readFileSync(place.identity, 'utf8')).toBe(before);
  expect(await readAgeFile(place, ports)).toEqual({ value: 'the first value' });
});

test('secrets that are kept at the same time are encrypted to one identity, which none of them sees half written', async () => {
  const place = await makePlace();
  const [begun, written] = [createDeferred<void>(), createDeferred<void>()];
  // The first identity has a name and no bytes yet when the other is looked for.
  const slow = traceDisk(nodeDisk, async (_n, name, path) => {
    if (name !== 'file.write' || !path.includes('identity')) return;
    begun.resolve();
    await written.promise;
  });
  const first = writeAgeFile(place, 'the first value', { disk: slow });
  await begun.promise;
  const file = join(place.folder, 'other.age');
  expect(await writeAgeFile({ ...place, file }, 'the second value', ports)).toBeUndefined();
  written.resolve();
  expect(await first).toBeUndefined();
  expect(await readAgeFile(place, ports)).toEqual({ value: 'the first value' });
  expect(await readAgeFile({ ...place, file }, ports)).toEqual({ value: 'the second value' });
  expect(readdirSync(place.folder).toSorted()).toEqual(['age-identity.txt', 'other.age', 'secrets']);
});

test('an identity is made also where files cannot have a second name', async () => {
  const place = await makePlace();
  const disk = failingDisk(nodeDisk, { code: 'EPERM', at: 1, matches: (name) => name === 'link' });
  expect(await writeAgeFile(place, 'a value to keep', { disk })).toBeUndefined();
  expect(await readAgeFile(place, ports)).toEqual({ value: 'a value to keep' });
});

test.each([
  ['as it is', (bytes: Uint8Array) => bytes],
  ['as text', (bytes: Uint8Array) => Buffer.from(armor.encode(bytes))],
])('a file of the program age is read %s', async (_how, form) => {
  const place = await makePlace();
  const bytes = await encryptedBy(place, 'made elsewhere\n');
  mkdirSync(join(place.folder, 'secrets'));
  writeFileSync(place.file, form(bytes), { mode: 0o600 });
  expect(await readAgeFile(place, ports)).toEqual({ value: 'made elsewhere' });
});

test.each([0o640, 0o604, 0o666])(
  'an identity that others can read (%o) is not used, and the person is told',
  async (mode) => {
    const place = await makePlace();
    await writeAgeFile(place, 'a value to keep', ports);
    chmodSync(place.identity, mode);
    const problem = `others can read the identity in ${place.identity}, so it is not used; run chmod 600 on it`;
    expect(await readAgeFile(place, ports)).toEqual({ problem });
    expect(await writeAgeFile(place, 'another value', ports)).toEqual({ problem });
  },
);

test('an encrypted file that others can read is used, and the person is told', async () => {
  const place = await makePlace();
  await writeAgeFile(place, 'a value to keep', ports);
  chmodSync(place.file, 0o644);
  const note = `others can read ${place.file}, which is encrypted`;
  expect(await readAgeFile(place, ports)).toEqual({ value: 'a value to keep', note });
});

test.each<[string, (file: string) => void, string]>([
  ['is missing', () => undefined, 'there is no file'],
  ['is a folder', (file) => mkdirSync(file), 'is not a file'],
  ['holds something else', (file) => writeFileSync(file, 'not encrypted'), 'cannot be decrypted'],
  ['is too large', (file) => writeFileSync(file, Buffer.alloc(1_000_000)), 'is larger than'],
])('a file that %s is told with its path, and nothing of the identity', async (_what, damage, told) => {
  const place = await makePlace();
  await encryptedBy(place, 'a value');
  mkdirSync(join(place.folder, 'secrets'));
  damage(place.file);
  const found = await readAgeFile(place, ports);
  expect(found).toMatchObject({ problem: expect.stringContaining(told) });
  expect(JSON.stringify(found)).toContain(place.file);
  expect(JSON.stringify(found)).not.toContain('AGE-SECRET-KEY');
});

test.each<[string, () => Promise<string>, string]>([
  ['of someone else', generateX25519Identity, 'cannot be decrypted'],
  ['that is none', async () => 'ssh-ed25519 AAAA', 'holds no age identity'],
  ['that is damaged', async () => 'AGE-SECRET-KEY-1QQQQ', 'cannot be decrypted'],
])('an identity %s decrypts nothing, and is not repeated', async (_what, make, told) => {
  const place = await makePlace();
  await writeAgeFile(place, 'a value to keep', ports);
  const identity = await make();
  writeFileSync(place.identity, identity, { mode: 0o600 });
  const found = await readAgeFile(place, ports);
  expect(found).toMatchObject({ problem: expect.stringContaining(told) });
  expect(JSON.stringify(found)).not.toContain(identity);
});

test('nothing is encrypted to a damaged identity', async () => {
  const place = await makePlace();
  writeFileSync(place.identity, 'AGE-SECRET-KEY-1QQQQ', { mode: 0o600 });
  expect(await writeAgeFile(place, 'a value', ports)).toEqual({
    problem: `the identity in ${place.identity} cannot be used`,
  });
});

test('what decrypts to nothing, or to more than a value may be, is told', async () => {
  const place = await makePlace();
  const empty = await encryptedBy(place, '\n');
  mkdirSync(join(place.folder, 'secrets'));
  writeFileSync(place.file, empty, { mode: 0o600 });
  expect(await readAgeFile(place, ports)).toMatchObject({ problem: expect.stringContaining('holds an empty text') });
  writeFileSync(place.file, await encryptedBy(place, 'x'.repeat(70_000)), { mode: 0o600 });
  expect(await readAgeFile(place, ports)).toMatchObject({ problem: expect.stringContaining('holds more than 64 KiB') });
});
