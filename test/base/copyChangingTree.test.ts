import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { copyChangingTree } from '../../src/base/copyChangingTree.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { systemError } from '../support/tracingDisk.ts';

let from: string;
let to: string;

beforeEach(async () => {
  const root = await makeTemporaryDirectory();
  from = join(root, 'from');
  to = join(root, 'to');
  mkdirSync(join(from, 'inner'), { recursive: true });
  writeFileSync(join(from, 'a.txt'), 'a');
  writeFileSync(join(from, 'run.sh'), '#!/bin/sh\n', { mode: 0o755 });
  writeFileSync(join(from, 'inner/b.txt'), 'b');
  symlinkSync('../a.txt', join(from, 'inner/link'));
});

test('files, links and folders are copied with their permissions', async () => {
  await copyChangingTree(nodeDisk, from, to);
  expect(listTree(to)).toEqual(listTree(from));
  expect(readFileSync(join(to, 'inner/b.txt'), 'utf8')).toBe('b');
  expect(statSync(join(to, 'run.sh')).mode & 0o777).toBe(0o755);
});

test.each([
  ['a file', 'a.txt', ['inner/b.txt', 'inner/link', 'run.sh']],
  ['a link', 'inner/link', ['a.txt', 'inner/b.txt', 'run.sh']],
  ['a folder', 'inner', ['a.txt', 'run.sh']],
])('%s that is gone before it is read is left out', async (_what, gone, left) => {
  const disk: Disk = {
    ...nodeDisk,
    readDirectory: async (path) => {
      const entries = await nodeDisk.readDirectory(path);
      if (entries.some(({ name }) => join(path, name) === join(from, gone)))
        rmSync(join(from, gone), { recursive: true });
      return entries;
    },
  };
  await copyChangingTree(disk, from, to);
  expect(filesOf(to)).toEqual(left);
});

test('a pipe is left out, also one that has just taken the place of a file', async () => {
  const pipes = [join(from, 'a.txt'), join(from, 'run.sh')];
  const disk: Disk = {
    ...nodeDisk,
    readDirectory: async (path) =>
      (await nodeDisk.readDirectory(path)).map((entry) =>
        entry.name === 'a.txt' ? { ...entry, kind: 'other' } : entry,
      ),
    lstat: async (path) => ({ ...(await nodeDisk.lstat(path)), ...(pipes.includes(path) ? { kind: 'other' } : {}) }),
  };
  await copyChangingTree(disk, from, to);
  expect(filesOf(to)).toEqual(['inner/b.txt', 'inner/link']);
});

test('a read-only folder is copied with its content, and unreadable files are left out', async () => {
  const denied = join(from, 'run.sh');
  const disk: Disk = {
    ...nodeDisk,
    open: (path, mode, permissions) =>
      path === denied ? Promise.reject(systemError('EACCES')) : nodeDisk.open(path, mode, permissions),
    lstat: async (path) => {
      const stat = await nodeDisk.lstat(path);
      return path === join(from, 'inner') ? { ...stat, mode: (stat.mode & ~0o777) | 0o555 } : stat;
    },
  };
  await copyChangingTree(disk, from, to);
  expect(filesOf(to)).toEqual(['a.txt', 'inner/b.txt', 'inner/link']);
  expect(statSync(join(to, 'inner')).mode & 0o777).toBe(0o755);
});

test('a large file is copied whole, and one that grows meanwhile as long as it was', async () => {
  const large = Buffer.alloc(3 * 1024 * 1024 + 7, 'abc');
  writeFileSync(join(from, 'a.txt'), large);
  const disk: Disk = {
    ...nodeDisk,
    open: async (path, mode, permissions) => {
      if (path === join(from, 'a.txt')) appendFileSync(path, 'more');
      return nodeDisk.open(path, mode, permissions);
    },
  };
  await copyChangingTree(disk, from, to);
  expect(readFileSync(join(to, 'a.txt')).equals(large)).toBe(true);
});

test('a folder that is gone leaves no copy', async () => {
  await copyChangingTree(nodeDisk, join(from, 'none'), to);
  expect(existsSync(to)).toBe(false);
});

test('what the system refuses is an error that names the file', async () => {
  writeFileSync(to, 'taken');
  expect(await failureOf(() => copyChangingTree(nodeDisk, from, to))).toMatchObject({
    code: 'disk/failed',
    subject: to,
  });
});

function filesOf(folder: string): string[] {
  return listTree(folder).flatMap((line) => (line.endsWith('/') ? [] : line.split(/: | -> /, 1)));
}
