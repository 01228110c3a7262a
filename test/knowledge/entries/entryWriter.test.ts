import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ensureDirectory, exists, readTextIfExists, writeAtomic } from '../../../src/base/files.ts';
import { changesSetAside } from '../../../src/knowledge/entries/entryWriter.ts';
import { failure } from '../../../src/model/codes.ts';
import { entriesLayout as layout } from '../../support/entries.ts';
import { both, entryPlaceAt, makeWriter } from '../../support/entryWriterWorld.ts';
import { failureOf } from '../../support/failureOf.ts';

test('a change is made, committed, and leaves nothing under way', async () => {
  const { disk, writer, commits, textOf } = await makeWriter({ 'a.md': 'a', 'b.md': 'b' });
  const written = await writer.write(async () => both);
  expect([await textOf('a.md'), await textOf('b.md')]).toEqual(['A', 'B']);
  expect(commits).toEqual([': knowledge/a.md knowledge/b.md: Link A and B\n\nWhy']);
  expect(written).toMatchObject({ title: 'Link A and B', diagnostics: [] });
  expect(await readTextIfExists(disk, layout.entryChange)).toBeUndefined();
});

test('files of a project are committed in the project, by their paths there', async () => {
  const { writer, commits } = await makeWriter({});
  await writer.write(async () => ({ title: 'Add S', files: [{ place: entryPlaceAt('x/s.md', 'Shop'), after: 'S' }] }));
  expect(commits).toEqual(['Shop: ravel/knowledge/x/s.md: Add S']);
});

describe('an edit of a person is never written over', () => {
  test('neither in the first file, nor in a later one, and what was changed before is put back', async () => {
    for (const edited of ['a.md', 'b.md']) {
      const { disk, writer, write, textOf, commits } = await makeWriter({ 'a.md': 'a', 'b.md': 'b' });
      const refused = await failureOf(() =>
        writer.write(async () => {
          await write(edited, 'by hand');
          return both;
        }),
      );
      expect(refused.code).toBe('yaml/changedMeanwhile');
      const texts = { 'a.md': await textOf('a.md'), 'b.md': await textOf('b.md') };
      expect(texts).toEqual({ 'a.md': 'a', 'b.md': 'b', [edited]: 'by hand' });
      expect(commits).toEqual([]);
      expect(await readTextIfExists(disk, layout.entryChange)).toBeUndefined();
    }
  });

  test('also if it is saved while the change is being made', async () => {
    const { writer, write, textOf, onChange } = await makeWriter({ 'a.md': 'a', 'b.md': 'b' });
    let isSaved = false;
    onChange(async (name, path) => {
      if (isSaved || name !== 'rename' || !path.includes('b.md')) return;
      isSaved = true;
      await write('b.md', 'by hand');
    });
    expect((await failureOf(() => writer.write(async () => both))).code).toBe('yaml/changedMeanwhile');
    expect([isSaved, await textOf('a.md'), await textOf('b.md')]).toEqual([true, 'a', 'by hand']);
  });

  test('nor removed', async () => {
    const { writer, textOf } = await makeWriter({ 'a.md': 'by hand' });
    const removal = { title: 'Delete A', files: [{ place: entryPlaceAt('a.md'), before: 'a' }] };
    expect((await failureOf(() => writer.write(async () => removal))).code).toBe('yaml/changedMeanwhile');
    expect(await textOf('a.md')).toBe('by hand');
  });

  test('nor replaced by a new entry of the same name', async () => {
    const { writer, textOf } = await makeWriter({ 'a.md': 'by hand' });
    const added = { title: 'Add A', files: [{ place: entryPlaceAt('a.md'), after: 'a' }] };
    expect((await failureOf(() => writer.write(async () => added))).code).toBe('yaml/changedMeanwhile');
    expect(await textOf('a.md')).toBe('by hand');
  });
});

test.each(['knowledge', 'knowledge/tools', 'knowledge/tools/a.md'])(
  'nothing is written through a symlink at %s',
  async (link) => {
    const { disk, writer } = await makeWriter({});
    await disk.makeDirectory('/out');
    await ensureDirectory(disk, dirname(`/v/${link}`));
    await disk.symlink('/out', `/v/${link}`);
    const added = { title: 'Add A', files: [{ place: entryPlaceAt('tools/a.md'), after: 'a' }] };
    expect((await failureOf(() => writer.write(async () => added))).code).toBe('vault/linkOut');
    expect(await disk.readDirectory('/out')).toEqual([]);
  },
);

