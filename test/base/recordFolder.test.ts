import { lstat, mkdir, readdir, readFile, stat, symlink, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import type { Disk } from '../../src/base/disk.ts';
import { RavelError } from '../../src/base/errors.ts';
import { readTextIfExists } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { jsonLine, jsonText, RecordFolder, type RecordFolderOptions } from '../../src/base/recordFolder.ts';
import { failureOf } from '../support/failureOf.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';

type Id = `r${number}`;
interface Cat {
  readonly id: Id;
  readonly name: string;
  readonly age?: number;
}

const isId = (name: string): name is Id => /^r\d$/.test(name);
const schema: z.ZodType<Cat> = z.looseObject({
  id: z.custom<Id>((value) => typeof value === 'string' && isId(value)),
  name: z.string(),
  age: z.number().exactOptional(),
});

type Options = Partial<RecordFolderOptions<Id, Cat>>;

function openFolder(folder: string, disk: Disk, options: Options = {}) {
  return new RecordFolder<Id, Cat>({
    ...{ disk, folder, text: jsonText, schema, isId, idOf: ({ id }) => id, isPrivate: true },
    unreadable: ({ id, file, problem }) =>
      new RavelError({ code: 'cat/unreadable', severity: 'error', subject: id, file, message: problem }),
    ...options,
  });
}

async function makeFolder(options: Options = {}) {
  const folder = join(await makeTemporaryDirectory(), 'cats');
  return { folder, cats: openFolder(folder, nodeDisk, options) };
}

const tom: Cat = { id: 'r2', name: 'Tom' };
const mia: Cat = { id: 'r1', name: 'Mia', age: 3 };

test('a file that is larger than any record is reported without being read', async () => {
  const { folder, cats } = await makeFolder();
  await cats.save('r1', mia);
  await writeFile(join(folder, 'r2.json'), '');
  await truncate(join(folder, 'r2.json'), 600_000_000);
  const { records, diagnostics } = await cats.loadAll();
  expect(records).toEqual([mia]);
  expect(diagnostics.map(({ code }) => code)).toEqual(['disk/tooLarge']);
});

test('records are saved for their person alone, listed by id, loaded and removed', async () => {
  const { folder, cats } = await makeFolder();
  expect([await cats.list(), await cats.load('r1'), await cats.has('r1')]).toEqual([[], undefined, false]);
  await cats.remove('r1');
  for (const cat of [tom, mia]) await cats.save(cat.id, cat);
  expect([await cats.list(), await cats.load('r1'), await cats.has('r1')]).toEqual([['r1', 'r2'], mia, true]);
  expect(await cats.loadAll()).toEqual({ records: [mia, tom], diagnostics: [] });
  expect([(await stat(folder)).mode & 0o777, (await stat(cats.fileOf('r1'))).mode & 0o777]).toEqual([0o700, 0o600]);
  expect(await readFile(cats.fileOf('r2'), 'utf8')).toBe('{"id":"r2","name":"Tom"}');
  await cats.save('r2', { ...tom, age: 9 });
  expect(await cats.load('r2')).toEqual({ ...tom, age: 9 });
  await cats.remove('r1');
  expect(await cats.list()).toEqual(['r2']);
});

test('of more records than are kept the oldest go, readable or not, and other files stay', async () => {
  const { cats, folder } = await makeFolder();
  for (const id of ['r1', 'r3', 'r4'] as const) await cats.save(id, { id, name: 'Tom' });
  await writeFile(join(folder, 'r2.json'), '{');
  await writeFile(join(folder, 'a-note.txt'), 'x');
  expect(await cats.keepNewest(4)).toBe(0);
  expect(await cats.keepNewest(2)).toBe(2);
  expect((await readdir(folder)).sort()).toEqual(['a-note.txt', 'r3.json', 'r4.json']);
});

test('a record is created once', async () => {
  const { cats } = await makeFolder({ text: jsonLine });
  const made = await Promise.all([cats.create('r1', mia), cats.create('r1', { ...mia, name: 'Other' })]);
  expect(made.sort()).toEqual([false, true]);
  expect(await readFile(cats.fileOf('r1'), 'utf8')).toMatch(/^\{.*\}\n$/);
});

test('only files that are named for an id are records', async () => {
  const { folder, cats } = await makeFolder();
  await cats.save('r2', tom);
  for (const name of ['r3', 'r3.yaml', 'notes.json', '.r3.json.0a1b.tmp', 'r33.json', '.json']) {
    await writeFile(join(folder, name), '{}');
  }
  expect(await cats.loadAll()).toEqual({ records: [tom], diagnostics: [] });
  expect(['r3.json', 'r3', 'notes.json'].map((name) => cats.idOf(name))).toEqual(['r3', undefined, undefined]);
  expect(await readdir(folder)).toHaveLength(7);
});

describe('a file that does not hold a record is reported, hides no other and stays as it is', () => {
  test.each([
    ['JSON that was cut short', '{"id":"r1","na', 'it is not valid JSON'],
    ['an empty file', '', 'it is not valid JSON'],
    ['a field of the wrong kind', '{"id":"r1","name":7}', /^name: .*string/],
    ['a field that is missing', '{"id":"r1"}', /^name: /],
    ['another value', '[]', /object/],
    ['the record of another file', JSON.stringify(tom), 'it is the file of r2'],
  ])('%s', async (_kind, text, problem) => {
    const { folder, cats } = await makeFolder();
    await cats.save('r2', tom);
    const file = join(folder, 'r1.json');
    await writeFile(file, text);
    const message = typeof problem === 'string' ? problem : expect.stringMatching(problem);
    const diagnostic = { code: 'cat/unreadable', subject: 'r1', file, message };
    expect(await failureOf(() => cats.load('r1'))).toMatchObject(diagnostic);
    expect(await cats.loadUndamaged('r1')).toBeUndefined();
    expect(await cats.loadAll()).toMatchObject({ records: [tom], diagnostics: [diagnostic] });
    expect([await cats.list(), await readFile(file, 'utf8')]).toEqual([['r1', 'r2'], text]);
  });
});

test('a file that the system refuses to read is its refusal, or unreadable if the folder says so', async () => {
  const { folder, cats } = await makeFolder();
  await cats.save('r2', tom);
  await mkdir(join(folder, 'r1.json'));
  expect(await failureOf(() => cats.load('r1'))).toMatchObject({ code: 'disk/failed' });
  expect(await failureOf(() => cats.loadUndamaged('r1'))).toMatchObject({ code: 'disk/failed' });
  expect(await cats.loadAll()).toMatchObject({ records: [tom], diagnostics: [{ code: 'disk/failed' }] });
  const covering = openFolder(folder, nodeDisk, { coversRefusals: true });
  expect(await failureOf(() => covering.load('r1'))).toMatchObject({ code: 'cat/unreadable' });
  expect(await covering.loadUndamaged('r1')).toBeUndefined();
  const denied = openFolder(folder, failingDisk(nodeDisk, { code: 'EACCES', at: 1 }), { coversRefusals: true });
  expect(await failureOf(() => denied.remove('r2'))).toMatchObject({ code: 'disk/denied' });
  expect(await failureOf(() => cats.remove('r1'))).toMatchObject({ code: 'disk/failed' });
  expect(await cats.list()).toEqual(['r1', 'r2']);
});

test('a symlink is read, never written through, and removed itself', async () => {
  const { folder, cats } = await makeFolder();
  await cats.save('r2', tom);
  const target = join(folder, '..', 'mia.json');
  await writeFile(target, JSON.stringify(mia));
  await symlink(target, cats.fileOf('r1'));
  expect(await cats.loadAll()).toEqual({ records: [mia, tom], diagnostics: [] });
  expect(await failureOf(() => cats.save('r1', { ...mia, age: 4 }))).toMatchObject({ code: 'disk/failed' });
  expect(await cats.create('r1', mia)).toBe(false);
  expect((await lstat(cats.fileOf('r1'))).isSymbolicLink()).toBe(true);
  await cats.remove('r1');
  expect([await cats.list(), JSON.parse(await readFile(target, 'utf8'))]).toEqual([['r2'], mia]);
  await symlink(join(folder, 'nowhere'), cats.fileOf('r1'));
  expect(await cats.load('r1')).toBeUndefined();
});

test('a record can be in another place too', async () => {
  const { folder, cats } = await makeFolder({
    find: async (id) => {
      const file = join(folder, '..', `${id}.old`);
      const text = await readTextIfExists(nodeDisk, file);
      return text === undefined ? undefined : { file, text };
    },
  });
  await writeFile(join(folder, '..', 'r1.old'), JSON.stringify(mia));
  await writeFile(join(folder, '..', 'r2.old'), '{}');
  expect(await cats.load('r1')).toEqual(mia);
  expect(await failureOf(() => cats.load('r2'))).toMatchObject({ file: join(folder, '..', 'r2.old') });
  expect(await cats.load('r3')).toBeUndefined();
});

describe('after a power cut', () => {
  const folder = '/vault/cats';
  const seeds = Array.from({ length: 40 }, (_, seed) => seed);

  test.each(seeds)('what was saved is there and what was removed is not (seed %i)', async (seed) => {
    const disk = new MemoryDisk();
    const cats = openFolder(folder, disk);
    for (const cat of [tom, mia]) await cats.save(cat.id, cat);
    await cats.remove('r1');
    expect(await openFolder(folder, disk.afterPowerCut(seed)).loadAll()).toEqual({ records: [tom], diagnostics: [] });
  });

  test.each(seeds)('a removal is durable also if its first try failed at the sync (seed %i)', async (seed) => {
    const disk = new MemoryDisk();
    await openFolder(folder, disk).save('r1', mia);
    const failing = failingDisk(disk, { code: 'EIO', at: 1, matches: (name) => name === 'syncDirectory' });
    const cats = openFolder(folder, failing);
    expect(await failureOf(() => cats.remove('r1'))).toMatchObject({ code: 'disk/failed' });
    await cats.remove('r1');
    expect(await openFolder(folder, disk.afterPowerCut(seed)).list()).toEqual([]);
  });
});

test('saving syncs the file and its folder, and removing syncs the folder', async () => {
  const { folder } = await makeFolder();
  const steps: string[] = [];
  const cats = openFolder(
    folder,
    traceDisk(nodeDisk, (_n, name) => void steps.push(name)),
  );
  await cats.save('r1', mia);
  expect(steps.filter((name) => /sync|rename/i.test(name))).toEqual([
    'syncDirectory',
    'file.sync',
    'rename',
    'syncDirectory',
  ]);
  steps.length = 0;
  await cats.remove('r1');
  expect(steps).toEqual(['unlink', 'syncDirectory']);
});
