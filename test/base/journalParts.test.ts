import { describe, expect, test } from 'vitest';
import { createDividedJournal, divideJournal, partsFolder, readDividedJournal } from '../../src/base/journalParts.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';

const path = '/vault/ledger.jsonl';
const numbers = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => ({ n: from + n }));

async function makeDisk(): Promise<MemoryDisk> {
  const disk = new MemoryDisk();
  await disk.makeDirectory('/vault');
  await disk.syncDirectory('/');
  return disk;
}

/** Appends records with these numbers, of about eight bytes each, to a journal whose parts have 40 of them. */
async function append(disk: Parameters<typeof createDividedJournal>[0], from: number, to: number): Promise<void> {
  const journal = createDividedJournal(disk, path, 320);
  for (const record of numbers(from, to)) await journal.append(record);
  await journal.close();
}

const namesIn = async (disk: MemoryDisk, folder: string) => (await disk.readDirectory(folder)).map(({ name }) => name);

describe('a divided journal', () => {
  test('continues in a new file when it is long, and is read as one', async () => {
    const disk = await makeDisk();
    for (let at = 0; at < 200; at += 25) await append(disk, at, at + 25);
    expect(await readDividedJournal(disk, path)).toEqual(numbers(0, 200));
    expect((await namesIn(disk, partsFolder(path))).sort()).toEqual([
      '000001.jsonl',
      '000002.jsonl',
      '000003.jsonl',
      '000004.jsonl',
      '000005.jsonl',
    ]);
  });

  test('is read only as far back as a reader needs', async () => {
    const disk = await makeDisk();
    await append(disk, 0, 200);
    const read: string[] = [];
    const traced = traceDisk(disk, (_n, name, at) => void (name === 'readFile' && read.push(at)));
    const isEnough = (records: readonly unknown[]) => records.length > 1;
    expect((await readDividedJournal(traced, path, isEnough)).at(-1)).toEqual({ n: 199 });
    expect(read.length).toBeLessThan(3);
  });

  test('accepts a record although it cannot be divided, and is divided later', async () => {
    const disk = await makeDisk();
    const refusing = failingDisk(disk, {
      code: 'ENOSPC',
      at: 1,
      forEver: true,
      matches: (name) => name === 'makeDirectory',
    });
    await append(refusing, 0, 100);
    expect(await namesIn(disk, '/vault')).toEqual(['ledger.jsonl']);
    await append(disk, 100, 101);
    expect(await namesIn(disk, partsFolder(path))).toEqual(['000001.jsonl']);
    expect(await readDividedJournal(disk, path)).toEqual(numbers(0, 101));
  });

  test('accepts this record and the next ones although its file cannot be closed', async () => {
    const disk = await makeDisk();
    const refusing = failingDisk(disk, { code: 'EIO', at: 1, matches: (name) => name === 'file.close' });
    await append(refusing, 0, 100);
    expect(await readDividedJournal(disk, path)).toEqual(numbers(0, 100));
    expect(await namesIn(disk, partsFolder(path))).toEqual(['000001.jsonl', '000002.jsonl']);
  });

  test('leaves files beside its parts alone', async () => {
    const disk = await makeDisk();
    await append(disk, 0, 60);
    for (const name of ['mine.jsonl', '1.jsonl'])
      await (await disk.open(`${partsFolder(path)}/${name}`, 'append')).close();
    await divideJournal(disk, path);
    expect(await readDividedJournal(disk, path)).toEqual(numbers(0, 60));
  });
});
