import { expect, test } from 'vitest';
import { writeAtomic } from '../../../src/base/files.ts';
import type { EntryUse } from '../../../src/knowledge/uses/entryUse.ts';
import { loadUses, UseJournal } from '../../../src/knowledge/uses/useJournal.ts';
import { UsesAside } from '../../../src/knowledge/uses/usesAside.ts';
import { failureOf } from '../../support/failureOf.ts';
import { MemoryDisk } from '../../support/memoryDisk.ts';

const path = '/vault/runtime/knowledge/uses.jsonl';

function use(id: string, rest: Partial<EntryUse> = {}): EntryUse {
  return { use: id, kind: 'cited', entries: ['e'], at: '2026-11-20T08:00:00Z', ...rest };
}

test('a use that was recorded is there for the next owner, and counts once', async () => {
  const disk = new MemoryDisk();
  const first = new UseJournal(disk, path);
  expect(await first.of(['e'])).toBeUndefined();
  await Promise.all([first.record(use('1')), first.record(use('2')), first.record(use('1'))]);
  await first.stop();
  const second = new UseJournal(disk, path);
  await second.record(use('2'));
  expect(await second.of(['other', 'e'])).toMatchObject({ cited: 2 });
  await second.stop();
  expect((await loadUses(disk, path)).lines).toBe(2);
});

test('a long journal becomes one line that says the same', async () => {
  const disk = new MemoryDisk();
  const journal = new UseJournal(disk, path, { linesMax: 10 });
  for (let n = 0; n < 25; n++) await journal.record(use(`${n}`, { entries: ['e', `e${n % 3}`] }));
  await journal.stop();
  const { fold, lines } = await loadUses(disk, path);
  expect(lines).toBeLessThan(10);
  expect([fold.of(['e'])?.cited, fold.of(['e0'])?.cited, fold.of(['e1'])?.cited]).toEqual([25, 9, 8]);
});

test('a line that is not a use is told with its place', async () => {
  const disk = new MemoryDisk();
  const journal = new UseJournal(disk, path);
  await journal.record(use('1', { kind: 'eaten' as never }));
  await journal.stop();
  expect(await failureOf(() => loadUses(disk, path))).toMatchObject({ code: 'journal/corrupt' });
});

test('uses that were noted while there was no owner count for a reader at once, and once for owners, damaged ones aside', async () => {
  const disk = new MemoryDisk();
  const aside = '/vault/runtime/knowledge/uses-aside';
  const outside = new UseJournal(disk, path, { aside });
  const ids = ['01JD0000000000000000000001', '01JD0000000000000000000002'];
  for (const id of [...ids, 'no ULID']) await outside.noteAside(use(id, { kind: 'opened' }));
  await writeAtomic(disk, `${aside}/01JD0000000000000000000003.json`, '{"use": ');
  expect((await loadUses(disk, path, aside)).fold.of(['e'])).toMatchObject({ opened: 2 });
  const owner = new UseJournal(disk, path, { aside });
  expect(await owner.of(['e'])).toMatchObject({ opened: 2 });
  await owner.record(use(ids[0] ?? '', { kind: 'opened' }));
  expect(await owner.of(['e'])).toMatchObject({ opened: 2 });
  await owner.stop();
  const names = (await disk.readDirectory(aside)).map(({ name }) => name);
  expect(names).toEqual(['01JD0000000000000000000003.json']);
});

test('junk among the uses that wait for an owner is named, counts for nothing, and stays', async () => {
  const disk = new MemoryDisk();
  const folder = '/vault/runtime/knowledge/uses-aside';
  const aside = new UsesAside(disk, folder);
  const [own = '', foreign = '', list = '', folderName = ''] = [1, 2, 3, 4].map((n) => `01JD000000000000000000000${n}`);
  await aside.note(use(own, { kind: 'opened' }));
  await writeAtomic(
    disk,
    `${folder}/${foreign}.json`,
    JSON.stringify(use('01JD0000000000000000000009', { kind: 'opened' })),
  );
  await writeAtomic(disk, `${folder}/${list}.json`, '[]');
  await disk.makeDirectory(`${folder}/${folderName}.json`);
  await writeAtomic(disk, `${folder}/notes.txt`, 'mine');
  const subjects = (await aside.faults()).map(({ code, subject }) => `${code} ${subject}`);
  expect(subjects).toEqual([foreign, list, folderName].map((id) => `knowledge/unreadableUse ${id}`));
  const owner = new UseJournal(disk, path, { aside: folder });
  expect(await owner.of(['e'])).toMatchObject({ opened: 1 });
  await owner.stop();
  const names = (await disk.readDirectory(folder)).map(({ name }) => name).sort();
  expect(names).toEqual([`${foreign}.json`, `${list}.json`, `${folderName}.json`, 'notes.txt']);
});
