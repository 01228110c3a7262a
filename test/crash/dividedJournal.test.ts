import { expect, test } from 'vitest';
import { createDividedJournal, readDividedJournal } from '../../src/base/journalParts.ts';
import { everyCrashPoint } from '../support/crashPoints.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';

const path = '/vault/ledger.jsonl';
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => ({ n: from + n }));

async function makeDisk(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  await disk.makeDirectory('/vault');
  await disk.syncDirectory('/');
  return disk;
}

async function append(disk: MemoryDisk, from: number, to: number): Promise<void> {
  const journal = createDividedJournal(disk, path, 320);
  for (const record of numbers(from, to)) await journal.append(record);
  await journal.close();
}

test.each([false, true])(
  'a division that is cut short anywhere loses no record and doubles none, power cut: %s',
  async (cutsPower) => {
    const { tried } = await everyCrashPoint<{ readonly disk: MemoryDisk; readonly told: number[] }>({
      what: 'the division of a journal',
      make: async () => ({ disk: await makeDisk(), told: [] }),
      async run({ disk, told }, { life, begin }) {
        await append(disk, 0, 40);
        begin();
        const journal = createDividedJournal(life.disk(disk), path, 320);
        for (const { n } of numbers(40, 46)) {
          await journal.append({ n });
          told.push(n);
        }
        await journal.close();
      },
      async look({ disk, told }) {
        const found = (await readDividedJournal(disk, path)) as { readonly n: number }[];
        // The last one may be there without having been told.
        expect(found).toEqual(numbers(0, found.length));
        expect(found.length).toBeGreaterThanOrEqual(40 + told.length);
        await append(disk, found.length, found.length + 1);
        expect(await readDividedJournal(disk, path)).toEqual(numbers(0, found.length + 1));
        return { end: 'whole', times: 1, isOwed: true };
      },
      ...(cutsPower && {
        afterPowerCut: ({ disk, told }: { disk: MemoryDisk; told: number[] }, seed: number) => ({
          disk: disk.afterPowerCut(seed),
          told,
        }),
      }),
    });
    expect(tried).toBeGreaterThan(5);
  },
);
