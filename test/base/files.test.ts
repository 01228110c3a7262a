import { chmod, mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { isRavelError } from '../../src/base/errors.ts';
import {
  copyFileAtomic,
  exists,
  isTemporaryName,
  readText,
  readTextIfExists,
  removeFileIf,
  sha256,
  writeAtomic,
  writeAtomicIf,
} from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, shortWritingDisk, systemError, traceDisk } from '../support/tracingDisk.ts';

import { codeOf } from './codeOf.ts';

test('sha256 returns the standard hash in hexadecimal', () => {
  const expected = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad';
  expect(sha256('abc')).toBe(expected);
  expect(sha256(Buffer.from('abc'))).toBe(expected);
});

describe('reading a text file', () => {
  async function check(content: Uint8Array, expected: { text?: string; message?: string; line?: number }) {
    const path = join(await makeTemporaryDirectory(), 'file');
    await writeFile(path, content);
    for (const read of [readText, readTextIfExists]) {
      const result = await read(nodeDisk, path).catch((error: unknown) => error);
      if (expected.text !== undefined) {
        expect(result).toBe(expected.text);
        continue;
      }
      expect(isRavelError(result, 'yaml/encoding') && result.diagnostic).toMatchObject({
        subject: path,
        file: path,
        message: expect.stringContaining(`offset ${expected.message}`),
        range: { start: { line: expected.line, character: 0 } },
      });
    }
  }

  test.each<[string, Uint8Array, { text?: string; message?: string; line?: number }]>([
    ['returns UTF-8 text', Buffer.from('añ€😀\n'), { text: 'añ€😀\n' }],
    ['keeps a byte order mark', Buffer.from('\ufeffa'), { text: '\ufeffa' }],
    ['accepts a real U+FFFD', Buffer.from('\ufffd'), { text: '\ufffd' }],
    ['keeps CRLF', Buffer.from('a\r\nb'), { text: 'a\r\nb' }],
    ['refuses a stray byte', Buffer.from('ab\nc\xff', 'latin1'), { message: '4, on line 2', line: 1 }],
    ['refuses an invalid first byte', Buffer.from([0x80]), { message: '0, on line 1', line: 0 }],
    ['refuses a character cut off at the end', Buffer.from([0x61, 0xef, 0xbf]), { message: '1, on line 1', line: 0 }],
    [
      'refuses a character cut off in the middle',
      Buffer.from([0xef, 0xbf, 0x41]),
      { message: '0, on line 1', line: 0 },
    ],
    [
      'refuses a stray byte after a real U+FFFD',
      Buffer.from([0xef, 0xbf, 0xbd, 0x0a, 0xff]),
      { message: '4, on line 2', line: 1 },
    ],
    ['refuses an encoded surrogate', Buffer.from([0x61, 0x61, 0xed, 0xa0, 0x80]), { message: '2, on line 1', line: 0 }],
  ])('%s', async (_name, content, expected) => check(content, expected));

  test('of a missing path returns undefined from readTextIfExists and throws from readText', async () => {
    const path = join(await makeTemporaryDirectory(), 'none');
    expect(await readTextIfExists(nodeDisk, path)).toBeUndefined();
    expect(await codeOf(readText(nodeDisk, path))).toBe('disk/failed');
    expect(await exists(nodeDisk, path)).toBe(false);
  });

  test('stops at bytesMax, even if the file grows while it is read', async () => {
    const path = join(await makeTemporaryDirectory(), 'file');
    await writeFile(path, '12345');
    expect(await readText(nodeDisk, path, { bytesMax: 5 })).toBe('12345');
    expect(await codeOf(readText(nodeDisk, path, { bytesMax: 4 }))).toBe('disk/tooLarge');
    const growing = traceDisk(nodeDisk, async (_n, name) => {
      if (name === 'readFile') await writeFile(path, '123456789');
    });
    expect(await codeOf(readText(growing, path, { bytesMax: 5 }))).toBe('disk/tooLarge');
  });

  test('refuses a folder by name', async () => {
    const path = await makeTemporaryDirectory();
    const error = await readTextIfExists(nodeDisk, path).catch((caught: unknown) => caught);
    expect(isRavelError(error, 'disk/failed') && error.message).toBe(`${path} is a folder; a file was expected.`);
  });

  test('treats a dangling link as existing but without text', async () => {
    const path = join(await makeTemporaryDirectory(), 'link');
    await symlink('nowhere', path);
    expect(await exists(nodeDisk, path)).toBe(true);
    expect(await readTextIfExists(nodeDisk, path)).toBeUndefined();
  });

  test.each([
    ['EACCES', 'disk/denied'],
    ['EIO', 'disk/failed'],
  ])('reports %s as %s', async (system, code) => {
    const path = join(await makeTemporaryDirectory(), 'file');
    await writeFile(path, 'a');
    const disk = () => failingDisk(nodeDisk, { code: system, at: 1 });
    expect(await codeOf(readText(disk(), path))).toBe(code);
    expect(await codeOf(readTextIfExists(disk(), path))).toBe(code);
    expect(await codeOf(exists(disk(), path))).toBe(code);
  });
});

