import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import type { RoutingRecord } from '../../../src/model/routing.ts';
import { HistoryIndex } from '../../../src/routing/history/historyIndex.ts';
import { pastReceivers } from '../../../src/routing/history/pastReceivers.ts';
import { RecentDecisions, type RecentOptions } from '../../../src/routing/history/recentDecisions.ts';
import { RoutingHistory } from '../../../src/routing/history/routingHistory.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { decision, result } from '../../support/routingRecords.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { traceDisk } from '../../support/tracingDisk.ts';

const pay = 'Shop/project-root/pay';
const id = (n: number) => `01HZY${String(n).padStart(21, '0')}`;
const about = (n: number) =>
  decision(id(n), { to: pay, body: `Refunds of order${n} are late`, named: { 'target-project': 'Shop' }, usd: n / 8 });

/** The thread as it is built; `test/support/globalSetup.ts` builds it. */
const program = join(import.meta.dirname, '../../../dist/history.mjs');

async function makeHistory(records: readonly RoutingRecord[], options: Partial<RecentOptions> = {}) {
  const path = join(await makeTemporaryDirectory(), 'routing-history.jsonl');
  await writeFile(path, records.map((record) => `${JSON.stringify(record)}\n`).join(''));
  const { disk = nodeDisk } = options;
  const recent = new RecentDecisions({ disk, clock: new ManualClock(), log: silentLogger, ...options });
  const history = new RoutingHistory({ disk, path, onAppended: (record, line) => recent.record(record, line) });
  return { recent, history, ready: () => recent.ready(history) };
}

/** What is asked of an index. */
function contentOf(index: HistoryIndex) {
  const words = [...index.lexicon.stems()];
  return {
    decisions: index.decisions.map(({ words: row, ...rest }) => ({ ...rest, words: [...row] })),
    words: words.map((stem, n) => [stem, index.lexicon.formOf(n + 1), index.decisionsWith(n + 1)]),
    receivers: [...pastReceivers(index, words.slice(0, 5))],
  };
}

function indexOf(records: readonly RoutingRecord[]) {
  const index = new HistoryIndex();
  for (const record of records) index.add(record);
  return contentOf(index);
}

const records = [
  ...Array.from({ length: 120 }, (_, n) => about(n)),
  result(id(3), pay, 'declined'),
  decision(id(4), { body: 'Nobody knows about it' }),
  result(id(500), pay, 'promoted'),
];

test.each([
  ['in a thread', { program, hereBytesMax: 0 }],
  ['in this thread', {}],
  ['in this thread, if none can be started', { program: join(program, 'missing'), hereBytesMax: 0 }],
])('a history that is read %s is the same as one that was taken in record by record', async (_where, options) => {
  const { ready, history } = await makeHistory(records, options);
  expect(contentOf(await ready())).toEqual(indexOf(records));
  await history.append(about(500));
  expect(contentOf(await ready())).toEqual(indexOf([...records, about(500)]));
});

test('what is appended while it is read is in it once, in the order of the file', async () => {
  const reading = createDeferred<void>();
  const held = createDeferred<void>();
  const disk = traceDisk(nodeDisk, async (_n, name) => {
    if (name !== 'file.read') return;
    reading.resolve();
    await held.promise;
  });
  const { ready, recent, history } = await makeHistory(records, { disk });
  const first = recent.ready(history);
  await reading.promise;
  const appended = [history.append(about(200)), history.append(about(201))];
  held.resolve();
  await Promise.all(appended);
  await first;
  expect(contentOf(await ready())).toEqual(indexOf([...records, about(200), about(201)]));
});

test('only the newest bytes count, and are read again once the history has grown by half of them', async () => {
  const lines = records.slice(0, 120).map((record) => Buffer.byteLength(JSON.stringify(record)) + 1);
  const bytesMax = lines.slice(-20).reduce((sum, bytes) => sum + bytes, 1);
  const { ready, history } = await makeHistory(records.slice(0, 120), { bytesMax });
  expect(contentOf(await ready()).decisions.map(({ message }) => message)).toEqual(
    Array.from({ length: 20 }, (_, n) => id(100 + n)),
  );
  for (let n = 120; n < 129; n++) await history.append(about(n));
  expect((await ready()).decisions).toHaveLength(29);
  for (let n = 129; n < 135; n++) await history.append(about(n));
  expect((await ready()).decisions.length).toBeLessThan(21);
  expect((await ready()).decisions.at(-1)?.message).toBe(id(134));
});

test('a line that is not a record is left out', async () => {
  const { ready, history } = await makeHistory(records.slice(0, 2));
  await history.append({ type: 'decision', message: 'none' } as never);
  expect((await ready()).decisions).toHaveLength(2);
});

test('a read that is ended rejects, and nothing continues', async () => {
  const { recent, ready } = await makeHistory(records);
  recent.stop();
  await expect(ready()).rejects.toThrow();
});

test('a reader waits at most half a minute for a history that hangs, and it counts once it was read', async () => {
  const held = createDeferred<void>();
  const disk = traceDisk(nodeDisk, async (_n, name) => {
    if (name === 'file.read') await held.promise;
  });
  const clock = new ManualClock();
  let toldLate = 0;
  const { recent, history } = await makeHistory(records, { disk, clock, onLate: () => toldLate++ });
  const waiting = [recent.inTime(history), recent.inTime(history)];
  clock.advance(29_999);
  expect(toldLate).toBe(0);
  clock.advance(1);
  expect([...(await Promise.all(waiting)), await recent.inTime(history), toldLate]).toEqual([
    ...[undefined, undefined, undefined],
    1,
  ]);
  held.resolve();
  await recent.ready(history);
  expect((await recent.inTime(history))?.decisions).toHaveLength(120);
  expect(clock.scheduled).toBe(0);
});
