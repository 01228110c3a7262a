import { dirname } from 'node:path';
import { expect, test } from 'vitest';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../../src/base/files.ts';
import { EntryWriter } from '../../src/knowledge/entries/entryWriter.ts';
import { placeInFolder } from '../../src/vault/entryFiles.ts';
import { everyCrashPoint } from '../support/crashPoints.ts';
import { entriesLayout as layout } from '../support/entries.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';

const live = (path: string) => placeInFolder(layout, { project: '', isArchived: false }, path);
const archived = placeInFolder(layout, { project: '', isArchived: true }, 'a.md');

/** A merge: one entry changes, a copy of the other goes to the archive, and the other is removed. */
const merge = {
  title: 'Merge A into B',
  files: [
    { place: live('b.md'), before: 'b', after: 'b and a' },
    { place: archived, after: 'archived a' },
    { place: live('a.md'), before: 'a' },
  ],
};

interface Place {
  readonly disk: MemoryDisk;
  isTold: boolean;
}

async function makeDisk(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  for (const name of ['a', 'b']) {
    const { file } = live(`${name}.md`);
    await ensureDirectory(disk, dirname(file));
    await writeAtomic(disk, file, name);
  }
  return disk;
}

const writerOf = (disk: ConstructorParameters<typeof EntryWriter>[0]['disk']) =>
  new EntryWriter({ disk, layout, commit: () => Promise.resolve() });

test.each([false, true])(
  'a change of several entries that is cut short anywhere is made whole or not at all, power cut: %s',
  async (cutsPower) => {
    const { tried, ends } = await everyCrashPoint<Place>({
      what: 'a change of entries',
      make: async () => ({ disk: await makeDisk(), isTold: false }),
      async run(place, { life, begin }) {
        begin();
        await writerOf(life.disk(place.disk)).write(async () => merge);
        place.isTold = true;
      },
      async look({ disk, isTold }) {
        await writerOf(disk).finish();
        const files = [live('a.md'), live('b.md'), archived];
        const texts = await Promise.all(files.map(({ file }) => readTextIfExists(disk, file)));
        const isMade = texts[1] === 'b and a';
        expect(texts).toEqual(isMade ? [undefined, 'b and a', 'archived a'] : ['a', 'b', undefined]);
        expect(await readTextIfExists(disk, layout.entryChange)).toBeUndefined();
        return { end: isMade ? 'made' : 'not made', times: isMade ? 1 : 0, isOwed: isTold };
      },
      ...(cutsPower && {
        afterPowerCut: ({ disk, isTold }: Place, seed: number) => ({ disk: disk.afterPowerCut(seed), isTold }),
      }),
    });
    expect(tried).toBeGreaterThan(10);
    expect(new Set(ends)).toEqual(new Set(['made', 'not made']));
  },
);
