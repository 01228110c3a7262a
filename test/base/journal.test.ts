import { readFile, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { isRavelError } from '../../src/base/errors.ts';
import { createJournal, type Journal, openJournal, readJournal } from '../../src/base/journal.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import {
  type DiskOperationName,
  failingDisk,
  shortWritingDisk,
  systemError,
  traceDisk,
} from '../support/tracingDisk.ts';

async function makePath(): Promise<string> {
  return join(await makeTemporaryDirectory(), 'journal.jsonl');
}

async function appendAll(journal: Journal, values: readonly unknown[]): Promise<string[]> {
  const outcomes = await Promise.allSettled(values.map((value) => journal.append(value)));
  return outcomes.map((outcome) => {
    if (outcome.status === 'fulfilled') return 'accepted';
    return isRavelError(outcome.reason) ? outcome.reason.code : String(outcome.reason);
  });
}

describe('readJournal', () => {
  async function check(content: string | Uint8Array, expected: unknown[] | string, tornTail = false) {
    const path = await makePath();
    await writeFile(path, content);
    if (Array.isArray(expected)) {
      expect(await readJournal(nodeDisk, path)).toEqual({ records: expected, tornTail });
      return;
    }
    const error = await readJournal(nodeDisk, path).catch((caught: unknown) => caught);
    expect(isRavelError(error, 'journal/corrupt') && error.diagnostic).toMatchObject({
      message: expect.stringContaining(`${expected} of ${path}`),
      subject: path,
      file: path,
      range: { start: { line: Number(expected.slice('Line '.length)) - 1, character: 0 } },
    });
  }

  test.each<[string, string | Uint8Array, unknown[] | string, boolean?]>([
    ['returns no records for an empty file', '', []],
    ['returns the records', '{"a":1}\n"ä"\nnull\n', [{ a: 1 }, 'ä', null]],
    ['reports a torn tail', '1\n{"a', [1], true],
    ['treats a last line without newline as torn', '1\n2', [1], true],
    ['refuses a bad line in the middle', '1\n{"a\n2\n', 'Line 2'],
    ['refuses a bad last line', '1\n2\n}\n', 'Line 3'],
    ['refuses an empty line', '\n1\n', 'Line 1'],
    ['refuses a line that is not UTF-8', Buffer.from('1\n"\xff"\n', 'latin1'), 'Line 2'],
  ])('%s', (_name, content, expected, tornTail) => check(content, expected, tornTail));

  test('returns no records for a missing file, and fails for an unreadable one', async () => {
    const path = await makePath();
    expect(await readJournal(nodeDisk, path)).toEqual({ records: [], tornTail: false });
    const denied = readJournal(failingDisk(nodeDisk, { code: 'EACCES', at: 1 }), path);
    await expect(denied).rejects.toMatchObject({ code: 'disk/denied' });
  });
});

describe('openJournal', () => {
  test('makes the file and its name durable', async () => {
    const path = await makePath();
    const steps: string[] = [];
    const journal = await openJournal(
      traceDisk(nodeDisk, (_n, name) => void steps.push(name)),
      path,
    );
    await journal.append(1);
    await journal.close();
    expect(steps).toEqual(['open', 'syncDirectory', 'file.size', 'file.write', 'file.sync', 'file.close']);
    expect(await readFile(path, 'utf8')).toBe('1\n');
  });

  test('keeps whole lines and cuts the rest, whatever byte the file ends at', async () => {
    const path = await makePath();
    const whole = '{"n":1}\n{"n":"ä"}\n{"n":3}\n';
    const bytes = Buffer.from(whole);
    for (let length = 0; length <= bytes.length; length++) {
      await writeFile(path, bytes);
      await truncate(path, length);
      const kept = bytes.subarray(0, length).lastIndexOf(10) + 1;
      const steps: string[] = [];
      const journal = await openJournal(
        traceDisk(nodeDisk, (_n, name) => void steps.push(name)),
        path,
      );
      expect((await readFile(path)).length).toBe(kept);
      if (kept < length) expect(steps.slice(-2)).toEqual(['file.truncate', 'file.sync']);
      await journal.append('next');
      await journal.close();
      expect(await readFile(path, 'utf8')).toBe(`${bytes.subarray(0, kept)}"next"\n`);
    }
  });

  test.each([
    [0, 200_000],
    [1, 65_536],
    [70_000, 65_535],
    [10, 200_000],
  ])('finds the end of %i bytes of lines before a torn tail of %i bytes', async (lineLength, tailLength) => {
    const path = await makePath();
    const lines = lineLength === 0 ? '' : `${'x'.repeat(lineLength - 1)}\n`;
    await writeFile(path, lines + 'y'.repeat(tailLength));
    const journal = await openJournal(nodeDisk, path);
    await journal.close();
    expect(await readFile(path, 'utf8')).toBe(lines);
  });

  test('closes the file again if any operation of opening fails', async () => {
    const path = await makePath();
    for (let at = 1; at <= 5; at++) {
      await writeFile(path, '1\n2');
      const open: string[] = [];
      const failing = failingDisk(nodeDisk, { code: 'EIO', at });
      const disk = traceDisk(failing, (_n, name) => {
        if (name === 'file.close') open.pop();
        if (name === 'open' && at !== 1) open.push(name);
      });
      await expect(openJournal(disk, path)).rejects.toMatchObject({ code: 'disk/failed', message: /journal\.jsonl/ });
      expect(open).toEqual([]);
      expect((await readJournal(nodeDisk, path)).records).toEqual([1]);
    }
  });
});

