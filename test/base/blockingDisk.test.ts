import { execFileSync } from 'node:child_process';
import { appendFileSync, mkdirSync, renameSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { blockingDisk } from '../../src/base/blockingDisk.ts';
import type { ReadingDisk } from '../../src/base/disk.ts';
import { systemCode } from '../../src/base/errors.ts';
import { readTextIfExists } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

async function makeFolder(): Promise<string> {
  const folder = await makeTemporaryDirectory();
  writeFileSync(join(folder, 'file'), 'text\n');
  mkdirSync(join(folder, 'folder'));
  symlinkSync('file', join(folder, 'link'));
  symlinkSync('loop', join(folder, 'loop'));
  execFileSync('mkfifo', [join(folder, 'pipe')]);
  truncateSync(join(folder, 'file'), 5);
  return folder;
}

/** The answer of a disk; an error is given by its code. */
async function answerOf(ask: (disk: ReadingDisk) => Promise<unknown>, disk: ReadingDisk): Promise<unknown> {
  try {
    return await ask(disk);
  } catch (error) {
    return systemCode(error);
  }
}

describe('blockingDisk answers as nodeDisk does', () => {
  test.each(['file', 'folder', 'link', 'loop', 'pipe', 'nothing', 'file/below'])('for the name %s', async (name) => {
    const path = join(await makeFolder(), name);
    const questions: ((disk: ReadingDisk) => Promise<unknown>)[] = [
      (disk) => disk.stat(path),
      (disk) => disk.lstat(path),
      (disk) => disk.stampEach([path, path]),
      (disk) => disk.readDirectory(path),
      (disk) => disk.readLink(path),
      (disk) => disk.realPath(path),
      (disk) => readTextIfExists(disk, path, { bytesMax: 5 }).catch((error: { code?: string }) => error.code),
    ];
    for (const ask of questions) expect(await answerOf(ask, blockingDisk)).toEqual(await answerOf(ask, nodeDisk));
  });

  test('for the listing of a whole folder', async () => {
    const folder = await makeFolder();
    expect(await blockingDisk.readDirectory(folder)).toEqual(await nodeDisk.readDirectory(folder));
  });
});

describe.each([
  ['nodeDisk', nodeDisk],
  ['blockingDisk', blockingDisk],
])('%s', (_name, disk) => {
  test('passes the stat of a file to a check before reading it', async () => {
    const file = join(await makeFolder(), 'file');
    const refuse = (stat: { readonly size: number }) => {
      throw new Error(`${stat.size} bytes`);
    };
    await expect(disk.readFile(file, refuse)).rejects.toThrow('5 bytes');
    expect((await disk.readFile(file, () => undefined)).toString()).toBe('text\n');
  });

  test('reads each byte of a file once that grows after it was looked at', async () => {
    const file = join(await makeFolder(), 'file');
    const bytes = await disk.readFile(file, () => appendFileSync(file, 'more text\n'));
    expect(bytes.toString()).toBe('text\nmore text\n');
  });

  test('refuses a pipe instead of waiting for a writer', async () => {
    const pipe = join(await makeFolder(), 'pipe');
    const problem = await failureOf(() => readTextIfExists(disk, pipe));
    expect(problem).toMatchObject({ code: 'disk/failed' });
  });

  test('changes the stamp of a file that is written to or renamed over, even if its old time is restored', async () => {
    const folder = await makeFolder();
    const file = join(folder, 'file');
    utimesSync(file, 1000, 1000);
    const before = await disk.stampEach([file]);
    expect(Array.from(before)).toHaveLength(4);
    writeFileSync(file, 'TEXT\n');
    utimesSync(file, 1000, 1000);
    const written = await disk.stampEach([file]);
    expect(written).not.toEqual(before);
    writeFileSync(join(folder, 'other'), 'text\n');
    utimesSync(join(folder, 'other'), 1000, 1000);
    renameSync(join(folder, 'other'), file);
    const replaced = await disk.stampEach([file]);
    expect(replaced[0]).not.toBe(written[0]);
    expect(await disk.stampEach([join(folder, 'nothing')])).toEqual([0, 0, 0, 0]);
  });
});
