import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';
import { failingDisk, shortWritingDisk, traceDisk } from './tracingDisk.ts';

test('traces each operation that a disk and its files have', async () => {
  const path = join(await makeTemporaryDirectory(), 'file');
  const seen: string[] = [];
  const disk = traceDisk(nodeDisk, (n, name, operand) => void seen.push(`${n} ${name} ${operand === path}`));
  const file = await disk.open(path, 'append');
  await file.write(Buffer.from('abc'));
  await file.sync();
  await file.truncate(1);
  await file.size();
  await file.read(Buffer.alloc(1), 0);
  await file.close();
  await disk.stat(path);
  const names = ['open', 'file.write', 'file.sync', 'file.truncate', 'file.size', 'file.read', 'file.close', 'stat'];
  expect(seen).toEqual(names.map((name, index) => `${index + 1} ${name} true`));
  expect(disk.operationCount()).toBe(names.length);
  for (const name of Object.keys(nodeDisk)) expect(disk).toHaveProperty(name);
  expect(Object.entries(disk).filter(([name, work]) => work === Reflect.get(nodeDisk, name))).toEqual([]);
});

test('fails the operation that was named, instead of doing it', async () => {
  const directory = await makeTemporaryDirectory();
  const disk = failingDisk(nodeDisk, { code: 'EIO', at: 2, matches: (name) => name === 'makeDirectory' });
  await disk.makeDirectory(join(directory, 'a'));
  await expect(disk.makeDirectory(join(directory, 'b'))).rejects.toMatchObject({ code: 'EIO' });
  await disk.makeDirectory(join(directory, 'c'));
  expect((await disk.readDirectory(directory)).map(({ name }) => name).sort()).toEqual(['a', 'c']);
});

test('writes short, then not at all', async () => {
  const path = join(await makeTemporaryDirectory(), 'file');
  const file = await shortWritingDisk(nodeDisk, 5).open(path, 'exclusive');
  expect(await file.write(Buffer.from('abc'))).toBe(3);
  expect(await file.write(Buffer.from('def'))).toBe(2);
  await expect(file.write(Buffer.from('f'))).rejects.toMatchObject({ code: 'ENOSPC' });
  await file.close();
  expect(await readFile(path, 'utf8')).toBe('abcde');
});
