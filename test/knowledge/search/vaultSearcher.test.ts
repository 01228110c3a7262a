import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ReadingDisk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { systemError } from '../../support/tracingDisk.ts';
import { makeSearchedVault, searcherOf, write, writePlan } from './searchedVault.ts';

const refunds = { id: 'refunds', title: 'Refunds wait for a slot', body: 'The queue is `RefundQueue`.' };
const tills = { id: 'tills', title: 'Tills ask the server for the time', body: 'Each night.' };

/** Counts the files that are read. */
function countingDisk(): { readonly disk: ReadingDisk; readonly read: string[] } {
  const read: string[] = [];
  const disk: ReadingDisk = {
    ...nodeDisk,
    readEach: (paths, bytesMax) => {
      read.push(...paths);
      return nodeDisk.readEach(paths, bytesMax);
    },
  };
  return { disk, read };
}

describe('an index that was saved', () => {
  test('gives the same answers, and only what changed since is read again', async () => {
    const layout = await makeSearchedVault([refunds, tills]);
    const first = searcherOf(layout);
    const order = { query: 'refund queue', fresh: true, explain: true };
    const before = await first.searcher.search(order);
    await first.searcher.stop();
    const { disk, read } = countingDisk();
    const second = searcherOf(layout, { disk });
    expect(await second.searcher.search(order)).toEqual(before);
    // What is shown, and nothing else.
    expect(read).toEqual([join(layout.plan(toQualifiedId('shop/project-root')), 'memory.yaml')]);
    expect(second.problems).toEqual([]);
  });

  test.each<[damage: string, problem: RegExp, damaged: (whole: Buffer) => Buffer]>([
    [
      'of another version',
      /another version/,
      (whole) => Buffer.concat([Buffer.from('ravel search 2, 0.9, 1'), whole.subarray(22)]),
    ],
    ['with a changed byte', /damaged/, (whole) => whole.fill(7, whole.length - 9, whole.length - 8)],
    ['cut short', /damaged/, (whole) => whole.subarray(0, whole.length / 2)],
    ['empty', /another version/, () => Buffer.alloc(0)],
    ['of another program', /another version/, () => Buffer.from('x'.repeat(5000))],
  ])('%s is reported once and built again', async (_damage, problem, damaged) => {
    const layout = await makeSearchedVault([refunds, tills]);
    const first = searcherOf(layout);
    const before = await first.ids('refund');
    await first.searcher.stop();
    const whole = readFileSync(layout.searchIndex);
    writeFileSync(layout.searchIndex, damaged(Buffer.from(whole)));
    const second = searcherOf(layout);
    expect(await second.ids('refund')).toEqual(before);
    expect(second.problems).toEqual([{ about: 'load', message: expect.stringMatching(problem) }]);
    await second.searcher.stop();
    const third = searcherOf(layout);
    expect(await third.ids('refund')).toEqual(before);
    expect(third.problems).toEqual([]);
  });

  test('is not saved on a full disk, and every search is answered', async () => {
    const layout = await makeSearchedVault([refunds]);
    const saving = { ...nodeDisk, open: () => Promise.reject(systemError('ENOSPC')) };
    const { searcher, problems, ids } = searcherOf(layout, { saving });
    expect(await ids('refund')).toEqual(['refunds']);
    await searcher.stop();
    expect(problems).toContainEqual({ about: 'save', message: expect.stringMatching(/full|space/) });
  });
});

test('a file that cannot be read is counted, and found again once it can', async () => {
  const layout = await makeSearchedVault([refunds]);
  const { searcher, ids } = searcherOf(layout);
  expect(await ids('refund')).toEqual(['refunds']);
  const file = join(layout.projects, 'shop/project-root/memory.yaml');
  const whole = readFileSync(file, 'utf8');
  write(file, 'entries: [\n');
  expect(await searcher.search({ query: 'refund', fresh: true })).toMatchObject({ hits: [], partial: 1 });
  write(file, whole);
  expect(await searcher.search({ query: 'refund', fresh: true })).toMatchObject({
    hits: [{ id: 'refunds' }],
    partial: 0,
  });
});

test('a plan that is renamed or removed is found under its new name, or not at all', async () => {
  const layout = await makeSearchedVault([tills]);
  writePlan(layout, 'shop/project-root/cards', [refunds]);
  const { searcher, ids } = searcherOf(layout);
  const plans = async () => (await searcher.search({ query: 'refund', fresh: true })).hits.map(({ plan }) => plan);
  expect(await plans()).toEqual(['shop/project-root/cards']);
  renameSync(join(layout.projects, 'shop/project-root/cards'), join(layout.projects, 'shop/project-root/plastic'));
  expect(await plans()).toEqual(['shop/project-root/plastic']);
  rmSync(join(layout.projects, 'shop/project-root/plastic'), { recursive: true });
  expect(await ids('refund')).toEqual([]);
});