type Write = (disk: Disk, path: string, data: string) => Promise<void>;
const writers: readonly [string, Write][] = [
  ['writeAtomic', (disk, path, data) => writeAtomic(disk, path, data)],
  ['writeAtomicIf', (disk, path, data) => writeAtomicIf(disk, path, sha256('old'), data)],
];

describe.each(writers)('%s', (_name, write) => {
  async function makeFile(): Promise<string> {
    const path = join(await makeTemporaryDirectory(), 'file');
    await writeFile(path, 'old');
    return path;
  }

  async function expectUntouched(path: string): Promise<void> {
    expect(await readFile(path, 'utf8')).toBe('old');
    expect(await readdir(join(path, '..'))).toEqual(['file']);
  }

  test('writes, syncs, renames and syncs the folder, in this order', async () => {
    const path = await makeFile();
    const names: string[] = [];
    await write(
      traceDisk(nodeDisk, (_n, name) => void names.push(name)),
      path,
      'new',
    );
    expect(await readFile(path, 'utf8')).toBe('new');
    expect(await readdir(join(path, '..'))).toEqual(['file']);
    const durable = ['open', 'file.write', 'file.sync', 'rename', 'syncDirectory'];
    expect(names.filter((name) => durable.includes(name))).toEqual(durable);
  });

  test('leaves the file as it was if any operation before the rename fails', async () => {
    const path = await makeFile();
    const operations: string[] = [];
    await write(
      traceDisk(nodeDisk, (_n, name) => void operations.push(name)),
      path,
      'old',
    );
    expect(operations.indexOf('rename')).toBeGreaterThan(3);
    for (let at = 1; at <= operations.indexOf('rename') + 1; at++) {
      const name = operations[at - 1];
      // Without a second name for what is replaced it goes on, as on a file system that has none.
      if (name === 'link') continue;
      expect(await codeOf(write(failingDisk(nodeDisk, { code: 'EIO', at }), path, 'new')), `${at} ${name}`).toBe(
        'disk/failed',
      );
      await expectUntouched(path);
    }
    const syncFails = failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: (name) => name === 'syncDirectory' });
    expect(await codeOf(write(syncFails, path, 'new'))).toBe('disk/failed');
  });

  test('reports the first error even if the cleanup fails too', async () => {
    const path = await makeFile();
    const disk = traceDisk(nodeDisk, (_n, name) => {
      if (name === 'file.sync') throw systemError('ENOSPC');
      if (name === 'unlink') throw systemError('EIO');
    });
    expect(await codeOf(write(disk, path, 'new'))).toBe('disk/full');
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test('leaves the old or the new content if the disk stops at any operation', async () => {
    const path = await makeFile();
    const total = traceDisk(nodeDisk, () => undefined);
    await write(total, path, 'old');
    for (let at = 1; at <= total.operationCount(); at++) {
      await writeFile(path, 'old');
      const crashing = failingDisk(nodeDisk, { code: 'ESHUTDOWN', at, forEver: true });
      await codeOf(write(crashing, path, 'new'));
      expect(['old', 'new']).toContain(await readFile(path, 'utf8'));
      const names = await readdir(join(path, '..'));
      expect(names.filter((name) => name !== 'file' && !isTemporaryName(name))).toEqual([]);
    }
  });

  test.each([0, 1, 9_999])('leaves the file as it was if the disk is full after %i bytes', async (bytes) => {
    const path = await makeFile();
    expect(await codeOf(write(shortWritingDisk(nodeDisk, bytes), path, 'x'.repeat(10_000)))).toBe('disk/full');
    await expectUntouched(path);
  });

  test('continues a partial write and takes a write of zero bytes for a full disk', async () => {
    const path = await makeFile();
    const slicing = (most: (asked: number) => number): Disk => ({
      ...nodeDisk,
      open: async (name, mode, permissions) => {
        const file = await nodeDisk.open(name, mode, permissions);
        return {
          read: (buffer, position) => file.read(buffer, position),
          write: (data) => file.write(data.subarray(0, most(data.byteLength))),
          sync: () => file.sync(),
          truncate: (length) => file.truncate(length),
          size: () => file.size(),
          close: () => file.close(),
        };
      },
    });
    expect(
      await codeOf(
        write(
          slicing(() => 0),
          path,
          'new',
        ),
      ),
    ).toBe('disk/full');
    await expectUntouched(path);
    await write(
      slicing((asked) => Math.min(asked, 2)),
      path,
      'in small slices',
    );
    expect(await readFile(path, 'utf8')).toBe('in small slices');
  });

  test.each([
    ['ENOSPC', 'disk/full'],
    ['EDQUOT', 'disk/full'],
    ['EACCES', 'disk/denied'],
    ['EPERM', 'disk/denied'],
    ['EROFS', 'disk/denied'],
    ['EIO', 'disk/failed'],
  ])('reports %s as %s and names the file', async (system, code) => {
    const path = await makeFile();
    const disk = failingDisk(nodeDisk, { code: system, at: 1, matches: (name) => name === 'file.write' });
    const error = await write(disk, path, 'new').catch((caught: unknown) => caught);
    expect(isRavelError(error, code) && error.diagnostic).toMatchObject({ subject: path, file: path });
    expect(error).toMatchObject({ cause: { code: system }, message: expect.stringContaining(path) });
  });

  test.each([
    ['600', 0o600],
    ['644', 0o644],
    ['666', 0o666],
    ['755', 0o755],
  ])('keeps the permissions %s', async (_octal, mode) => {
    const path = await makeFile();
    await chmod(path, mode);
    await write(nodeDisk, path, 'new');
    expect((await stat(path)).mode & 0o777).toBe(mode);
  });

  test('refuses to replace a symlink', async () => {
    const path = await makeFile();
    const link = join(path, '..', 'link');
    await symlink('file', link);
    const error = await write(nodeDisk, link, 'new').catch((caught: unknown) => caught);
    expect(isRavelError(error, 'disk/failed') && error.message).toContain('is a symlink');
    expect(await readFile(path, 'utf8')).toBe('old');
  });
});

