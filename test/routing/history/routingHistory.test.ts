import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import type { RoutingDecision, RoutingRecord, RoutingResult } from '../../../src/model/routing.ts';
import { routeRow } from '../../../src/routing/history/routeRow.ts';
import { type HistoryOptions, RoutingHistory } from '../../../src/routing/history/routingHistory.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../../support/tracingDisk.ts';

const plan = toQualifiedId('Shop/project-root');
const ulid = (n: number) => `01HZY${String(n).padStart(21, '0')}` as Ulid;

function decision(n: number, more: Partial<RoutingDecision> = {}): RoutingDecision {
  return {
    ...{ type: 'decision', message: ulid(n), at: '2026-01-02T03:04:05Z', on: 'dispatch', from: plan },
    ...{ named: { target: 'auto' }, reason: 'So', body: `Body ${n}: ü`, depth: 0, origin: ulid(n), facts: [] },
    ...{ extractor: 'none', rules: [], candidates: [], consulted: [], step: 'direct', reasoning: '', durationMs: 1 },
    outcome: { kind: 'routed', to: plan },
    ...more,
  };
}
const result = (n: number): RoutingResult => ({
  ...{ type: 'result', message: ulid(n), at: '2026-01-03T03:04:05Z', plan, result: 'declined', reason: 'Not ours' },
});

async function makePath(): Promise<string> {
  return join(await makeTemporaryDirectory(), 'routing-history.jsonl');
}
const historyAt = (path: string, options: Partial<HistoryOptions> = {}) =>
  new RoutingHistory({ disk: nodeDisk, path, ...options });

test('an appended record is found by this owner and the next, and the newest of a message counts', async () => {
  const path = await makePath();
  const history = historyAt(path);
  const waiting = decision(1, { outcome: { kind: 'waiting', approval: ulid(9), reason: 'Nobody' } });
  for (const record of [waiting, decision(2), decision(1), result(1)]) await history.append(record);
  const expected = { ...decision(1), result: result(1) };
  expect(await history.find(ulid(1))).toEqual(expected);
  await history.stop();
  const seen: RoutingRecord[] = [];
  const next = historyAt(path, { onAppended: (record) => seen.push(record) });
  expect(await next.find(ulid(1))).toEqual(expected);
  expect(await next.find(ulid(3))).toBeUndefined();
  await next.append(decision(3));
  expect(seen).toEqual([decision(3)]);
  expect(await next.find(ulid(3))).toEqual(decision(3));
});

test('a message that a person routed later keeps the time of its first decision, and its place in the list', async () => {
  const history = historyAt(await makePath());
  const waiting = { kind: 'waiting', approval: ulid(9), reason: 'Nobody' } as const;
  await history.append(decision(1, { outcome: waiting }));
  await history.append(decision(2));
  const later = decision(1, { at: '2026-01-05T00:00:00Z', step: 'person' });
  await history.append(later);
  expect(await history.find(ulid(1))).toEqual({ ...later, firstAt: '2026-01-02T03:04:05Z' });
  const { routes } = await history.page(10);
  expect(routes.map(({ message, firstAt }) => [message, firstAt])).toEqual([
    [ulid(2), undefined],
    [ulid(1), '2026-01-02T03:04:05Z'],
  ]);
  await history.stop();
});

test('a record is appended without a look at what is there, and counts when that is read', async () => {
  const path = await makePath();
  await writeFile(path, `${JSON.stringify(decision(1))}\n`.repeat(3));
  let read = 0;
  const disk = traceDisk(nodeDisk, (_n, name) => {
    if (name === 'file.read') read++;
  });
  const history = historyAt(path, { disk });
  await history.append(decision(1, { reasoning: 'Later' }));
  // The last bytes, for a line that was not written whole.
  expect(read).toBe(1);
  await Promise.all([history.load(), history.append(decision(2))]);
  expect(await history.find(ulid(1))).toEqual(decision(1, { reasoning: 'Later' }));
  expect((await history.page(10)).routes.map(({ message }) => message)).toEqual([ulid(2), ulid(1)]);
});

