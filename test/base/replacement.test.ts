import { chmod, link, lstat, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readTextIfExists } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import {
  carryOut,
  prepareReplacement,
  replacementOf,
  settleReplacement,
  wasCarriedOut,
} from '../../src/base/replacement.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';

async function makeFile(text = 'old\n') {
  const directory = await makeTemporaryDirectory();
  const path = join(directory, 'backlog.yaml');
  await writeFile(path, text);
  await chmod(path, 0o640);
  return { directory, path, replacement: replacementOf(directory, 'backlog.yaml', '01ABC') };
}

test('carryOut puts the prepared text in place of the file and keeps its permissions', async () => {
  const { path, replacement } = await makeFile();
  await prepareReplacement(nodeDisk, replacement, 'new\n');
  expect([await readFile(path, 'utf8'), await wasCarriedOut(nodeDisk, replacement)]).toEqual(['old\n', false]);
  await carryOut(nodeDisk, replacement, 'old\n');
  expect([await readFile(path, 'utf8'), await wasCarriedOut(nodeDisk, replacement)]).toEqual(['new\n', true]);
  expect((await stat(path)).mode & 0o777).toBe(0o640);
});

test('wasCarriedOut stays true, whatever happens to the file afterwards', async () => {
  const { path, replacement } = await makeFile();
  await prepareReplacement(nodeDisk, replacement, 'new\n');
  await carryOut(nodeDisk, replacement, 'old\n');
  await writeFile(path, 'old\n');
  expect(await wasCarriedOut(nodeDisk, replacement)).toBe(true);
  await rm(path);
  expect(await wasCarriedOut(nodeDisk, replacement)).toBe(true);
});

test('a prepared text can be prepared again, and is never missing meanwhile', async () => {
  const { path, replacement } = await makeFile();
  const there: boolean[] = [];
  await prepareReplacement(nodeDisk, replacement, 'a long content that waits\n');
  const disk = traceDisk(nodeDisk, async (_n, name) => {
    if (name !== 'open') there.push(!(await wasCarriedOut(nodeDisk, replacement)));
  });
  await prepareReplacement(disk, replacement, 'short\n');
  expect(new Set(there)).toEqual(new Set([true]));
  await carryOut(nodeDisk, replacement, 'old\n');
  expect(await readFile(path, 'utf8')).toBe('short\n');
});

test.each([
  ['symlink', symlink],
  ['hard link', link],
])('a %s where the text will wait is replaced itself, and what it leads to stays as it is', async (_kind, lay) => {
  const { directory, path, replacement } = await makeFile();
  const outside = join(directory, 'outside');
  await writeFile(outside, 'precious\n');
  await lay(outside, replacement.beside);
  await prepareReplacement(nodeDisk, replacement, 'new\n');
  expect((await lstat(replacement.beside)).isFile()).toBe(true);
  await carryOut(nodeDisk, replacement, 'old\n');
  expect((await lstat(path)).isFile()).toBe(true);
  expect([await readFile(path, 'utf8'), await readFile(outside, 'utf8')]).toEqual(['new\n', 'precious\n']);
});

test('carryOut leaves a file alone that changed since it was read', async () => {
  const { path, replacement } = await makeFile();
  await prepareReplacement(nodeDisk, replacement, 'new\n');
  for (const seen of ['older\n', undefined]) {
    expect(await failureOf(() => carryOut(nodeDisk, replacement, seen))).toMatchObject({
      code: 'yaml/changedMeanwhile',
    });
  }
  expect([await readFile(path, 'utf8'), await wasCarriedOut(nodeDisk, replacement)]).toEqual(['old\n', false]);
});

test('carryOut creates a file that does not exist yet', async () => {
  const { path, replacement } = await makeFile();
  await rm(path);
  await prepareReplacement(nodeDisk, replacement, 'new\n');
  await carryOut(nodeDisk, replacement, undefined);
  expect(await readTextIfExists(nodeDisk, path)).toBe('new\n');
});

test('prepareReplacement refuses a symlink and prepares nothing', async () => {
  const { directory, path, replacement } = await makeFile();
  await rm(path);
  await symlink(join(directory, 'elsewhere'), path);
  expect(await failureOf(() => prepareReplacement(nodeDisk, replacement, 'new\n'))).toMatchObject({
    code: 'disk/failed',
  });
  expect(await wasCarriedOut(nodeDisk, replacement)).toBe(true);
});

test('contents and names are synced in the order that a power cut requires', async () => {
  const { replacement } = await makeFile();
  const steps: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name) => {
    if (['file.sync', 'rename', 'syncDirectory'].includes(name)) steps.push(name);
  });
  await prepareReplacement(disk, replacement, 'new\n');
  await carryOut(disk, replacement, 'old\n');
  expect(steps).toEqual(['file.sync', 'rename', 'syncDirectory', 'rename', 'syncDirectory']);
});

test('a disk error at any step is reported as disk/failed', async () => {
  const { replacement } = await makeFile();
  for (const refused of ['file.sync', 'syncDirectory', 'rename'] as const) {
    const disk = failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: (name) => name === refused });
    const replace = async () => {
      await prepareReplacement(disk, replacement, 'new\n');
      await carryOut(disk, replacement, 'old\n');
    };
    expect(await failureOf(replace), refused).toMatchObject({ code: 'disk/failed' });
  }
  const disk = failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: (name) => name === 'syncDirectory' });
  expect(await failureOf(() => settleReplacement(disk, replacement))).toMatchObject({ code: 'disk/failed' });
});
