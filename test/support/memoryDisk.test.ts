import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk, DiskFile, FileOpenMode } from '../../src/base/disk.ts';
import { systemCode } from '../../src/base/errors.ts';
import { writeAtomic } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { MemoryDisk } from './memoryDisk.ts';
import { createRandom, type Random } from './seededRandom.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

/** One operation below a folder; its outcome is its result, or the code of its error. */
type Operation = (disk: Disk, root: string) => Promise<unknown>;

const names = ['a', 'b', 'c', 'a/x', 'a/y', 'b/x', 'b/x/z', 'c/../a', 'link', 'link/x'];
const writingModes: readonly FileOpenMode[] = ['append', 'appendDurably', 'exclusive', 'update'];

async function withFile(disk: Disk, path: string, mode: FileOpenMode, use: (file: DiskFile) => Promise<unknown>) {
  const file = await disk.open(path, mode, mode === 'exclusive' ? 0o600 : 0o644);
  try {
    return [await use(file), await file.size()];
  } finally {
    await file.close();
  }
}

/** Draws an operation, so that two disks can be asked for the same. */
function draw(random: Random): readonly [name: string, Operation] {
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T;
  const [one, other, mode] = [pick(names), pick(names), pick(writingModes)];
  const [text, length] = ['x'.repeat(1 + random(20)), random(12)];
  const operations: Readonly<Record<string, Operation>> = {
    readFile: async (disk, root) => (await disk.readFile(join(root, one))).toString(),
    readDirectory: async (disk, root) => {
      const entries = await disk.readDirectory(join(root, one));
      return entries.map(({ name, kind }) => `${name} ${kind}`).sort();
    },
    readEach: async (disk, root) => {
      const texts = await disk.readEach([join(root, one), join(root, other)], 15);
      return texts.map((bytes) => bytes?.toString());
    },
    stat: async (disk, root) => (await disk.stat(join(root, one))).kind,
    lstat: async (disk, root) => (await disk.lstat(join(root, one))).kind,
    realPath: async (disk, root) => (await disk.realPath(join(root, one))).slice(root.length),
    readLink: (disk, root) => disk.readLink(join(root, one)),
    write: (disk, root) => withFile(disk, join(root, one), mode, (file) => file.write(Buffer.from(text))),
    truncate: (disk, root) => withFile(disk, join(root, one), mode, (file) => file.truncate(length)),
    read: (disk, root) =>
      withFile(disk, join(root, one), 'read', async (file) => {
        const buffer = Buffer.alloc(8);
        return [await file.read(buffer, length), buffer.toString()];
      }),
    readItself: (disk, root) =>
      withFile(disk, join(root, one), 'readItself', (file) => file.read(Buffer.alloc(8), length)),
    rename: (disk, root) => disk.rename(join(root, one), join(root, other)),
    link: (disk, root) => disk.link(join(root, one), join(root, other)),
    unlink: (disk, root) => disk.unlink(join(root, one)),
    makeDirectory: (disk, root) => disk.makeDirectory(join(root, one)),
    removeDirectory: (disk, root) => disk.removeDirectory(join(root, one)),
    syncDirectory: (disk, root) => disk.syncDirectory(join(root, one)),
    changeMode: async (disk, root) => {
      await disk.changeMode(join(root, one), 0o640);
      return (await disk.stat(join(root, one))).mode;
    },
  };
  const name = pick([...Object.keys(operations), 'symlink']);
  const symlinkTarget = pick(['a', '../a', 'b/x', 'link', 'nowhere']);
  const operation =
    name === 'symlink'
      ? (disk: Disk, root: string) => disk.symlink(symlinkTarget, join(root, one))
      : (operations[name] as Operation);
  return [`${name} ${one} ${other} ${mode} ${length}`, operation];
}

/** Removing a folder with `unlink` and moving a folder onto a file have a code for each system. */
const kindred: Readonly<Record<string, string>> = { EPERM: 'EISDIR', EEXIST: 'taken', ENOTEMPTY: 'taken' };

async function outcomeOf(operation: Operation, disk: Disk, root: string): Promise<unknown> {
  try {
    return { result: await operation(disk, root) };
  } catch (error) {
    const code = systemCode(error) ?? String(error);
    return { code: kindred[code] ?? code };
  }
}

test('a disk in memory answers each of many random operations as the real disk does', async () => {
  const seed = Number(process.env['RAVEL_SEED'] ?? Date.now() % 1_000_000);
  const random = createRandom(seed);
  for (let round = 0; round < 12; round++) {
    // A link may lead up from it, and no further than the folder around it.
    const around = await makeTemporaryDirectory();
    const root = join(around, 'root');
    await nodeDisk.makeDirectory(root);
    const memory = MemoryDisk.copyOf(around);
    const done: string[] = [];
    for (let n = 0; n < 150; n++) {
      const [name, operation] = draw(random);
      done.push(name);
      const real = await outcomeOf(operation, nodeDisk, root);
      const played = await outcomeOf(operation, memory, root);
      expect(played, `RAVEL_SEED=${seed}, round ${round}: ${done.slice(-12).join('; ')}`).toEqual(real);
    }
  }
});

describe('a power cut', () => {
  const seeds = Array.from({ length: 40 }, (_, n) => n);
  const path = '/folder/file';

  async function makeDisk(): Promise<MemoryDisk> {
    const disk = new MemoryDisk();
    await disk.makeDirectory('/folder');
    await disk.syncDirectory('/');
    return disk;
  }

  test('keeps what was synced, name and data', async () => {
    const disk = await makeDisk();
    await writeAtomic(disk, path, 'one');
    for (const seed of seeds) expect(disk.afterPowerCut(seed).textOf(path)).toBe('one');
  });

  test('keeps or loses a name whose folder was not synced', async () => {
    const disk = await makeDisk();
    await withFile(disk, path, 'exclusive', async (file) => {
      await file.write(Buffer.from('one'));
      await file.sync();
    });
    const found = new Set(seeds.map((seed) => disk.afterPowerCut(seed).textOf(path)));
    expect(found).toEqual(new Set([undefined, 'one']));
  });

  test('keeps, loses or tears what was written and not synced', async () => {
    const disk = await makeDisk();
    await withFile(disk, path, 'exclusive', (file) => file.write(Buffer.from('one')));
    await disk.syncDirectory('/folder');
    const found = new Set(seeds.map((seed) => disk.afterPowerCut(seed).textOf(path)));
    expect([...found].sort()).toEqual(['', 'o', 'on', 'one']);
  });

  test('undoes or keeps both ends of a renaming', async () => {
    const disk = await makeDisk();
    await writeAtomic(disk, path, 'one');
    await disk.rename(path, '/folder/other');
    const found = seeds
      .map((seed) => disk.afterPowerCut(seed))
      .map((cut) => [cut.textOf(path), cut.textOf('/folder/other')]);
    expect(new Set(found.map((texts) => JSON.stringify(texts)))).toEqual(new Set(['["one",null]', '[null,"one"]']));
  });

  test('gives the same for the same seed', async () => {
    const disk = await makeDisk();
    for (const name of ['a', 'b', 'c', 'd']) await disk.makeDirectory(`/folder/${name}`);
    const namesAfter = async (seed: number) =>
      (await disk.afterPowerCut(seed).readDirectory('/folder')).map(({ name }) => name);
    for (const seed of seeds) expect(await namesAfter(seed)).toEqual(await namesAfter(seed));
  });
});