describe('writeAtomic', () => {
  test('uses the given bytes, permissions and suffix', async () => {
    const path = join(await makeTemporaryDirectory(), 'new');
    const opened: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name, operand) => {
      if (name === 'open') opened.push(operand);
    });
    await writeAtomic(disk, path, Uint8Array.from([0, 255]), { permissions: 0o666, randomSuffix: () => 'abc' });
    expect([...(await readFile(path))]).toEqual([0, 255]);
    expect((await stat(path)).mode & 0o777).toBe(0o666);
    expect(opened).toEqual([join(path, '..', '.new.abc.tmp')]);
    await writeAtomic(nodeDisk, path, '', { permissions: 0o600 });
    expect(await readFile(path, 'utf8')).toBe('');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  });

  test('does not overwrite an existing temporary file that it did not create', async () => {
    const path = join(await makeTemporaryDirectory(), 'file');
    const taken = join(path, '..', '.file.abc.tmp');
    await writeFile(taken, 'theirs');
    expect(await codeOf(writeAtomic(nodeDisk, path, 'new', { randomSuffix: () => 'abc' }))).toBe('disk/failed');
    expect(await readFile(taken, 'utf8')).toBe('theirs');
  });

  test('uses a different temporary name for each of 20 concurrent writes', async () => {
    const path = join(await makeTemporaryDirectory(), 'file');
    await Promise.all(Array.from({ length: 20 }, (_, n) => writeAtomic(nodeDisk, path, `${n}`)));
    expect(await readdir(join(path, '..'))).toEqual(['file']);
  });
});

