import { chmod, mkdir, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { ensureDirectory, removeTree, walkFiles } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, systemError, traceDisk } from '../support/tracingDisk.ts';

import { codeOf } from './codeOf.ts';

describe('ensureDirectory', () => {
  test('creates and syncs each missing folder, and accepts an existing folder or a link to one', async () => {
    const root = await makeTemporaryDirectory();
    const path = join(root, 'a', 'b', 'c');
    const synced: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name, operand) => {
      if (name === 'syncDirectory') synced.push(operand);
    });
    await ensureDirectory(disk, path, 0o700);
    expect(synced).toEqual([root, join(root, 'a'), join(root, 'a', 'b')]);
    expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700);
    await ensureDirectory(disk, path);
    await symlink('a', join(root, 'link'));
    await ensureDirectory(disk, join(root, 'link'));
    expect(synced.length).toBe(3);
  });

  test('fails if a file is in the way', async () => {
    const root = await makeTemporaryDirectory();
    await writeFile(join(root, 'file'), '');
    expect(await codeOf(ensureDirectory(nodeDisk, join(root, 'file')))).toBe('disk/failed');
    expect(await codeOf(ensureDirectory(nodeDisk, join(root, 'file', 'below')))).toBe('disk/failed');
  });

  test('fails if a new folder cannot be synced', async () => {
    const root = await makeTemporaryDirectory();
    const disk = failingDisk(nodeDisk, { code: 'EIO', at: 2, matches: (name) => name === 'syncDirectory' });
    expect(await codeOf(ensureDirectory(disk, join(root, 'a', 'b')))).toBe('disk/failed');
    expect(await readdir(join(root, 'a'))).toEqual(['b']);
  });

  test('fails if permission is denied on the way', async () => {
    const root = await makeTemporaryDirectory();
    const disk = failingDisk(nodeDisk, { code: 'EACCES', at: 1 });
    expect(await codeOf(ensureDirectory(disk, join(root, 'a', 'b')))).toBe('disk/denied');
  });
});

describe('removeTree', () => {
  test('removes files and folders, and links without following them', async () => {
    const root = await makeTemporaryDirectory();
    await mkdir(join(root, 'tree', 'deep', 'deeper'), { recursive: true });
    await mkdir(join(root, 'outside'));
    await writeFile(join(root, 'outside', 'kept'), '');
    await writeFile(join(root, 'tree', 'deep', 'file'), '');
    await symlink('../outside', join(root, 'tree', 'link'));
    await symlink('outside', join(root, 'link'));
    await removeTree(nodeDisk, join(root, 'tree'));
    await removeTree(nodeDisk, join(root, 'link'));
    await removeTree(nodeDisk, join(root, 'none'));
    expect(await readdir(root)).toEqual(['outside']);
    expect(await readdir(join(root, 'outside'))).toEqual(['kept']);
  });

  test('removes folders that their owner cannot write or read', async () => {
    const root = await makeTemporaryDirectory();
    await mkdir(join(root, 'tree', 'closed', 'deeper'), { recursive: true });
    await writeFile(join(root, 'tree', 'closed', 'deeper', 'file'), '');
    await chmod(join(root, 'tree', 'closed', 'deeper'), 0o500);
    await chmod(join(root, 'tree', 'closed'), 0);
    // As a plain user is answered; the tests may be run by root.
    const disk = traceDisk(nodeDisk, async (_n, name, path) => {
      const [folder, needed] = name === 'readDirectory' ? [path, 0o500] : [dirname(path), 0o300];
      if (!['readDirectory', 'unlink', 'removeDirectory'].includes(name)) return;
      if (((await stat(folder)).mode & needed) !== needed) throw systemError('EACCES');
    });
    await removeTree(disk, join(root, 'tree'));
    expect(await readdir(root)).toEqual([]);
  });

  test('ignores an entry that disappears concurrently, but no other error', async () => {
    const root = await makeTemporaryDirectory();
    for (const [code, expected] of [
      ['ENOENT', 'no error'],
      ['EACCES', 'disk/denied'],
    ] as const) {
      await mkdir(join(root, 'tree'));
      await writeFile(join(root, 'tree', 'file'), '');
      const disk = failingDisk(nodeDisk, { code, at: 1, matches: (name) => name === 'readDirectory' });
      expect(await codeOf(removeTree(disk, join(root, 'tree')))).toBe(expected);
      await removeTree(nodeDisk, join(root, 'tree'));
    }
  });
});

describe('walkFiles', () => {
  test('lists the files below a folder, sorted, without following links', async () => {
    const root = await makeTemporaryDirectory();
    await mkdir(join(root, 'b', 'c'), { recursive: true });
    await mkdir(join(root, 'empty'));
    for (const file of ['z', 'b/x', 'b/c/y', 'a']) await writeFile(join(root, file), '');
    await symlink('b', join(root, 'linkedFolder'));
    await symlink('a', join(root, 'linkedFile'));
    expect(await walkFiles(nodeDisk, root)).toEqual(['a', 'b/c/y', 'b/x', 'z']);
  });

  test('reads at most eight folders at a time', async () => {
    const root = await makeTemporaryDirectory();
    for (let n = 0; n < 100; n++) await mkdir(join(root, `${n}`));
    let [now, most] = [0, 0];
    const disk: Disk = {
      ...nodeDisk,
      readDirectory: async (path) => {
        most = Math.max(most, ++now);
        const entries = await nodeDisk.readDirectory(path);
        now--;
        return entries;
      },
    };
    await walkFiles(disk, root);
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(8);
  });

  test('skips a folder that disappears, but fails for an unreadable one or a missing root', async () => {
    const root = await makeTemporaryDirectory();
    await mkdir(join(root, 'folder'));
    await writeFile(join(root, 'folder', 'file'), '');
    const disk = (code: string, at: number) => failingDisk(nodeDisk, { code, at });
    expect(await walkFiles(disk('ENOENT', 2), root)).toEqual([]);
    expect(await codeOf(walkFiles(disk('EACCES', 2), root))).toBe('disk/denied');
    expect(await codeOf(walkFiles(disk('ENOENT', 1), root))).toBe('disk/failed');
  });
});
