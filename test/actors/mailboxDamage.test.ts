import { appendFile, readFile, rm, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { closeLine, encodeHeader } from '../../src/actors/record.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failureOf } from '../support/failureOf.ts';
import { failingDisk, shortWritingDisk } from '../support/tracingDisk.ts';
import {
  append,
  describeInFlight,
  drain,
  fillProcessed,
  formatCursor,
  isMailboxWrite,
  makeMailboxFiles,
  range,
} from './mailboxPlace.ts';
import { idOf, message, plan } from './messages.ts';

const atFirst = formatCursor({ seq: 1, offset: 0 });

/** A mailbox with `count` waiting messages, and the offsets at which its lines end. */
async function makeFilled(count: number) {
  const place = await makeMailboxFiles();
  const mailbox = await place.open();
  await append(mailbox, 1, count);
  await mailbox.close();
  const bytes = await readFile(place.paths.mailbox);
  const ends = [...bytes.keys()].filter((at) => bytes[at] === 10).map((at) => at + 1);
  return { ...place, bytes, ends };
}

describe('a torn tail of a mailbox', () => {
  test('is cut and reported, wherever the last three records are torn', async () => {
    const { open, paths, bytes, ends } = await makeFilled(6);
    for (let length = ends[2] ?? 0; length < bytes.length; length++) {
      await writeFile(paths.mailbox, bytes.subarray(0, length));
      const mailbox = await open();
      // A record is whole without its newline, too.
      const whole = ends.filter((end) => end - 1 <= length).length;
      const codes = ends.includes(length) || ends.includes(length + 1) ? [] : ['mailbox/tornTail'];
      expect(mailbox.diagnostics.map(({ code }) => code)).toEqual(codes);
      expect(mailbox.waiting).toBe(whole);
      if (length % 50 === 0) {
        expect(await mailbox.append(message(7))).toBe(whole + 1);
        expect(await drain(mailbox)).toEqual([...range(1, whole), 7]);
      }
      await mailbox.close();
      await writeFile(paths.cursor, atFirst);
    }
  });

  test('whose record lacks only its newline loses no message, and the next one gets its own line', async () => {
    const { open, paths, bytes } = await makeFilled(2);
    await writeFile(paths.mailbox, bytes.subarray(0, -1));
    const mailbox = await open();
    expect(await append(mailbox, 3, 3)).toEqual([3]);
    await mailbox.close();
    expect((await readFile(paths.mailbox)).subarray(0, bytes.length)).toEqual(bytes);
    const again = await open();
    expect(await drain(again)).toEqual([1, 2, 3]);
    await again.close();
  });

  test('with a whole record that does not follow is cut', async () => {
    const { open, paths, bytes, ends } = await makeFilled(3);
    await writeFile(paths.mailbox, bytes.subarray(0, ends[0]));
    await appendFile(paths.mailbox, bytes.subarray(ends[1], -1));
    const mailbox = await open();
    expect(mailbox.diagnostics).toMatchObject([{ code: 'mailbox/tornTail' }]);
    expect(await drain(mailbox)).toEqual([1]);
    await mailbox.close();
  });

  test.each(['\0\0\0\0', '{"seq":2,', '\xff\xfe'])('such as %j is cut', async (tail) => {
    const { open, paths } = await makeFilled(1);
    await appendFile(paths.mailbox, Buffer.from(tail, 'latin1'));
    const mailbox = await open();
    expect(mailbox.diagnostics).toMatchObject([{ code: 'mailbox/tornTail', severity: 'warning', subject: plan }]);
    expect(await drain(mailbox)).toEqual([1]);
    await mailbox.close();
  });
});

describe('a bad line of a mailbox', () => {
  test('is found whichever byte of it changed, and nothing is rewritten', async () => {
    const { open, paths, bytes, ends } = await makeFilled(4);
    const [first = 0, second = 0] = ends;
    for (let at = first; at < second; at++) {
      for (const change of [0x01, 0x80]) {
        const damaged = Buffer.from(bytes);
        damaged[at] = (bytes[at] ?? 0) ^ change;
        await writeFile(paths.mailbox, damaged);
        const mailbox = await open();
        expect(await drain(mailbox, 1)).toEqual([1]);
        const found = await failureOf(() => mailbox.next());
        expect(found).toMatchObject({ code: 'mailbox/corrupt', file: paths.mailbox, range: { start: { line: 1 } } });
        expect(found.message).toMatch(/^Line 2 of /);
        await mailbox.close();
        expect(await readFile(paths.mailbox)).toEqual(damaged);
        await writeFile(paths.cursor, atFirst);
      }
    }
  });

  test.each<[string, (lines: string[]) => string[]]>([
    ['is missing', (lines) => lines.toSpliced(1, 1)],
    ['is duplicated', (lines) => lines.toSpliced(1, 0, lines[0] ?? '')],
    ['changed its place', ([a = '', b = '', c = '', ...rest]) => [a, c, b, ...rest]],
    ['is empty', (lines) => lines.toSpliced(1, 0, '')],
    ['is a header', (lines) => lines.toSpliced(1, 0, encodeHeader(1, [idOf(1)]).trim())],
    ['never ends', (lines) => lines.toSpliced(1, 1, 'x'.repeat(5 * 1024 * 1024))],
  ])('is found if it %s', async (_name, damage) => {
    const { open, paths, bytes } = await makeFilled(4);
    await writeFile(paths.mailbox, damage(bytes.toString().split('\n')).join('\n'));
    const mailbox = await open();
    expect(await drain(mailbox, 1)).toEqual([1]);
    expect((await failureOf(() => mailbox.next())).message).toMatch(/^Line 2 of /);
    await mailbox.close();
  });

  test('is skipped if a person marked it as lost', async () => {
    const { open, paths, bytes } = await makeFilled(3);
    await writeFile(paths.mailbox, bytes.toString().split('\n').with(1, '{"lost":2}').join('\n'));
    const mailbox = await open();
    expect(await drain(mailbox)).toEqual([1, 3]);
    await mailbox.close();
  });
});

describe('a cursor', () => {
  /** Five messages, two of them handled; if `isCompacted`, a thousand others were handled and compacted away before. */
  async function makeUsed(isCompacted: boolean) {
    const place = await makeMailboxFiles();
    const before = isCompacted ? 1000 : 0;
    if (isCompacted) await fillProcessed(place.paths, before);
    const mailbox = await place.open();
    await append(mailbox, before + 1, before + 5);
    await mailbox.compactIfDue();
    expect(await drain(mailbox, 2)).toEqual([before + 1, before + 2]);
    await mailbox.close();
    expect((await readFile(place.paths.mailbox, 'utf8')).startsWith('{"compacted":')).toBe(isCompacted);
    return { ...place, before };
  }

  type Change = (cursor: Record<string, unknown>, text: string) => Record<string, unknown> | string | undefined;
  test.each<[string, Change, number, boolean]>([
    ['that is intact', (cursor) => cursor, 3, false],
    ['without a hint', (cursor) => ({ ...cursor, offset: null }), 3, false],
    ['whose hint points into a record', (cursor) => ({ ...cursor, offset: Number(cursor['offset']) + 7 }), 3, true],
    ['whose hint points at another record', (cursor) => ({ ...cursor, offset: 0 }), 3, true],
    ['whose hint points past the end', (cursor) => ({ ...cursor, offset: 1e9 }), 3, true],
    ['that is ahead of the file', (cursor) => ({ ...cursor, seq: 5000 }), 6, true],
    ['that is missing', () => undefined, 1, true],
    ['that is garbage', () => 'garbage\n', 1, true],
    ['that is empty', () => '', 1, true],
    ['whose number was changed', (_cursor, text) => text.replace(/"seq":\d/, '"seq":9'), 1, true],
  ])('%s lets the mailbox continue at the right message', async (_name, change, next, isTold) => {
    for (const isCompacted of [false, true]) {
      const { open, paths, before } = await makeUsed(isCompacted);
      const text = await readFile(paths.cursor, 'utf8');
      const { crc: _crc, ...cursor } = JSON.parse(text);
      const changed = change(cursor, text);
      if (changed === undefined) await rm(paths.cursor);
      else await writeFile(paths.cursor, typeof changed === 'string' ? changed : formatCursor(changed));
      const mailbox = await open();
      expect(mailbox.diagnostics.map(({ code }) => code)).toEqual(isTold ? ['mailbox/cursorRepaired'] : []);
      await append(mailbox, before + 6, before + 6);
      await mailbox.close();
      const again = await open();
      expect(again.diagnostics).toEqual([]);
      expect(await drain(again)).toEqual(range(before + next, before + 6));
      await again.close();
    }
  });

  test('a cursor that points behind a compaction continues with the first remaining message', async () => {
    const { open, paths } = await makeUsed(true);
    await writeFile(paths.cursor, formatCursor({ seq: 7, offset: 700, started: 3, threw: 1, effects: { 0: 1 } }));
    const mailbox = await open();
    expect(mailbox.diagnostics).toMatchObject([{ code: 'mailbox/cursorRepaired', subject: plan, file: paths.cursor }]);
    expect(describeInFlight(await mailbox.next())).toBe('1001: 1001, attempt 1, threw 0');
    expect(mailbox.effects).toEqual({});
    await mailbox.close();
  });

  test('a cursor of a missing mailbox does not skip later messages', async () => {
    const { open, paths } = await makeUsed(false);
    await rm(paths.mailbox);
    const mailbox = await open();
    expect(mailbox.diagnostics).toMatchObject([{ code: 'mailbox/cursorRepaired' }]);
    expect(await append(mailbox, 9, 9)).toEqual([1]);
    await mailbox.close();
    const again = await open();
    expect(await drain(again)).toEqual([9]);
    await again.close();
  });
});

describe('a disk', () => {
  test.each<[string, (disk: Disk) => Disk, string]>([
    ['that is full', (disk) => shortWritingDisk(disk, 700, (path) => path.endsWith('.jsonl')), 'disk/full'],
    [
      'whose writes fail',
      (disk) => failingDisk(disk, { code: 'EIO', at: 3, matches: isMailboxWrite, forEver: true }),
      'disk/failed',
    ],
  ])('%s accepts no partial message, and sending works again afterwards', async (_name, limit, code) => {
    const limited = limit(nodeDisk);
    let disk = limited;
    const { open, paths } = await makeMailboxFiles({ ...nodeDisk, open: (...input) => disk.open(...input) });
    const mailbox = await open();
    const outcomes: string[] = [];
    for (const n of range(1, 6)) {
      outcomes.push(await mailbox.append(message(n)).then(String, (error: { code: string }) => error.code));
    }
    const accepted = outcomes.filter((outcome) => outcome !== code).length;
    expect(accepted).toBeGreaterThan(1);
    expect(outcomes).toEqual([...range(1, accepted).map(String), ...Array(6 - accepted).fill(code)]);
    disk = nodeDisk;
    expect(await mailbox.append(message(9))).toBe(accepted + 1);
    expect((await readFile(paths.mailbox, 'utf8')).split('\n')).toHaveLength(accepted + 2);
    expect(await drain(mailbox)).toEqual([...range(1, accepted), 9]);
    await mailbox.close();
  });

  test('a disk that refuses a write refuses every message of it, and none of them appears later', async () => {
    const { open } = await makeMailboxFiles(failingDisk(nodeDisk, { code: 'EIO', at: 2, matches: isMailboxWrite }));
    const mailbox = await open();
    const outcomes = await Promise.allSettled(range(1, 5).map((n) => mailbox.append(message(n))));
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', ...Array(4).fill('rejected')]);
    const [again, after] = await Promise.all([mailbox.append(message(6)), mailbox.append(message(7))]);
    expect([again, after]).toEqual([2, 3]);
    expect(await drain(mailbox)).toEqual([1, 6, 7]);
    await mailbox.close();
  });

  test('a disk that lost accepted messages is noticed before another one is accepted', async () => {
    const { open, paths } = await makeMailboxFiles(
      failingDisk(nodeDisk, { code: 'EIO', at: 4, matches: isMailboxWrite }),
    );
    const mailbox = await open();
    for (const n of range(1, 3)) await mailbox.append(message(n));
    await failureOf(() => mailbox.append(message(4)));
    const lines = (await readFile(paths.mailbox, 'utf8')).split('\n');
    await writeFile(paths.mailbox, `${lines.slice(0, 2).join('\n')}\n`);
    expect(await failureOf(() => mailbox.append(message(5)))).toMatchObject({ code: 'mailbox/corrupt' });
    await mailbox.close();
  });
});

test('encodeLine throws unless its text can be closed as one line', () => {
  expect(() => closeLine('{"a":1\n')).toThrow('still open');
});