describe('writeAtomicIf', () => {
  test.each<[string | undefined, string | undefined, string]>([
    ['old', 'old', 'no error'],
    ['other', 'old', 'yaml/changedMeanwhile'],
    [undefined, 'old', 'yaml/changedMeanwhile'],
    [undefined, undefined, 'no error'],
    ['there', undefined, 'yaml/changedMeanwhile'],
  ])('if the file has %j and the caller saw %j, ends with: %s', async (actual, seen, expected) => {
    const directory = await makeTemporaryDirectory();
    const path = join(directory, 'file');
    if (actual !== undefined) await writeFile(path, actual);
    const expectedSha256 = seen === undefined ? undefined : sha256(seen);
    expect(await codeOf(writeAtomicIf(nodeDisk, path, expectedSha256, 'new'))).toBe(expected);
    expect(await readTextIfExists(nodeDisk, path)).toBe(expected === 'no error' ? 'new' : actual);
    expect((await readdir(directory)).filter(isTemporaryName)).toEqual([]);
  });

  test('notices a change up to the rename', async () => {
    const path = join(await makeTemporaryDirectory(), 'file');
    await writeFile(path, 'old');
    const disk = traceDisk(nodeDisk, async (_n, name) => {
      if (name === 'file.sync') await writeFile(path, 'theirs');
    });
    expect(await codeOf(writeAtomicIf(disk, path, sha256('old'), 'new'))).toBe('yaml/changedMeanwhile');
    expect(await readFile(path, 'utf8')).toBe('theirs');
  });
});

describe('removeFileIf', () => {
  test.each<[string | undefined, string]>([
    ['old', 'no error'],
    ['other', 'yaml/changedMeanwhile'],
    [undefined, 'no error'],
  ])('if the file has %j and the caller saw "old", ends with: %s', async (actual, expected) => {
    const path = join(await makeTemporaryDirectory(), 'file');
    if (actual !== undefined) await writeFile(path, actual);
    expect(await codeOf(removeFileIf(nodeDisk, path, sha256('old')))).toBe(expected);
    expect(await readTextIfExists(nodeDisk, path)).toBe(expected === 'no error' ? undefined : actual);
  });

  test('refuses a folder and a symlink', async () => {
    const path = join(await makeTemporaryDirectory(), 'it');
    await mkdir(path);
    expect(await codeOf(removeFileIf(nodeDisk, path, sha256('old')))).toBe('disk/failed');
    await writeFile(join(path, 'target'), 'old');
    await symlink('target', join(path, 'link'));
    expect(await codeOf(removeFileIf(nodeDisk, join(path, 'link'), sha256('old')))).toBe('disk/failed');
    expect((await readdir(path)).sort()).toEqual(['link', 'target']);
  });

  test('accepts that the file was removed concurrently, and syncs the folder after removing', async () => {
    const path = join(await makeTemporaryDirectory(), 'file');
    for (const operation of ['readFile', 'unlink']) {
      await writeFile(path, 'old');
      const disk = traceDisk(nodeDisk, async (_n, name) => {
        if (name === operation) await nodeDisk.unlink(path);
      });
      expect(await codeOf(removeFileIf(disk, path, sha256('old'))), operation).toBe('no error');
    }
    await writeFile(path, 'old');
    const names: string[] = [];
    const traced = traceDisk(nodeDisk, (_n, name) => void names.push(name));
    await removeFileIf(traced, path, sha256('old'));
    expect(names.slice(-2)).toEqual(['unlink', 'syncDirectory']);
  });

  test('reports a denied unlink as disk/denied', async () => {
    const path = join(await makeTemporaryDirectory(), 'file');
    await writeFile(path, 'old');
    const disk = failingDisk(nodeDisk, { code: 'EACCES', at: 1, matches: (name) => name === 'unlink' });
    expect(await codeOf(removeFileIf(disk, path, sha256('old')))).toBe('disk/denied');
  });
});

test('copyFileAtomic copies content and permissions, and fails for a missing file or a folder', async () => {
  const directory = await makeTemporaryDirectory();
  const [from, to] = [join(directory, 'from'), join(directory, 'to')];
  await writeFile(from, Uint8Array.from([1, 0, 255]));
  await chmod(from, 0o750);
  await writeFile(to, 'before');
  await copyFileAtomic(nodeDisk, from, to);
  expect([...(await readFile(to))]).toEqual([1, 0, 255]);
  expect((await stat(to)).mode & 0o777).toBe(0o750);
  expect(await codeOf(copyFileAtomic(nodeDisk, join(directory, 'none'), to))).toBe('disk/failed');
  expect(await codeOf(copyFileAtomic(nodeDisk, directory, to))).toBe('disk/failed');
});

test.each([
  ['.state.yaml.0a1b2c.tmp', true],
  ['state.yaml', false],
  ['.tmp', false],
  ['state.tmp', false],
  ['.gitignore', false],
])('isTemporaryName(%j) is %s', (name, expected) => expect(isTemporaryName(name)).toBe(expected));
