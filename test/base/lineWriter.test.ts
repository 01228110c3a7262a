import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import type { Disk } from '../../src/base/disk.ts';
import { type Durability, LineWriter } from '../../src/base/lineWriter.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failureOf } from '../support/failureOf.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';

async function makeWriter(disk: Disk = nodeDisk, durability: Durability = 'bySync') {
  const path = join(await makeTemporaryDirectory(), 'lines');
  const file = await disk.open(path, 'append');
  return { path, writer: new LineWriter(path, { file, length: 0 }, durability) };
}

test.each<[Durability, string[]]>([
  ['bySync', ['file.write', 'file.sync']],
  ['byWrite', ['file.write']],
])('a line that is durable %s takes these disk operations', async (durability, expected) => {
  const steps: string[] = [];
  const disk = traceDisk(nodeDisk, (_n, name) => void steps.push(name));
  const { writer } = await makeWriter(disk, durability);
  await writer.append('a\n');
  expect(writer.length).toBe(2);
  await writer.close();
  expect(steps).toEqual(['open', ...expected, 'file.close']);
});

test('append returns the byte offset where the line begins', async () => {
  const { path, writer } = await makeWriter();
  const lines = ['a\n', 'ä\n', '\n', 'bcd\n'];
  const starts = await Promise.all(lines.map((line) => writer.append(line)));
  starts.push(await writer.append('e\n'));
  await writer.close();
  const bytes = await readFile(path);
  expect(starts.map((start) => bytes.toString('utf8', start, bytes.indexOf(10, start) + 1))).toEqual([...lines, 'e\n']);
});

describe('LineWriter.exchange', () => {
  test('waits for the write in progress, and sends queued lines to the new file', async () => {
    const { path, writer } = await makeWriter();
    const gate = createDeferred<void>();
    const before = [writer.append('1\n'), writer.append('2\n')];
    const exchanged = writer.exchange(async () => {
      expect(await readFile(path, 'utf8')).toBe('1\n');
      await gate.promise;
      return { file: await nodeDisk.open(`${path}.new`, 'append'), length: 0 };
    });
    const after = writer.append('3\n');
    await before[0];
    gate.resolve();
    await Promise.all([...before, exchanged, after]);
    expect(writer.length).toBe(4);
    await writer.close();
    expect(await readFile(path, 'utf8')).toBe('1\n');
    expect(await readFile(`${path}.new`, 'utf8')).toBe('2\n3\n');
  });

  test('that fails makes every later line and exchange fail', async () => {
    const { path, writer } = await makeWriter();
    const exchanged = writer.exchange(() => Promise.reject(Object.assign(new Error('no'), { code: 'EIO' })));
    const waiting = writer.append('1\n');
    expect(await failureOf(() => exchanged)).toMatchObject({ code: 'disk/failed', file: path });
    expect(await failureOf(() => waiting)).toMatchObject({ code: 'disk/failed' });
    expect(writer.hasFailed).toBe(true);
    expect(await failureOf(() => writer.exchange(() => Promise.reject(new Error('never'))))).toMatchObject({
      code: 'disk/failed',
    });
    await writer.close();
  });
});

test('settled waits after a failure until the half-written line is removed', async () => {
  const cleared = createDeferred<void>();
  let isCleared = false;
  const failing = failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: (name) => name === 'file.sync' });
  const disk = traceDisk(failing, async (_n, name) => {
    if (name !== 'file.truncate') return;
    await cleared.promise;
    isCleared = true;
  });
  const { path, writer } = await makeWriter(disk);
  const refused = failureOf(() => writer.append('1\n'));
  const settled = writer.settled().then(() => isCleared);
  cleared.resolve();
  expect(await settled).toBe(true);
  expect(await refused).toMatchObject({ code: 'disk/failed' });
  await writer.close();
  expect(await readFile(path, 'utf8')).toBe('');
});

test('a line that was refused does not come back after a power cut', async () => {
  const memory = new MemoryDisk();
  const disk = failingDisk(memory, { code: 'EIO', at: 1, matches: (name) => name === 'file.sync' });
  const file = await disk.open('/lines', 'append');
  await memory.syncDirectory('/');
  const writer = new LineWriter('/lines', { file, length: 0 }, 'bySync');
  expect(await failureOf(() => writer.append('refused\n'))).toMatchObject({ code: 'disk/failed' });
  for (let seed = 0; seed < 20; seed++) expect(memory.afterPowerCut(seed).textOf('/lines'), `seed ${seed}`).toBe('');
  await writer.close();
});

test('append refuses a text that is not exactly one line', async () => {
  const { writer } = await makeWriter();
  for (const text of ['a', 'a\nb', 'a\nb\n']) expect(() => writer.append(text)).toThrow(/line/);
  await writer.close();
});