test('a search that meets an edit shows nothing of what is gone, and looks again', async () => {
  const layout = await makeSearchedVault([refunds, tills]);
  const { searcher } = searcherOf(layout);
  await searcher.search({ query: 'refund', fresh: true });
  writePlan(layout, 'shop/project-root', [tills]);
  const meanwhile = await searcher.search({ query: 'refund' });
  expect(meanwhile).toMatchObject({ hits: [], isBehind: true });
  await searcher.search({ query: 'refund', fresh: true });
  expect(await searcher.search({ query: 'refund' })).toMatchObject({ hits: [], isBehind: false });
});

test('searches are answered while files are read', async () => {
  const layout = await makeSearchedVault([refunds]);
  for (let n = 0; n < 30; n += 1) writePlan(layout, `shop/project-root/p${n}`, [tills]);
  let release: () => void = () => undefined;
  const held = new Promise<void>((resolve) => {
    release = resolve;
  });
  let isHeld = false;
  const disk: ReadingDisk = {
    ...nodeDisk,
    readEach: async (paths, bytesMax) => {
      if (isHeld && paths[0]?.includes('/p29/memory')) await held;
      return nodeDisk.readEach(paths, bytesMax);
    },
  };
  const { searcher } = searcherOf(layout, { disk });
  await searcher.search({ query: 'refund', fresh: true });
  isHeld = true;
  writePlan(layout, 'shop/project-root/p29', [{ ...refunds, id: 'again' }]);
  const fresh = searcher.search({ query: 'refund', fresh: true });
  expect(await searcher.search({ query: 'refund' })).toMatchObject({ hits: [{ id: 'refunds' }], isUpdating: true });
  release();
  expect((await fresh).hits.map(({ id }) => id).sort()).toEqual(['again', 'refunds']);
});

describe('any query is answered', () => {
  const long = 'refund queue slot '.repeat(2800);
  test.each<[what: string, query: string, ids: readonly string[]]>([
    ['empty', '', []],
    ['blank', ' \n\t', []],
    ['of 50 kB', long, ['refunds']],
    ['in Chinese', '退款', ['chinese']],
    ['in Arabic', 'المدفوعات', ['arabic']],
    ['of code alone', '`for (;;) { drainRefunds(src/refunds/drain.ts) }`', ['code']],
    ['of signs alone', '(){}[]<>!?', []],
    ['of control characters', '\u0000\u001b[2J\u202e', []],
  ])('%s', async (_what, query, expected) => {
    const layout = await makeSearchedVault([
      ...[refunds, tills],
      { id: 'chinese', title: '退款流程', body: '客户可以申请退款。' },
      { id: 'arabic', title: 'مدفوعات العملاء', body: 'تسجل المدفوعات كل يوم.' },
      { id: 'code', title: 'Drains', body: '```ts\nexport function drainRefunds() {}\n```\nin src/refunds/drain.ts' },
    ]);
    const found = await searcherOf(layout).ids(query);
    expect(found.slice(0, 1)).toEqual(expected);
  });
});

test('10,000 entries, and equal ones, are found in one order', async () => {
  const layout = await makeSearchedVault(
    Array.from({ length: 10_000 }, (_, n) => ({
      id: `e${n}`,
      title: n % 2 === 0 ? 'Equal' : `Other ${n}`,
      body: 'till',
    })),
  );
  const { searcher } = searcherOf(layout);
  const ids = async (query: string) =>
    (await searcher.search({ query, fresh: true, limit: 5 })).hits.map(({ id }) => id);
  expect(await ids('equal')).toEqual(['e0', 'e10', 'e100', 'e1000', 'e1002']);
  expect(await ids('other 9999')).toContain('e9999');
  expect((await searcher.search({ query: 'till', bytes: 30, limit: 50 })).hits.length).toBeLessThan(10);
});

test('an index that is full says so, and finds what it has', async () => {
  const layout = await makeSearchedVault([refunds, tills]);
  const { searcher } = searcherOf(layout, { bounds: { entriesMax: 2, bytesMax: 2 ** 30 } });
  expect(await searcher.search({ query: 'refund till', fresh: true })).toMatchObject({ entries: 2, isFull: true });
});

test('the beginning of a word finds what it may become while a person types', async () => {
  const layout = await makeSearchedVault([refunds, tills]);
  const { searcher } = searcherOf(layout);
  const ids = async (query: string, typing: boolean) =>
    (await searcher.search({ query, typing, fresh: true })).hits.map(({ id }) => id);
  expect([await ids('refu', true), await ids('refu', false)]).toEqual([['refunds'], []]);
});
