import { expect, test } from 'vitest';
import type { EntryUse } from '../../src/knowledge/uses/entryUse.ts';
import { loadUses, UseJournal } from '../../src/knowledge/uses/useJournal.ts';
import { everyCrashPoint } from '../support/crashPoints.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';

const path = '/vault/runtime/knowledge/uses.jsonl';

interface Place {
  readonly disk: MemoryDisk;
  /** How many uses were acknowledged. */
  told: number;
}

function use(n: number): EntryUse {
  return { use: `use ${n}`, kind: 'cited', entries: ['e'], at: '2026-11-20T08:00:00Z' };
}

async function makeDisk(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  await disk.makeDirectory('/vault');
  await disk.syncDirectory('/');
  return disk;
}

test.each([false, true])(
  'uses that are recorded and compacted until the owner dies count once each, power cut: %s',
  async (cutsPower) => {
    const { tried } = await everyCrashPoint<Place>({
      what: 'the use of entries',
      make: async () => ({ disk: await makeDisk(), told: 0 }),
      async run(place, { life, begin }) {
        begin();
        const journal = new UseJournal(life.disk(place.disk), path, { linesMax: 3 });
        for (let n = 0; n < 8; n++) {
          await journal.record(use(n));
          place.told = n + 1;
        }
        await journal.stop();
      },
      async look({ disk, told }) {
        // The next owner records all of them again, as callers do that were not answered.
        const found = (await loadUses(disk, path)).fold.of(['e'])?.cited ?? 0;
        expect(found).toBeGreaterThanOrEqual(told);
        const journal = new UseJournal(disk, path, { linesMax: 3 });
        for (let n = 0; n < 8; n++) await journal.record(use(n));
        await journal.stop();
        const { fold } = await loadUses(disk, path);
        expect(fold.of(['e'])).toMatchObject({ cited: 8, weight: 8 });
        return { end: 'whole', times: 1, isOwed: true };
      },
      ...(cutsPower && {
        afterPowerCut: ({ disk, told }: Place, seed: number) => ({ disk: disk.afterPowerCut(seed), told }),
      }),
    });
    expect(tried).toBeGreaterThan(10);
  },
);

test.each([false, true])(
  'uses that wait for an owner count once each whenever it dies while it takes them in, power cut: %s',
  async (cutsPower) => {
    const aside = '/vault/runtime/knowledge/uses-aside';
    const ids = Array.from({ length: 4 }, (_, n) => `01JD000000000000000000000${n}`);
    const { tried } = await everyCrashPoint<Place>({
      what: 'uses that wait for an owner',
      async make() {
        const disk = await makeDisk();
        const outside = new UseJournal(disk, path, { aside });
        for (const id of ids) await outside.noteAside({ ...use(0), use: id });
        return { disk, told: ids.length };
      },
      async run({ disk }, { life, begin }) {
        begin();
        const journal = new UseJournal(life.disk(disk), path, { aside });
        await journal.of(['e']);
        await journal.stop();
      },
      async look({ disk }) {
        expect((await loadUses(disk, path, aside)).fold.of(['e'])).toMatchObject({ cited: 4 });
        const next = new UseJournal(disk, path, { aside });
        expect(await next.of(['e'])).toMatchObject({ cited: 4 });
        await next.stop();
        expect((await loadUses(disk, path)).fold.of(['e'])).toMatchObject({ cited: 4 });
        return { end: 'whole', times: 1, isOwed: true };
      },
      ...(cutsPower && {
        afterPowerCut: ({ disk, told }: Place, seed: number) => ({ disk: disk.afterPowerCut(seed), told }),
      }),
    });
    expect(tried).toBeGreaterThan(8);
  },
);