describe('Journal.append', () => {
  test('acknowledges after the sync, and one sync serves all waiting records', async () => {
    const path = await makePath();
    const steps: string[] = [];
    const gates = [createDeferred<void>(), createDeferred<void>()];
    let [syncs, open] = [0, false];
    const reachedSync = createDeferred<void>();
    const disk = traceDisk(nodeDisk, async (_n, name) => {
      if (!open || !name.startsWith('file.')) return;
      steps.push(name);
      if (name !== 'file.sync') return;
      reachedSync.resolve();
      await gates[syncs++]?.promise;
    });
    const journal = await openJournal(disk, path);
    open = true;
    const note = (text: string) => () => steps.push(text);
    const first = journal.append(1).then(note('1 accepted'));
    await reachedSync.promise;
    const others = [2, 3, 4].map((value) => journal.append(value).then(note(`${value} accepted`)));
    expect(await readFile(path, 'utf8')).toBe('1\n');
    expect(steps).toEqual(['file.write', 'file.sync']);
    gates[0]?.resolve();
    await first;
    gates[1]?.resolve();
    await Promise.all(others);
    await journal.close();
    const operations = steps.filter((step) => step.startsWith('file.'));
    expect(operations).toEqual(['file.write', 'file.sync', 'file.write', 'file.sync', 'file.close']);
    const [firstSync, secondSync] = [steps.indexOf('file.sync'), steps.lastIndexOf('file.sync')];
    expect(steps.slice(firstSync, secondSync)).toContain('1 accepted');
    expect(steps.slice(secondSync)).toEqual(['file.sync', '2 accepted', '3 accepted', '4 accepted', 'file.close']);
    expect(await readFile(path, 'utf8')).toBe('1\n2\n3\n4\n');
  });

  test('writes the value as it was at the call', async () => {
    const path = await makePath();
    const journal = await openJournal(nodeDisk, path);
    const value = { n: 1 };
    const accepted = journal.append(value);
    value.n = 2;
    await accepted;
    await journal.close();
    expect(await readFile(path, 'utf8')).toBe('{"n":1}\n');
  });

  test.each([
    ['file.write', 'ENOSPC', 'disk/full'],
    ['file.write', 'EIO', 'disk/failed'],
    ['file.sync', 'EIO', 'disk/failed'],
  ])(
    'after a failed %s (%s) refuses every record of that write and accepts the next ones',
    async (operation, system, code) => {
      const path = await makePath();
      const matches = (name: string) => name === operation;
      const journal = await openJournal(failingDisk(nodeDisk, { code: system, at: 2, matches }), path);
      expect(await appendAll(journal, [1])).toEqual(['accepted']);
      expect(await appendAll(journal, [2, 3, 4])).toEqual([code, code, code]);
      expect(await readJournal(nodeDisk, path)).toEqual({ records: [1], tornTail: false });
      expect(await appendAll(journal, [5, 6, 7])).toEqual(['accepted', 'accepted', 'accepted']);
      await journal.close();
      expect(await readJournal(nodeDisk, path)).toEqual({ records: [1, 5, 6, 7], tornTail: false });
    },
  );

  test.each([0, 1, 3, 4])('leaves no partial record on a disk that is full after %i more bytes', async (room) => {
    const path = await makePath();
    await writeFile(path, '1\n');
    const journal = await openJournal(shortWritingDisk(nodeDisk, room), path);
    expect(await appendAll(journal, [{ n: 2 }])).toEqual(['disk/full']);
    await journal.close();
    expect(await readFile(path, 'utf8')).toBe('1\n');
  });

  test.each<[string, readonly DiskOperationName[], number, string]>([
    ['half of a refused record', ['file.truncate'], 6, '1\n"ref'],
    ['a whole refused record', ['file.sync', 'file.truncate'], 1000, '1\n"refused"\n'],
  ])('removes %s from the file before it writes the next one', async (_name, refused, room, left) => {
    const path = await makePath();
    let isFull = false;
    const refusing = traceDisk(nodeDisk, (_n, name) => {
      if (isFull && refused.includes(name)) throw systemError('ENOSPC');
    });
    let disk = shortWritingDisk(refusing, room);
    const journal = await openJournal({ ...nodeDisk, open: (...to) => disk.open(...to) }, path);
    await journal.append(1);
    isFull = true;
    for (let n = 0; n < 2; n++) {
      expect(await appendAll(journal, ['refused'])).toEqual(['disk/full']);
      expect(await readFile(path, 'utf8')).toBe(left);
    }
    disk = nodeDisk;
    expect(await journal.append('accepted')).toBe(2);
    await journal.close();
    expect(await readFile(path, 'utf8')).toBe('1\n"accepted"\n');
  });

  test('reports a full disk even if the cleanup fails too', async () => {
    const path = await makePath();
    const matches = (name: string) => name !== 'open' && name !== 'syncDirectory' && name !== 'file.size';
    const journal = await openJournal(failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches, forEver: true }), path);
    expect(await appendAll(journal, [1])).toEqual(['disk/full']);
    await journal.close();
  });

  test('keeps the order of records that arrive while the file is reopened', async () => {
    const path = await makePath();
    const gate = createDeferred<void>();
    let opens = 0;
    const failing = failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: (name) => name === 'file.sync' });
    const disk = traceDisk(failing, async (_n, name) => {
      if (name === 'open' && ++opens === 2) await gate.promise;
    });
    const journal = await openJournal(disk, path);
    expect(await appendAll(journal, ['refused'])).toEqual(['disk/failed']);
    const accepted = [journal.append(1), journal.append(2)];
    gate.resolve();
    for (let n = 3; n < 20; n++) {
      await Promise.resolve();
      accepted.push(journal.append(n));
    }
    await Promise.all(accepted);
    await journal.close();
    expect(opens).toBe(2);
    const { records } = await readJournal(nodeDisk, path);
    expect(records).toEqual(Array.from({ length: 19 }, (_, n) => n + 1));
  });

  test('throws after the journal was closed', async () => {
    const journal = await openJournal(nodeDisk, await makePath());
    await journal.close();
    await journal.close();
    expect(() => journal.append(1)).toThrow('closed file');
  });

  test('is finished before close returns', async () => {
    const path = await makePath();
    const journal = await openJournal(nodeDisk, path);
    const accepted = [1, 2, 3].map((value) => journal.append(value));
    await journal.close();
    await Promise.all(accepted);
    expect((await readJournal(nodeDisk, path)).records).toEqual([1, 2, 3]);
  });

  test('makes accepted records readable, in order, whichever operations fail', async () => {
    const directory = await makeTemporaryDirectory();
    let round = 0;
    const values = fc.array(fc.jsonValue(), { minLength: 1, maxLength: 12 });
    const faults = fc.uniqueArray(fc.integer({ min: 5, max: 60 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(values, faults, async (records, fails) => {
        const path = join(directory, `${round++}`);
        const disk = traceDisk(nodeDisk, (n) => {
          if (fails.includes(n)) throw systemError('EIO');
        });
        const journal = await openJournal(disk, path);
        const outcomes: string[] = [];
        for (const record of records) outcomes.push(...(await appendAll(journal, [record])));
        const accepted = records.filter((_record, index) => outcomes[index] === 'accepted');
        // Each fault costs at most one record, and no record after it.
        expect(accepted.length).toBeGreaterThanOrEqual(records.length - fails.length);
        await journal.close().catch(() => undefined);
        await (await openJournal(nodeDisk, path)).close();
        const plain = JSON.parse(JSON.stringify(accepted));
        const read = await readJournal(nodeDisk, path);
        // The last refused record may still be there if nothing could clear it away.
        expect(read.records.slice(0, accepted.length)).toEqual(plain);
        expect(read.records.length - accepted.length).toBeLessThanOrEqual(outcomes.at(-1) === 'accepted' ? 0 : 1);
      }),
      { numRuns: 100 },
    );
  });
});

