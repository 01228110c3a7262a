import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { JsonLinesTail } from '../../src/harness/jsonLinesTail.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';

const path = '/record';

/** A file that grows, its reader, and how many bytes that has read. */
function makeRecord() {
  const disk = new MemoryDisk();
  let bytes = 0;
  const counting: Pick<Disk, 'open' | 'stat'> = {
    stat: (at) => disk.stat(at),
    async open(at, mode) {
      const file = await disk.open(at, mode);
      return {
        ...{ write: (data) => file.write(data), sync: () => file.sync(), truncate: (length) => file.truncate(length) },
        ...{ size: () => file.size(), close: () => file.close() },
        async read(buffer, position) {
          const count = await file.read(buffer, position);
          bytes += count;
          return count;
        },
      };
    },
  };
  const lines = new JsonLinesTail(counting, path, (line) => line.includes('keep'));
  return {
    lines,
    bytesRead: () => bytes,
    async append(text: string) {
      const file = await disk.open(path, 'append');
      await file.write(Buffer.from(text));
      await file.close();
    },
    async cutTo(length: number) {
      const file = await disk.open(path, 'update');
      await file.truncate(length);
      await file.close();
    },
    async read(isLast = false) {
      const values: unknown[] = [];
      for await (const value of lines.read(isLast)) values.push(value);
      return values;
    },
  };
}

const row = (keep: number, more = '') => `${JSON.stringify({ keep, more })}\n`;
const other = (text = '') => `${JSON.stringify({ said: text })}\n`;
const keeps = (...numbers: readonly number[]) => numbers.map((keep) => expect.objectContaining({ keep }));

describe('a record that grows', () => {
  test('is empty until the file exists', async () => {
    const { read, lines } = makeRecord();
    expect(await read()).toEqual([]);
    expect(await lines.size()).toBeUndefined();
  });

  test('gives each line once it is whole, and others not at all', async () => {
    const { append, read } = makeRecord();
    const second = row(2);
    await append(row(1) + other() + second.slice(0, 5));
    expect(await read()).toEqual(keeps(1));
    await append(second.slice(5) + row(3).trim());
    expect(await read()).toEqual(keeps(2));
    expect(await read()).toEqual([]);
    expect(await read(true)).toEqual(keeps(3));
  });

  test('is not read again from its start, however long it is', async () => {
    const { append, read, bytesRead } = makeRecord();
    const long = other('x'.repeat(1_000_000)).repeat(5);
    await append(long);
    await read();
    for (let n = 0; n < 200; n++) {
      await append(row(n));
      expect(await read()).toEqual(keeps(n));
    }
    expect(bytesRead()).toBe(long.length + Array.from({ length: 200 }, (_, n) => row(n)).join('').length);
  });

  test('can lose its last lines and get others: each is given once', async () => {
    const { append, cutTo, read } = makeRecord();
    const before = other('x'.repeat(300_000)) + row(1);
    await append(before + row(2, 'long enough to leave the file shorter'));
    expect(await read()).toEqual(keeps(1, 2));
    await cutTo(before.length);
    await append(row(3));
    expect(await read()).toEqual(keeps(3));
  });

  test('can have grown past its old length by then', async () => {
    const { append, cutTo, read } = makeRecord();
    await append(row(1) + row(2, 'taken back'));
    expect(await read()).toEqual(keeps(1, 2));
    await cutTo(row(1).length);
    await append(row(3, 'twice as long as the one before') + row(4));
    expect(await read()).toEqual(keeps(3, 4));
  });

  test('can hold torn lines', async () => {
    const { append, read } = makeRecord();
    await append(`${row(1)}keep {\nnothing\n${row(2)}`);
    expect(await read()).toEqual(keeps(1, 2));
    await append(row(3));
    expect(await read(true)).toEqual(keeps(3));
  });

  test.each([
    ['has a line of more than', 'x'.repeat(16 * 1024 * 1024 + 1)],
    ['was rewritten again and again', Array.from({ length: 101 }, (_, n) => `torn ${n}\n${row(n)}`).join('')],
  ])('is none if it %s', async (problem, text) => {
    const { append, read } = makeRecord();
    await append(text);
    const reading = text.startsWith('torn') ? readEach(text) : read();
    await expect(reading).rejects.toThrow(problem);

    async function readEach(lines: string) {
      const slow = makeRecord();
      for (const line of lines.split('\n')) {
        await slow.append(`${line}\n`);
        await slow.read();
      }
    }
  });
});
