import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { ensureDirectory, readTextIfExists, sha256, writeAtomic } from '../../../src/base/files.ts';
import { placeInFolder } from '../../../src/vault/entryFiles.ts';
import { entriesLayout as layout } from '../../support/entries.ts';
import { both, makeWriter } from '../../support/entryWriterWorld.ts';
import type { MemoryDisk } from '../../support/memoryDisk.ts';

const record = (files: readonly object[]) => JSON.stringify({ title: 'Archive A', files });
const archived = placeInFolder(layout, { project: '', isArchived: true }, 'a.md').file;
const full = () => Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });

/** What a crash leaves right after the record was written, before the first file. */
async function leave(disk: MemoryDisk, files: readonly object[]) {
  await ensureDirectory(disk, dirname(layout.entryChange));
  await writeAtomic(disk, layout.entryChange, record(files));
}

test('an archive that a crash cut short does not remove the entry where the disk is too full for the copy', async () => {
  const { disk, writer, textOf, onChange } = await makeWriter({ 'a.md': 'a' });
  await leave(disk, [
    { project: '', isArchived: true, path: 'a.md', after: 'archived a' },
    { project: '', isArchived: false, path: 'a.md', before: sha256('a') },
  ]);
  onChange(async (name, path) => {
    if (name.startsWith('file.write') && path.includes('archive')) throw full();
  });
  await writer.finish().catch(() => undefined);
  onChange(() => Promise.resolve());
  expect([await textOf('a.md'), await readTextIfExists(disk, archived)]).not.toEqual([undefined, undefined]);
});

test('a change that the full disk stopped is finished later, not given up', async () => {
  const { disk, writer, textOf, onChange } = await makeWriter({ 'a.md': 'A', 'b.md': 'b' });
  await leave(disk, [
    { project: '', isArchived: false, path: 'a.md', before: sha256('a'), after: 'A' },
    { project: '', isArchived: false, path: 'b.md', before: sha256('b'), after: 'B' },
  ]);
  onChange(async (name, path) => {
    if (name.startsWith('file.write') && path.includes('b.md')) throw full();
  });
  await writer.finish().catch(() => undefined);
  onChange(() => Promise.resolve());
  await writer.finish();
  expect(await textOf('b.md')).toBe('B');
});

test('an entry is not archived as merged where the edit of a person kept its statements out of the other', async () => {
  const { disk, writer, textOf } = await makeWriter({ 'into.md': 'by hand', 'a.md': 'a' });
  await leave(disk, [
    { project: '', isArchived: false, path: 'into.md', before: sha256('into'), after: 'into and a' },
    { project: '', isArchived: true, path: 'a.md', after: 'archived a: It is merged into into.' },
    { project: '', isArchived: false, path: 'a.md', before: sha256('a') },
  ]);
  await writer.finish();
  expect([await textOf('into.md'), await textOf('a.md')]).toEqual(['by hand', 'a']);
});

test('a change of two files is not left in half and without a record where the disk is full for the second', async () => {
  const { writer, textOf, onChange } = await makeWriter({ 'a.md': 'a', 'b.md': 'b' });
  let isFull = false;
  onChange(async (name, path) => {
    if (name.startsWith('file.write') && path.includes('b.md')) isFull = true;
    if (isFull && name.startsWith('file.write')) throw full();
  });
  await writer.write(async () => both).catch(() => undefined);
  onChange(() => Promise.resolve());
  await writer.finish();
  expect([
    ['a', 'b'],
    ['A', 'B'],
  ]).toContainEqual([await textOf('a.md'), await textOf('b.md')]);
});
