import { execFile, execFileSync, spawn } from 'node:child_process';
import { constants, mkdir, readdir, readFile, readlink, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { blockingDisk } from '../../src/base/blockingDisk.ts';
import type { Disk, FileOpenMode } from '../../src/base/disk.ts';
import { removeTree } from '../../src/base/files.ts';
import { moveTree } from '../../src/base/moveTree.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { testNeeding } from '../support/machine.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

describe('nodeDisk', () => {
  test('freeBytes agrees with df to within 1 GiB, and rejects for a missing folder', async () => {
    const folder = await makeTemporaryDirectory();
    const { stdout } = await promisify(execFile)('df', ['--output=avail', '-B1', folder]);
    const free = Number(stdout.trim().split('\n')[1]);
    // Other processes write at the same time.
    expect(Math.abs((await nodeDisk.freeBytes(folder)) - free)).toBeLessThan(1024 ** 3);
    await expect(nodeDisk.freeBytes(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test.each<[FileOpenMode, string | undefined, string]>([
    ['append', 'old', 'old+new'],
    ['append', undefined, '+new'],
    ['appendDurably', 'old', 'old+new'],
    ['appendDurably', undefined, '+new'],
    ['exclusive', undefined, '+new'],
    ['exclusive', 'old', 'EEXIST'],
    ['update', 'old!', '+new'],
    ['update', undefined, 'ENOENT'],
    ['read', undefined, 'ENOENT'],
    ['read', 'old', 'EBADF'],
    ['readItself', undefined, 'ENOENT'],
    ['readItself', 'old', 'EBADF'],
  ])('opened for %s, a file with %j takes "+new" and ends as %s', async (mode, before, expected) => {
    const path = join(await makeTemporaryDirectory(), 'file');
    if (before !== undefined) await writeFile(path, before);
    const change = async () => {
      const file = await nodeDisk.open(path, mode);
      try {
        expect(await file.write(Buffer.from('+new'))).toBe(4);
        await file.sync();
      } finally {
        await file.close();
      }
      return readFile(path, 'utf8');
    };
    expect(await change().catch((error: NodeJS.ErrnoException) => error.code)).toBe(expected);
  });

  testNeeding(['Linux'], 'opens a file for durable appends so that they need no sync of their own', async () => {
    const path = join(await makeTemporaryDirectory(), 'file');
    const flagsOf = async (mode: FileOpenMode) => {
      const file = await nodeDisk.open(path, mode);
      for (const name of await readdir('/proc/self/fd')) {
        if ((await readlink(`/proc/self/fd/${name}`).catch(() => '')) !== path) continue;
        const [, flags = ''] = /^flags:\s+(\d+)/m.exec(await readFile(`/proc/self/fdinfo/${name}`, 'utf8')) ?? [];
        await file.close();
        return Number.parseInt(flags, 8);
      }
      throw new Error('the file is not open');
    };
    expect((await flagsOf('append')) & constants.O_DSYNC).toBe(0);
    expect((await flagsOf('appendDurably')) & constants.O_DSYNC).toBe(constants.O_DSYNC);
  });

  test('reads, measures and cuts an open file', async () => {
    const path = join(await makeTemporaryDirectory(), 'file');
    await writeFile(path, '0123456789');
    const file = await nodeDisk.open(path, 'append');
    const buffer = Buffer.alloc(4);
    expect(await file.read(buffer, 8)).toBe(2);
    expect(await file.read(buffer, 3)).toBe(4);
    expect(buffer.toString()).toBe('3456');
    expect(await file.size()).toBe(10);
    await file.truncate(5);
    await file.write(Buffer.from('x'));
    await file.close();
    expect((await nodeDisk.readFile(path)).toString()).toBe('01234x');
  });

  test.each(['read', 'readItself'] as const)('opens a pipe without a writer by %s without a wait', async (mode) => {
    const pipe = join(await makeTemporaryDirectory(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    const file = await nodeDisk.open(pipe, mode);
    expect(await file.size()).toBe(0);
    await file.close();
  });

  test('refuses to read a folder as a file', async () => {
    await expect(nodeDisk.readFile(await makeTemporaryDirectory())).rejects.toMatchObject({ code: 'EISDIR' });
  });
  test('reads a pipe without a writer without a wait', async () => {
    const pipe = join(await makeTemporaryDirectory(), 'pipe');
    execFileSync('mkfifo', [pipe]);
    expect(await nodeDisk.readFile(pipe)).toEqual(Buffer.alloc(0));
  });

  test('tells files, folders and links apart', async () => {
    const directory = await makeTemporaryDirectory();
    await mkdir(join(directory, 'folder'));
    await writeFile(join(directory, 'file'), 'abc');
    await symlink('file', join(directory, 'link'));
    const entries = await nodeDisk.readDirectory(directory);
    expect(entries.sort((a, b) => (a.name < b.name ? -1 : 1))).toEqual([
      { name: 'file', kind: 'file' },
      { name: 'folder', kind: 'directory' },
      { name: 'link', kind: 'symlink' },
    ]);
    const link = join(directory, 'link');
    expect((await nodeDisk.lstat(link)).kind).toBe('symlink');
    expect(await nodeDisk.stat(link)).toMatchObject({ kind: 'file', size: 3 });
    expect(await nodeDisk.readLink(link)).toBe('file');
    expect(await nodeDisk.realPath(link)).toBe(join(directory, 'file'));
  });

  test.each<FileOpenMode>(['append', 'appendDurably', 'update', 'exclusive', 'readItself'])(
    'opens by %s no link, wherever it leads',
    async (mode) => {
      const directory = await makeTemporaryDirectory();
      await writeFile(join(directory, 'outside'), 'theirs');
      await symlink('outside', join(directory, 'link'));
      await symlink('missing', join(directory, 'dangling'));
      for (const name of ['link', 'dangling']) {
        const opening = nodeDisk.open(join(directory, name), mode);
        await expect(opening).rejects.toMatchObject({ code: mode === 'exclusive' ? 'EEXIST' : 'ELOOP' });
      }
      expect((await readdir(directory)).sort()).toEqual(['dangling', 'link', 'outside']);
    },
  );

  test('changes names and modes', async () => {
    const directory = await makeTemporaryDirectory();
    const [a, b, folder] = [join(directory, 'a'), join(directory, 'b'), join(directory, 'folder')];
    await nodeDisk.makeDirectory(folder, 0o700);
    expect((await nodeDisk.stat(folder)).mode).toBe(0o700);
    await (await nodeDisk.open(a, 'exclusive', 0o600)).close();
    expect((await nodeDisk.stat(a)).mode).toBe(0o600);
    await (await nodeDisk.open(join(directory, 'wide'), 'exclusive', 0o666)).close();
    expect((await nodeDisk.stat(join(directory, 'wide'))).mode).toBe(0o666);
    await nodeDisk.unlink(join(directory, 'wide'));
    await nodeDisk.changeMode(a, 0o640);
    expect((await nodeDisk.stat(a)).mode).toBe(0o640);
    await utimes(a, 1_700_000_000.9996, 1_700_000_000.9996);
    await nodeDisk.cloneFile(a, b);
    expect(await nodeDisk.stat(b)).toMatchObject({ mode: 0o640, mtimeMs: 1_700_000_000_999 });
    expect(await nodeDisk.readFile(b)).toEqual(await nodeDisk.readFile(a));
    await expect(nodeDisk.cloneFile(a, b)).rejects.toMatchObject({ code: 'EEXIST' });
    await nodeDisk.unlink(b);
    await nodeDisk.link(a, b);
    await expect(nodeDisk.link(a, b)).rejects.toMatchObject({ code: 'EEXIST' });
    await nodeDisk.unlink(b);
    await nodeDisk.rename(a, b);
    await nodeDisk.symlink('b', a);
    await nodeDisk.syncDirectory(directory);
    expect((await nodeDisk.readDirectory(directory)).length).toBe(3);
    await nodeDisk.removeDirectory(folder);
    await expect(nodeDisk.syncDirectory(folder)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  testNeeding(['Linux'], 'syncs a folder of a file system that knows no sync of folders', async () => {
    await nodeDisk.syncDirectory('/proc');
  });

  testNeeding(['Linux'], 'a file whose name is no UTF-8 can be listed, read, moved and removed', async () => {
    const root = await makeTemporaryDirectory();
    const folder = join(root, 'made');
    await nodeDisk.makeDirectory(folder);
    await writeFile(Buffer.from(`${folder}/caf\u{e9}`, 'latin1'), 'x');
    await nodeDisk.symlink('caf\u{dce9}', join(folder, 'link'));
    const [file = { name: '' }] = await nodeDisk.readDirectory(folder);
    expect(file).toEqual({ name: 'caf\u{dce9}', kind: 'file' });
    expect(await blockingDisk.readDirectory(folder)).toEqual(await nodeDisk.readDirectory(folder));
    for (const disk of [nodeDisk, blockingDisk]) {
      expect((await disk.readFile(join(folder, file.name))).toString()).toBe('x');
      expect(await disk.readLink(join(folder, 'link'))).toBe(file.name);
    }
    const apart: Disk = {
      ...nodeDisk,
      rename: (from, to) =>
        from.includes('/there') === to.includes('/there') ? nodeDisk.rename(from, to) : otherDisk(),
    };
    await moveTree(apart, { from: folder, to: join(root, 'there/made'), tag: 'tag' });
    expect((await nodeDisk.readFile(join(root, 'there/made', file.name))).toString()).toBe('x');
    await removeTree(nodeDisk, join(root, 'there'));
    expect(await nodeDisk.readDirectory(root)).toEqual([]);
  });

  test('lists a folder whose entries vanish at the same time, such as /proc', async () => {
    const folder = process.platform === 'linux' ? '/proc' : await makeTemporaryDirectory();
    const starters = Array.from({ length: 4 }, () => spawn('/bin/sh', ['-c', 'while :; do (true); done']));
    try {
      const read = async () => {
        for (let n = 0; n < 750; n++) expect(await nodeDisk.readDirectory(folder)).toBeInstanceOf(Array);
      };
      await Promise.all([read(), read()]);
    } finally {
      for (const starter of starters) starter.kill('SIGKILL');
    }
  });
});

async function otherDisk(): Promise<never> {
  throw Object.assign(new Error('another file system'), { code: 'EXDEV' });
}