test('a change that cannot be committed stays, with a warning', async () => {
  const { writer, textOf } = await makeWriter({ 'a.md': 'a', 'b.md': 'b' }, true);
  const { diagnostics } = await writer.write(async () => both);
  expect(diagnostics).toMatchObject([{ code: 'git/operationInProgress', severity: 'warning' }]);
  expect(await textOf('b.md')).toBe('B');
});

test('a change that is refused before it begins leaves nothing under way', async () => {
  const { disk, writer } = await makeWriter({});
  const refused = () => writer.write(() => Promise.reject(failure('entry/exists', 'a', 'It is there.')));
  expect((await failureOf(refused)).code).toBe('entry/exists');
  expect(await readTextIfExists(disk, layout.entryChange)).toBeUndefined();
});

test.each([
  ['', '../../out.md'],
  ['', '/out.md'],
  ['../..', 'out.md'],
])('a change that was left for project "%s" and %s is not finished', async (project, path) => {
  const { disk, writer } = await makeWriter({});
  await ensureDirectory(disk, dirname(layout.entryChange));
  const files = [{ project, isArchived: false, path, after: 'text' }];
  await writeAtomic(disk, layout.entryChange, JSON.stringify({ title: 'Add', files }));
  expect(await writer.finish()).toMatchObject({ places: [], diagnostics: [{ code: 'disk/damaged' }] });
  expect(await readTextIfExists(disk, '/out.md')).toBeUndefined();
});

test.each([
  ['half a record', Buffer.from('{"title":"Add A","fi')],
  ['nothing', Buffer.alloc(0)],
  ['what is no text', Buffer.from([0xff, 0xfe, 0])],
])('a record that holds %s is set aside whole and told once, and the next change is made', async (_name, bytes) => {
  const { disk, writer, textOf } = await makeWriter({ 'a.md': 'a', 'b.md': 'b' });
  await ensureDirectory(disk, dirname(layout.entryChange));
  await writeAtomic(disk, layout.entryChange, bytes);
  // A change that is refused can tell nothing.
  await expect(writer.write(() => Promise.reject(new Error('refused')))).rejects.toThrow('refused');
  const { diagnostics } = await writer.write(async () => both);
  expect(diagnostics).toMatchObject([{ code: 'disk/damaged', severity: 'warning' }]);
  expect(await textOf('b.md')).toBe('B');
  const aside = diagnostics[0]?.file ?? '';
  expect(Buffer.from(await disk.readFile(aside))).toEqual(bytes);
  expect(await writer.finish()).toBeUndefined();
  const more = { title: 'Add C', files: [{ place: entryPlaceAt('c.md'), after: 'C' }] };
  expect((await writer.write(async () => more)).diagnostics).toEqual([]);
});

test('a folder in the place of the record is kept beside it and told, and the next change is made', async () => {
  const { disk, writer, textOf } = await makeWriter({ 'a.md': 'a', 'b.md': 'b' });
  for (const nth of [1, 2]) {
    await ensureDirectory(disk, layout.entryChange);
    await writeAtomic(disk, join(layout.entryChange, 'note.txt'), `mine ${nth}`);
    const { diagnostics } = (await writer.finish()) ?? {};
    const file = join(dirname(layout.entryChange), `change-damaged-${nth}`);
    expect(diagnostics).toMatchObject([{ code: 'disk/damaged', severity: 'warning', file }]);
    expect(await readTextIfExists(disk, join(file, 'note.txt'))).toBe(`mine ${nth}`);
  }
  expect((await writer.write(async () => both)).diagnostics).toEqual([]);
  expect(await textOf('b.md')).toBe('B');
  expect(await changesSetAside(disk, layout)).toHaveLength(2);
});

test('a change that was left for a removed project makes no folder of it, and its text is kept', async () => {
  const { disk, writer, textOf, commits } = await makeWriter({});
  await ensureDirectory(disk, dirname(layout.entryChange));
  const files = [
    { project: '', isArchived: false, path: 'a.md', after: 'A' },
    { project: 'Gone', isArchived: false, path: 'b.md', after: 'B' },
  ];
  await writeAtomic(disk, layout.entryChange, JSON.stringify({ title: 'Add A and B', files }));
  const { places, diagnostics } = (await writer.finish()) ?? {};
  expect(places).toMatchObject([{ path: 'a.md' }]);
  expect(diagnostics).toMatchObject([{ code: 'project/unknown', severity: 'warning', subject: 'Gone' }]);
  expect([await textOf('a.md'), commits]).toEqual(['A', [': knowledge/a.md: Add A and B']]);
  expect(await exists(disk, layout.project('Gone'))).toBe(false);
  expect(JSON.parse((await readTextIfExists(disk, diagnostics?.[0]?.file ?? '')) ?? '')).toMatchObject({ files });
  expect(await writer.finish()).toBeUndefined();
});
