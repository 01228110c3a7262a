import { existsSync } from 'node:fs';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { type Clock, systemClock } from '../../../src/base/clock.ts';
import type { Disk } from '../../../src/base/disk.ts';
import { silentLogger } from '../../../src/base/log.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { VaultSearch } from '../../../src/knowledge/search/vaultSearch.ts';
import type { VaultLayout } from '../../../src/vault/layout.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { bundleProgram } from '../../support/program.ts';
import { systemError } from '../../support/tracingDisk.ts';
import { makeSearchedVault, write, writePlan } from './searchedVault.ts';

let program: string;

beforeAll(async () => {
  program = await bundleProgram(
    fileURLToPath(new URL('../../../src/knowledge/search/searchWorker.ts', import.meta.url)),
  );
});

const refunds = { id: 'refunds', title: 'Refunds wait for a slot', body: 'The queue is `RefundQueue`.' };
const never = new AbortController().signal;

interface Options {
  readonly program?: string;
  readonly disk?: Disk;
  readonly clock?: Clock;
}

function searchOf(layout: VaultLayout, more: Options = {}) {
  const warnings: string[] = [];
  const log = { ...silentLogger, warn: (message: string) => warnings.push(message) };
  return {
    search: new VaultSearch({ disk: nodeDisk, layout, clock: systemClock, log, version: '1', ...more }),
    warnings,
  };
}

test('a thread finds the same as a search in this thread, and keeps its index', async () => {
  const layout = await makeSearchedVault([refunds]);
  for (let n = 0; n < 20; n += 1) writePlan(layout, `shop/project-root/p${n}`, [{ ...refunds, title: `Refund ${n}` }]);
  const { search: here } = searchOf(layout);
  const { search: inThread, warnings } = searchOf(layout, { program });
  for (const query of ['refund queue', 'slot 7', '']) {
    const order = { query, fresh: true, explain: true };
    expect(await inThread.search(order, never)).toEqual(await here.search(order, never));
  }
  await inThread.stop();
  expect([existsSync(layout.searchIndex), warnings]).toEqual([true, []]);
  // A search after a stop starts another thread.
  expect((await inThread.search({ query: 'refund', fresh: true }, never)).hits.length).toBeGreaterThan(1);
  await inThread.stop();
});

test('a thread that ends by itself fails what waits for it, and the next search starts another one', async () => {
  const layout = await makeSearchedVault([refunds]);
  const dying = `${layout.root}/dying.mjs`;
  write(dying, "import { parentPort } from 'node:worker_threads'; parentPort.on('message', () => process.exit(3));");
  const { search } = searchOf(layout, { program: dying });
  for (let n = 0; n < 2; n += 1) {
    await expect(search.search({ query: 'refund' }, never)).rejects.toMatchObject({ code: 'search/failed' });
  }
  await search.stop();
});

test('a search that could not be started fails alone, and the next one is tried again', async () => {
  const layout = await makeSearchedVault([refunds]);
  let refusals = 1;
  const disk: Disk = {
    ...nodeDisk,
    lstat: (path) => {
      if (path !== program || refusals === 0) return nodeDisk.lstat(path);
      refusals -= 1;
      return Promise.reject(systemError('EACCES'));
    },
  };
  const { search } = searchOf(layout, { program, disk });
  const order = { query: 'refund', fresh: true };
  await expect(search.search(order, never)).rejects.toMatchObject({ code: 'search/failed' });
  expect((await search.search(order, never)).hits).toHaveLength(1);
  await search.stop();
});

test('a client that gives up is not held, and the others are answered', async () => {
  const layout = await makeSearchedVault([refunds]);
  const { search } = searchOf(layout, { program });
  const givingUp = new AbortController();
  const first = search.search({ query: 'refund', fresh: true }, givingUp.signal);
  const second = search.search({ query: 'refund', fresh: true }, never);
  givingUp.abort(new Error('gave up'));
  await expect(first).rejects.toThrow('gave up');
  expect((await second).hits).toHaveLength(1);
  await search.stop();
});

test('a broken index is told once in the log', async () => {
  const layout = await makeSearchedVault([refunds]);
  write(layout.searchIndex, 'nonsense');
  const { search, warnings } = searchOf(layout, { program });
  for (let n = 0; n < 3; n += 1) {
    expect((await search.search({ query: 'refund', fresh: true }, never)).diagnostics).toEqual([]);
  }
  await search.stop();
  expect(warnings).toEqual(['the search index is built again']);
});

test('a thread that is stuck is ended after a minute, and the same search is answered by a new one', async () => {
  const layout = await makeSearchedVault([refunds]);
  const stuck = `${layout.root}/stuck.mjs`;
  write(
    stuck,
    `import { workerData } from 'node:worker_threads';
if (!workerData.rebuilds) for (;;);
await import(${JSON.stringify(pathToFileURL(program).href)});`,
  );
  const clock = new ManualClock();
  const { search, warnings } = searchOf(layout, { program: stuck, clock });
  const answer = search.search({ query: 'refund', fresh: true }, never);
  await clock.whenScheduled();
  clock.advance(59_000);
  expect(warnings).toEqual([]);
  clock.advance(1000);
  expect((await answer).hits).toMatchObject([{ id: 'refunds' }]);
  expect(warnings).toEqual(['the search index is built again']);
  await search.stop();
});
