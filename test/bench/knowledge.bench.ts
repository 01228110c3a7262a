import { execFile } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { delay, systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { EntryCatalog } from '../../src/vault/entryCatalog.ts';
import { EntryIndex } from '../../src/vault/entryIndex.ts';
import { EntryThread } from '../../src/vault/entryThread.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { longestGapOf } from '../support/longestGap.ts';
import { type Bench, type BenchRow, median, round, sized } from './bench.ts';

const folders = 100;
const filesAtOnce = 32;

/** Entries with links to each other; returns their files. */
function writeEntries(layout: VaultLayout, count: number): readonly string[] {
  for (let n = 0; n < folders; n++) mkdirSync(join(layout.knowledge, 'tools', `${n}`), { recursive: true });
  return Array.from({ length: count }, (_, n) => {
    const file = join(layout.knowledge, 'tools', `${n % folders}`, `${n}.md`);
    const link = `[[Entry ${(n + 1) % count}]]`;
    const keys = `title: Entry ${n}\ntags:\n- t${n % 50}\nkind: heuristic\nconfidence: low\nrelated:\n- "${link}"`;
    writeFileSync(file, `---\n${keys}\n---\n\nText of entry ${n}.\n`);
    return file;
  });
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** A list of many entries, none of which changed since the last one, beside the bare look at each of their files. */
async function runList(): Promise<BenchRow> {
  const count = sized(100_000, 500);
  const root = await mkdtemp(join(tmpdir(), 'ravel-knowledge-'));
  try {
    const layout = new VaultLayout(root);
    const files = writeEntries(layout, count);
    const clock = { wallMs: () => Number.MAX_SAFE_INTEGER };
    const catalog = new EntryCatalog({ disk: nodeDisk, layout, clock });
    const first = await timed(() => catalog.survey([]));
    const again: number[] = [];
    const looks: number[] = [];
    for (let run = 0; run < 3; run++) {
      again.push(await timed(async () => new EntryIndex((await catalog.survey([])).heads)));
      looks.push(await timed(() => lookAtAll(files)));
    }
    const [value, limit] = [median(again), median(looks)];
    return {
      id: 'knowledge-list',
      value: round(value, 0),
      unit: 'ms',
      goal: 'at most 4 times the bare look at each file',
      ok: value <= 4 * limit,
      limit: round(limit, 0),
      note: `${count} entries of which none changed, with the index of their names; the first time ${round(first, 0)} ms`,
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

async function lookAtAll(files: readonly string[]): Promise<void> {
  for (let at = 0; at < files.length; at += filesAtOnce) await nodeDisk.stampEach(files.slice(at, at + filesAtOnce));
}

/** How often the bare look at all files, by a program that does nothing else, each command can take. */
const limits = { 'list, cold': 2, 'list, warm': 2, 'add, cold': 15, 'add, warm': 5 } as const;
/** Milliseconds for which the thread of an owner can be busy. */
const gapMaxMs = 50;

/** Each file once, in a new process. */
const lookProgram = `
const fs = require('node:fs');
const walk = (folder) => {
  for (const entry of fs.readdirSync(folder, { withFileTypes: true })) {
    const path = folder + '/' + entry.name;
    if (entry.isDirectory()) walk(path);
    else fs.statSync(path);
  }
};
walk(process.argv[1]);
`;

/**
 * Commands of new processes over a vault of many entries, without and with a cache, beside a program that only looks at
 * each file once; and the longest time for which an owner is busy while it lists and adds.
 */
async function run100k(): Promise<BenchRow> {
  const count = sized(100_000, 2500);
  const root = await mkdtemp(join(tmpdir(), 'ravel-knowledge-'));
  try {
    const command = join(process.cwd(), 'dist/ravel.mjs');
    const ravel = (...args: string[]) => runProgram(command, '--vault', root, 'knowledge', ...args);
    await runProgram(command, 'init', root);
    const layout = new VaultLayout(root);
    writeEntries(layout, count);
    const looks: number[] = [];
    const look = async () => looks.push(await timed(() => runProgram('-e', lookProgram, layout.knowledge)));
    let added = 0;
    const add = () => ravel('add', `New ${added++} of many`, '--body', 'Some words.');
    const forget = () => rm(layout.cache, { recursive: true, force: true });
    const times: Record<keyof typeof limits, number[]> = {
      ...{ 'list, cold': [], 'list, warm': [], 'add, cold': [], 'add, warm': [] },
    };
    await look();
    for (let run = 0; run < sized(3, 1); run++) {
      await forget();
      times['list, cold'].push(await timed(() => ravel('list')));
      times['list, warm'].push(await timed(() => ravel('list')));
      await look();
      await forget();
      times['add, cold'].push(await timed(add));
      await look();
      times['add, warm'].push(await timed(add));
    }
    const bare = median(looks);
    const shares = Object.entries(limits).map(([name, most]) => {
      const ms = median(times[name as keyof typeof limits]);
      return { name, ms, share: ms / bare / most };
    });
    const owner = await ownerOf(layout);
    const worst = Math.max(...shares.map(({ share }) => share));
    const said = shares.map(({ name, ms }) => `${name} ${round(ms / 1000, 2)} s (${round(ms / bare, 1)} looks)`);
    return {
      id: 'knowledge-100k',
      value: round(worst, 2),
      unit: 'of the limit, at worst',
      goal: `≤ 1: a list takes ≤ ${limits['list, cold']} looks at all files, an addition ≤ ${limits['add, cold']}, with a cache ≤ ${limits['add, warm']}; an owner is busy ≤ ${gapMaxMs} ms at once, or as long as one with nothing to do`,
      ok: worst <= 1 && owner.gapMs <= Math.max(gapMaxMs, owner.idleGapMs),
      note: `${count} entries; a look takes ${round(bare / 1000, 2)} s; ${said.join(', ')}; an owner is busy for ${round(owner.gapMs, 0)} ms at once, with nothing to do for ${round(owner.idleGapMs, 0)} ms, and holds ${owner.mb} MB`,
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

interface OwnerFigures {
  readonly gapMs: number;
  /** The same of one with nothing to do, for as long: what other programs take of the machine. */
  readonly idleGapMs: number;
  readonly mb: number;
}

/** The longest gap of an owner while its thread lists and looks a name up, and what both hold then. */
async function ownerOf(layout: VaultLayout): Promise<OwnerFigures> {
  const log = { debug() {}, info() {}, warn: throwIt, error: throwIt };
  const ports = { disk: nodeDisk, layout, clock: systemClock, log, version: 'bench' };
  const thread = new EntryThread({ ...ports, program: join(process.cwd(), 'dist/entries.mjs') });
  try {
    const catalog = new EntryCatalog({ disk: nodeDisk, layout, clock: systemClock, thread });
    const before = process.memoryUsage().rss;
    let gapMs = 0;
    const tookMs = await timed(async () => {
      gapMs = await longestGapOf(async () => {
        await catalog.page([], { from: 0, limit: 200 });
        await catalog.page([], { from: 0, limit: 200, tags: ['t3'] });
        await catalog.namesakes([], { name: 'Entry 7', file: '' });
      });
    });
    const idleGapMs = await longestGapOf(() => delay(systemClock, tookMs));
    return { gapMs, idleGapMs, mb: Math.round((process.memoryUsage().rss - before) / 1024 / 1024) };
  } finally {
    await thread.stop();
  }
}

function throwIt(message: string): never {
  throw new Error(message);
}

async function runProgram(...args: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [...args], { maxBuffer: 64 * 1024 * 1024 });
}

export const benches: readonly Bench[] = [
  { id: 'knowledge-list', run: runList },
  { id: 'knowledge-100k', usesBuild: true, run: run100k },
];
