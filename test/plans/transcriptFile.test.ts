import { appendFile, mkdir, truncate, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { lineBytesMax } from '../../src/model/protocol.ts';
import { formatDigest } from '../../src/plans/proposals/digest.ts';
import { lastOutputSeq, parseEvent, TranscriptPages, transcriptEvents } from '../../src/plans/transcriptFile.ts';
import { collect } from '../support/sessions.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const session = '01M7X4TZFWPVQT6PFG4SYTM4BP' as Ulid;
const stamp = { at: '2026-01-02T03:04:05Z', actor: toQualifiedId('Demo/project-root') };
const output = (seq: number, text = `said ${seq}`): RavelEvent => ({
  ...stamp,
  ...{ type: 'session.output', session, seq, output: { kind: 'text', text } },
});
const linesMax = 16_384;
const zeroes = '\0'.repeat(80);

/** A transcript of events and of lines as they stand. */
async function makeTranscript(lines: readonly (RavelEvent | string)[], rest = '') {
  const { layout } = await makeVaultFolder();
  const path = layout.transcript(session);
  await mkdir(dirname(path), { recursive: true });
  const text = lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join('');
  await writeFile(path, `${text}${rest}`);
  return { path, place: { disk: nodeDisk, layout } };
}

/** A disk that counts what is read from its files. */
function countReads(): { readonly disk: Disk; bytes: number } {
  const open: Disk['open'] = async (...args) => {
    const file = await nodeDisk.open(...args);
    return {
      read: async (buffer, position) => {
        const count = await file.read(buffer, position);
        counted.bytes += count;
        return count;
      },
      write: (data) => file.write(data),
      sync: () => file.sync(),
      truncate: (length) => file.truncate(length),
      size: () => file.size(),
      close: () => file.close(),
    };
  };
  const counted = { disk: { ...nodeDisk, open }, bytes: 0 };
  return counted;
}

/** Events by their texts, diagnostics by their messages. */
function words(events: readonly RavelEvent[]): string[] {
  return events.map((event) => {
    if (event.type === 'diagnostic') return event.diagnostic.message;
    return event.type === 'session.output' && event.output.kind === 'text' ? event.output.text : event.type;
  });
}

describe('a line of a transcript that holds no event', () => {
  test.each([
    ['zeroes', zeroes],
    ['an empty line', ''],
    ['half a line', '{"at":"2026-01-02T03:04:05Z","actor":"Demo/pro'],
    ['a number', '7'],
    ['an object of another kind', '{"at":"2026-01-02T03:04:05Z"}'],
    ['an output without its text', JSON.stringify(output(1)).replace('"text":"', '"tent":"')],
    ['an output of no kind', JSON.stringify(output(1)).replace('"kind"', '"kinf"')],
  ])('is %s', (_name, line) => expect(parseEvent(line)).toBeUndefined());

  async function check(lines: readonly (RavelEvent | string)[], expected: readonly string[]): Promise<void> {
    const { place } = await makeTranscript(lines, '{"torn');
    expect(words(await collect(transcriptEvents(place, session)))).toEqual(expected);
  }

  test('costs that line, and is told in its place', () =>
    check([output(1), zeroes, output(3)], ['said 1', 'Line 2 is left out of the transcript: damaged.', 'said 3']));
  test('is told together with its neighbours', () =>
    check([zeroes, '{', '7', output(4)], ['Lines 1 to 3 are left out of the transcript: damaged.', 'said 4']));
  test('is told at the end as well', () =>
    check([output(1), zeroes], ['said 1', 'Line 2 is left out of the transcript: damaged.']));
  test('is told of a transcript that has no other', () =>
    check([zeroes], ['Line 1 is left out of the transcript: damaged.']));
  test('can be too long for any answer', () =>
    check(
      [output(1), output(2, 'x'.repeat(9_000_000)), '{', output(4)],
      [
        'said 1',
        'Line 2 is left out of the transcript: too long to be shown.',
        'Line 3 is left out of the transcript: damaged.',
        'said 4',
      ],
    ));

  test('says of which file and which line it is', async () => {
    const { place, path } = await makeTranscript([output(1), zeroes]);
    const [, told] = await collect(transcriptEvents(place, session));
    expect(told).toMatchObject({
      ...stamp,
      diagnostic: { code: 'session/unreadable', severity: 'warning', file: path, range: { start: { line: 1 } } },
    });
  });

  test('is named to the analysis, which gets all others', async () => {
    const { place } = await makeTranscript([output(1), zeroes, output(3)]);
    const digest = await formatDigest(transcriptEvents(place, session));
    expect(digest.split('\n')).toEqual([
      'said: said 1',
      '(Line 2 is left out of the transcript: damaged.)',
      'said: said 3',
    ]);
  });
});

test('a missing transcript is empty', async () => {
  const { layout } = await makeVaultFolder();
  expect(await collect(transcriptEvents({ disk: nodeDisk, layout }, session))).toEqual([]);
  expect(await lastOutputSeq({ disk: nodeDisk, layout }, session)).toBe(0);
});

describe('the last output of a transcript', () => {
  const verb: RavelEvent = { ...stamp, type: 'session.verb', session, verb: 'x', applied: true, summary: 'done' };
  test.each<[string, (RavelEvent | string)[], number]>([
    ['is the one before other events', [output(1), output(2), verb, verb], 2],
    ['keeps its number if lines before it are damaged', [output(1), zeroes, output(3)], 3],
    ['is the last whole one if the end is damaged', [output(1), output(2), zeroes], 2],
    ['is none if nothing was said', [verb], 0],
  ])('%s', async (_name, lines, seq) => {
    const { place } = await makeTranscript(lines, '{"torn');
    expect(await lastOutputSeq(place, session)).toBe(seq);
  });
});

describe('a page of a transcript', () => {
  /** With what divides it from its neighbour, in the file and in an answer alike. */
  const lineBytes = JSON.stringify(output(0)).length + 1;
  const events = [0, 1, 2, 3].map((seq) => output(seq));

  test.each([
    { from: 0, bytesMax: 10 * lineBytes, seqs: [0, 1, 2, 3], next: 4 },
    { from: 2, bytesMax: 10 * lineBytes, seqs: [2, 3], next: 4 },
    { from: 0, bytesMax: 2 * lineBytes, seqs: [0, 1], next: 2 },
    { from: 1, bytesMax: 1, seqs: [1], next: 2 },
    { from: 4, bytesMax: 1, seqs: [], next: 4 },
    { from: 9, bytesMax: 1, seqs: [], next: 4 },
  ])('from event $from in $bytesMax bytes ends before event $next', async ({ from, bytesMax, seqs, next }) => {
    const { place } = await makeTranscript(events, '{"torn');
    const page = await new TranscriptPages(place).read(session, { from, bytesMax });
    expect(page).toEqual({ events: seqs.map((seq) => output(seq)), next });
  });

  test('is undefined without a transcript or a whole line', async () => {
    const { place } = await makeTranscript([], '{"torn');
    const pages = new TranscriptPages(place);
    const part = { from: 0, bytesMax: 1 };
    expect(await pages.read(session, part)).toBeUndefined();
    expect(await pages.read('01M7X4TZFWPVQT6PFG4SYTM4BQ' as Ulid, part)).toBeUndefined();
  });

  test('tells of damaged lines, which count', async () => {
    const { place } = await makeTranscript([output(0), zeroes, zeroes, output(3)]);
    const pages = new TranscriptPages(place);
    const page = await pages.read(session, { from: 1, bytesMax: 10_000 });
    expect(words(page?.events ?? [])).toEqual(['Lines 2 to 3 are left out of the transcript: damaged.', 'said 3']);
    expect(page?.next).toBe(4);
    expect(words((await pages.read(session, { from: 2, bytesMax: 10_000 }))?.events ?? [])).toEqual([
      'Line 3 is left out of the transcript: damaged.',
      'said 3',
    ]);
  });

  describe('is as long as an answer allows', () => {
    const bytesMax = 2_000_000;

    async function check(text: string | Buffer, { lines, pages }: { lines: number; pages: number }): Promise<void> {
      const { place, path } = await makeTranscript([]);
      await writeFile(path, text);
      const reader = new TranscriptPages(place);
      let from = 0;
      let count = 0;
      for (;;) {
        const page = await reader.read(session, { from, bytesMax });
        if (page === undefined || page.events.length === 0) break;
        const bytes = Buffer.byteLength(JSON.stringify(page.events));
        if (page.events.length > 1) expect(bytes).toBeLessThanOrEqual(bytesMax + 1);
        expect(bytes).toBeLessThan(lineBytesMax);
        expect(page.next - from).toBeLessThanOrEqual(linesMax);
        [from, count] = [page.next, count + 1];
      }
      expect(from).toBe(lines);
      expect(count).toBe(pages);
    }

    const small = '{"type":"a","at":""}';
    test('with lines that are empty', () => check('\n'.repeat(40_000), { lines: 40_000, pages: 3 }));
    test('with lines that are damaged', () => check(`{${' '.repeat(999)}\n`.repeat(5_000), { lines: 5_000, pages: 3 }));
    test('with a damaged line after each event', async () => {
      const { place } = await makeTranscript([small, '']);
      const { events: told } = (await new TranscriptPages(place).read(session, { from: 0, bytesMax })) ?? {};
      const pairBytes = Buffer.byteLength(JSON.stringify(told));
      const pages = Math.ceil((10_000 * pairBytes) / bytesMax);
      await check(`${small}\n\n`.repeat(10_000), { lines: 20_000, pages });
    });
    test('with a text that is not UTF-8', () =>
      check(
        Buffer.concat([
          Buffer.from(`${small}\n{"type":"a","at":"","text":"`),
          Buffer.alloc(4 * 1024 * 1024, 0xff),
          Buffer.from(`"}\n${small}\n`),
        ]),
        { lines: 3, pages: 3 },
      ));
    test('with numbers that are written shorter', () =>
      check(`{"type":"a","at":"","n":[${'1e20,'.repeat(500_000)}1]}\n`, { lines: 1, pages: 1 }));
    test('with a very long time, which a diagnostic repeats', () =>
      check(`{"type":"a","at":"${'9'.repeat(1_200_000)}"}\n\n${small}\n`, { lines: 3, pages: 2 }));
  });

  test('says what is too long only as it would be sent', async () => {
    const { place } = await makeTranscript([`{"type":"a","at":"","n":[${'1e20,'.repeat(500_000)}1]}`]);
    const page = await new TranscriptPages(place).read(session, { from: 0, bytesMax: 1 });
    expect(words(page?.events ?? [])).toEqual(['Line 1 is left out of the transcript: too long to be shown.']);
  });

  test('reads little more than itself, however much comes before it', async () => {
    const all = Array.from({ length: 4000 }, (_, seq) => output(seq, `${seq} ${'x'.repeat(1000)}`));
    const { place, path } = await makeTranscript(all);
    const counted = countReads();
    const pages = new TranscriptPages({ ...place, disk: counted.disk });
    const read: RavelEvent[] = [];
    for (let from = 0; ; ) {
      counted.bytes = 0;
      const page = await pages.read(session, { from, bytesMax: 100_000 });
      expect(counted.bytes).toBeLessThan(1_000_000);
      if (page === undefined || page.next === from) break;
      read.push(...page.events);
      from = page.next;
    }
    expect(read).toEqual(all);
    await appendFile(path, `${JSON.stringify(output(4000))}\n`);
    expect(words((await pages.read(session, { from: 4000, bytesMax: 100 }))?.events ?? [])).toEqual(['said 4000']);
    // What lies at the places that it remembers is of another file by now.
    await truncate(path, 0);
    await appendFile(path, `${JSON.stringify(output(1, 'y'.repeat(5_000_000)))}\n`);
    expect(await pages.read(session, { from: 3000, bytesMax: 100 })).toEqual({ events: [], next: 1 });
  });

  test('goes over no lines before it, however short they are', async () => {
    const { place, path } = await makeTranscript([]);
    await writeFile(path, '\n'.repeat(2 * linesMax + 100));
    const counted = countReads();
    const pages = new TranscriptPages({ ...place, disk: counted.disk });
    for (const from of [0, linesMax]) {
      expect((await pages.read(session, { from, bytesMax: 2_000_000 }))?.next).toBe(from + linesMax);
    }
    counted.bytes = 0;
    expect((await pages.read(session, { from: 2 * linesMax, bytesMax: 2_000_000 }))?.next).toBe(2 * linesMax + 100);
    expect(counted.bytes).toBeLessThan(200);
  });
});