describe('a history of several files', () => {
  const bytesOf = (n: number) => Buffer.byteLength(`${JSON.stringify(decision(n))}\n`);
  const filesIn = (path: string) => readdir(path.slice(0, -'.jsonl'.length)).catch(() => []);

  test('is read through all of them, by this owner and the next', async () => {
    const path = await makePath();
    const options = { segmentBytes: 2 * bytesOf(1) };
    const history = historyAt(path, options);
    for (let n = 1; n <= 7; n++) await history.append(decision(n));
    await history.append(result(2));
    expect(await filesIn(path)).toEqual(['000001.jsonl', '000002.jsonl', '000003.jsonl']);
    const newest = [7, 6, 5, 4, 3, 2, 1].map(ulid);
    for (const owner of [history, historyAt(path, options)]) {
      expect((await owner.page(10)).routes.map(({ message }) => message)).toEqual(newest);
      expect(await owner.find(ulid(2))).toEqual({ ...decision(2), result: result(2) });
    }
    await history.stop();
  });

  test('loses its oldest ones if it has more bytes than are kept', async () => {
    const path = await makePath();
    const options = { segmentBytes: 2 * bytesOf(1), bytesMax: 4 * bytesOf(1) };
    const history = historyAt(path, options);
    for (let n = 1; n <= 9; n++) await history.append(decision(n));
    await history.stop();
    expect(await filesIn(path)).toEqual(['000003.jsonl', '000004.jsonl']);
    expect((await historyAt(path, options).page(10)).routes.map(({ message }) => message)).toEqual(
      [9, 8, 7, 6].map(ulid),
    );
  });

  test('continues in a new file if its owner died between two', async () => {
    const path = await makePath();
    const history = historyAt(path, { segmentBytes: 1 });
    await history.append(decision(1));
    await history.append(decision(2));
    await history.stop();
    await rm(path, { force: true });
    const next = historyAt(path);
    await next.append(decision(3));
    expect((await next.page(10)).routes.map(({ message }) => message)).toEqual([3, 2, 1].map(ulid));
    expect(await next.since(ulid(3), { segment: 3, offset: 0, length: 1 })).toEqual([decision(3)]);
  });

  test('keeps the file that cannot be put aside', async () => {
    const path = await makePath();
    const disk = failingDisk(nodeDisk, { code: 'EACCES', at: 1, matches: (name) => name === 'rename' });
    const failed = createDeferred<unknown>();
    const history = historyAt(path, { disk, segmentBytes: 1, onError: failed.resolve });
    await history.append(decision(1));
    expect(await failed.promise).toMatchObject({ code: 'EACCES' });
    await history.append(decision(2));
    await history.stop();
    expect((await historyAt(path).page(10)).routes.map(({ message }) => message)).toEqual([2, 1].map(ulid));
  });
});

test('if the newest line of a message is damaged, the one before it holds', async () => {
  const path = await makePath();
  const line = JSON.stringify(decision(1, { reasoning: 'Later' }));
  const damaged = line.replace('"outcome"', '"outcome:');
  await writeFile(path, `${JSON.stringify(decision(1))}\n${damaged}\n`);
  expect(await historyAt(path).find(ulid(1))).toEqual(decision(1));
});

test('a missing history is empty, and reading does not make it', async () => {
  const path = await makePath();
  const history = historyAt(path);
  expect(await history.find(ulid(1))).toBeUndefined();
  expect(await history.page(10)).toEqual({ routes: [] });
  await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' });
});

test('pages go from the newest record back', async () => {
  const path = await makePath();
  const history = historyAt(path);
  await Promise.all([1, 2, 3, 4, 5].map((n) => history.append(decision(n))));
  const pages: string[][] = [];
  let before: Ulid | undefined;
  do {
    const page = await history.page(2, before);
    pages.push(page.routes.map(({ excerpt }) => excerpt));
    before = page.next;
  } while (before !== undefined);
  expect(pages).toEqual([['Body 5: ü', 'Body 4: ü'], ['Body 3: ü', 'Body 2: ü'], ['Body 1: ü']]);
  expect(await history.page(2, ulid(77))).toEqual({ routes: [] });
});