describe('createJournal', () => {
  test('creates no file before the first record', async () => {
    const path = await makePath();
    const journal = createJournal(nodeDisk, path);
    await journal.close();
    expect(await nodeDisk.readDirectory(dirname(path))).toEqual([]);
    expect(() => journal.append(1)).toThrow('closed file');
  });

  test('cuts a torn last line, and recovers if the file could not be opened at first', async () => {
    const path = await makePath();
    await writeFile(path, '1\n{"to');
    const journal = createJournal(failingDisk(nodeDisk, { code: 'ENOSPC', at: 1 }), path);
    expect(await appendAll(journal, [2, 3])).toEqual(['disk/full', 'disk/full']);
    expect(await appendAll(journal, [4, 5])).toEqual(['accepted', 'accepted']);
    await journal.close();
    expect(await readFile(path, 'utf8')).toBe('1\n4\n5\n');
  });

  test('waits on close for the open that the first record started', async () => {
    const path = await makePath();
    const journal = createJournal(nodeDisk, path);
    const accepted = [1, 2, 3].map((value) => journal.append(value));
    await journal.close();
    await Promise.all(accepted);
    expect((await readJournal(nodeDisk, path)).records).toEqual([1, 2, 3]);
  });

  test('closes even if the file cannot be opened', async () => {
    const journal = createJournal(failingDisk(nodeDisk, { code: 'EACCES', at: 1, forEver: true }), await makePath());
    const refused = appendAll(journal, [1]);
    await journal.close();
    expect(await refused).toEqual(['disk/denied']);
  });
});
