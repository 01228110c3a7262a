import { open, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { replaceSeen } from '../../src/base/seenFile.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, systemError, traceDisk } from '../support/tracingDisk.ts';

const isOld = (bytes: Buffer | undefined) => bytes?.toString() === 'old\n';

async function makeFiles() {
  const folder = await makeTemporaryDirectory();
  const [path, from] = [join(folder, 'file'), join(folder, 'from')];
  await writeFile(path, 'old\n');
  await writeFile(from, 'new\n');
  const texts = async () => {
    const names = (await readdir(folder)).sort();
    return Promise.all(names.map(async (name) => `${name}: ${(await readFile(join(folder, name), 'utf8')).trim()}`));
  };
  return { folder, path, from, texts };
}

/** The real disk, on which somebody does something right before the n-th of these operations. */
function meanwhile(operation: string, at: number, act: () => Promise<unknown>): Disk {
  let count = 0;
  return traceDisk(nodeDisk, async (_n, name) => {
    if (name === operation && ++count === at) await act();
  });
}

const withoutLinks = failingDisk(nodeDisk, { code: 'EPERM', at: 1, forEver: true, matches: (name) => name === 'link' });

describe('replaceSeen', () => {
  test.each([
    ['with hard links', nodeDisk],
    ['without hard links', withoutLinks],
  ])('replaces the file that was seen, %s', async (_name, disk) => {
    const { path, from, texts } = await makeFiles();
    await replaceSeen(disk, from, path, isOld);
    expect(await texts()).toEqual(['file: new']);
  });

  test('refuses a file that is not as it was seen, and leaves both', async () => {
    const { path, from, texts } = await makeFiles();
    await writeFile(path, 'theirs\n');
    expect(await failureOf(() => replaceSeen(nodeDisk, from, path, isOld))).toMatchObject({
      code: 'yaml/changedMeanwhile',
    });
    expect(await texts()).toEqual(['file: theirs', 'from: new']);
  });

  test('refuses a file that appeared after none was seen', async () => {
    const { path, from, texts } = await makeFiles();
    const refused = await failureOf(() => replaceSeen(nodeDisk, from, path, (bytes) => bytes === undefined));
    expect(refused).toMatchObject({ code: 'yaml/changedMeanwhile' });
    expect(await texts()).toEqual(['file: old', 'from: new']);
  });

  const saves: readonly (readonly [string, (path: string, folder: string) => Promise<void>])[] = [
    ['writes into it', (path) => writeFile(path, 'mine')],
    [
      'renames another file over it',
      async (path, folder) => {
        await writeFile(join(folder, 'swap'), 'mine');
        await rename(join(folder, 'swap'), path);
      },
    ],
  ];

  test.each(saves)('sees at its last look that a person %s after it was read', async (_how, save) => {
    for (const real of [true, false]) {
      const { folder, path, from, texts } = await makeFiles();
      const disk = meanwhile('rename', 1, () => save(path, folder));
      const own: Disk = real ? disk : { ...disk, link: withoutLinks.link };
      expect(await failureOf(() => replaceSeen(own, from, path, isOld))).toMatchObject({
        code: 'yaml/changedMeanwhile',
      });
      expect(await texts()).toEqual(['file: mine', 'from: new']);
    }
  });

  test('puts back what a person writes into the file after the last look, also while they still write', async () => {
    const { path, from, texts } = await makeFiles();
    const editor = await open(path, 'r+');
    const disk = meanwhile('readFile', 2, async () => {
      await editor.truncate(0);
    });
    expect(await failureOf(() => replaceSeen(disk, from, path, isOld))).toMatchObject({
      code: 'yaml/changedMeanwhile',
    });
    await editor.write('mine', 0);
    await editor.close();
    expect(await texts()).toEqual(['file: mine', 'from: new']);
  });

  test('puts nothing back over what a person saved once more', async () => {
    const { folder, path, from, texts } = await makeFiles();
    const editor = await open(path, 'r+');
    const disk = meanwhile('readFile', 2, async () => {
      await editor.write('mine', 0);
      await writeFile(join(folder, 'swap'), 'mine again');
      await rename(join(folder, 'swap'), path);
    });
    expect(await failureOf(() => replaceSeen(disk, from, path, isOld))).toMatchObject({
      code: 'yaml/changedMeanwhile',
    });
    await editor.close();
    expect((await texts())[0]).toBe('file: mine again');
  });

  test('leaves no second name behind if the rename fails', async () => {
    const { path, from, texts } = await makeFiles();
    const disk = meanwhile('rename', 1, async () => {
      throw systemError('EIO');
    });
    await expect(replaceSeen(disk, from, path, isOld)).rejects.toMatchObject({ code: 'EIO' });
    expect(await texts()).toEqual(['file: old', 'from: new']);
  });
});