test('a page of large records ends early, and the next continues there', async () => {
  const path = await makePath();
  const history = historyAt(path);
  const asked = { level: 2, session: ulid(99), scope: 'Shop', durationMs: 1, answer: 'none' } as const;
  const consulted = Array.from({ length: 400 }, () => ({ ...asked, reasoning: 'x'.repeat(4000) }));
  const all = Array.from({ length: 12 }, (_, n) => decision(n, { consulted }));
  for (const record of all) await history.append(record);
  const seen: Ulid[] = [];
  let pages = 0;
  for (let next: Ulid | undefined, isOver = false; !isOver; pages++) {
    const page = await history.page(500, next);
    expect(JSON.stringify(page).length).toBeLessThan(4 * 1024 * 1024);
    seen.push(...page.routes.map(({ message }) => message));
    next = page.next;
    isOver = next === undefined;
  }
  expect(pages).toBeGreaterThan(1);
  expect(seen).toEqual(all.map(({ message }) => message).reverse());
});

describe('a damaged history file', () => {
  test('loses a torn last line with the next record', async () => {
    const path = await makePath();
    const before = `${JSON.stringify(decision(1))}\n`;
    await writeFile(path, `${before}{"type":"decision","mess`);
    const history = historyAt(path);
    await history.append(decision(2));
    expect((await history.page(10)).routes).toEqual([routeRow(decision(2)), routeRow(decision(1))]);
    expect(await readFile(path, 'utf8')).toBe(`${before}${JSON.stringify(decision(2))}\n`);
  });

  test('reports other bad lines and skips them', async () => {
    const path = await makePath();
    const lines = [JSON.stringify(decision(1)), 'nonsense', '{"type":"decision"}', '', JSON.stringify(decision(2))];
    await writeFile(path, `${lines.join('\n')}\n`);
    const bad: number[] = [];
    const history = historyAt(path, { onBadLine: (offset) => bad.push(offset) });
    expect((await history.page(10)).routes).toEqual([routeRow(decision(2)), routeRow(decision(1))]);
    expect(bad).toHaveLength(3);
    expect(bad[0]).toBe(Buffer.byteLength(`${lines[0]}\n`));
  });

  test('takes the next record after a full disk', async () => {
    const path = await makePath();
    await appendFile(path, `${JSON.stringify(decision(1))}\n`);
    const disk = failingDisk(nodeDisk, { code: 'ENOSPC', at: 1, matches: (name) => name === 'file.sync' });
    const history = historyAt(path, { disk });
    await expect(history.append(decision(2))).rejects.toMatchObject({ code: 'disk/full' });
    await history.append(decision(3));
    expect(await history.find(ulid(3))).toEqual(decision(3));
    const { routes } = await historyAt(path).page(10);
    expect(routes.map(({ message }) => message)).toEqual(expect.arrayContaining([ulid(3), ulid(1)]));
  });
});

test('only the end of a long file is read, starting at a whole line', async () => {
  const path = await makePath();
  const lines = Array.from({ length: 50 }, (_, n) => `${JSON.stringify(decision(n))}\n`);
  await writeFile(path, lines.join(''));
  const bytesMax = Buffer.byteLength(lines.slice(-10).join('')) + 5;
  const { routes } = await historyAt(path, { bytesMax }).page(100);
  expect(routes.map(({ message }) => message)).toEqual(Array.from({ length: 10 }, (_, n) => ulid(49 - n)));
});

test('a line longer than one read is whole', async () => {
  const path = await makePath();
  const body = 'ä'.repeat(400_000);
  await writeFile(path, `${JSON.stringify(decision(1, { body }))}\n${JSON.stringify(decision(2))}\n`);
  const history = historyAt(path);
  expect((await history.find(ulid(1)))?.body).toBe(body);
  expect(await history.find(ulid(2))).toEqual(decision(2));
});
