import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { parse } from 'yaml';
import { systemClock } from '../../src/base/clock.ts';
import type { Core } from '../../src/core.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { openCore } from '../support/openCore.ts';
import { type Bench, type BenchRow, measure, median, round, sized } from './bench.ts';
import { copyBuiltPackage } from './builtPackage.ts';

const plans = sized(10_000, 300);
const rounds = sized(7, 1);
const nextMsMax = 300;
/** Ravel trusts the time stamp of a file only some time after it was written; this clock is ahead by that time. */
const clock = { ...systemClock, wallMs: () => systemClock.wallMs() + 60_000 };

interface World {
  readonly root: string;
  readonly vault: string;
  readonly packageRoot: string;
}

/** The second opening of a vault until the list has every row, compared with a walk that stats the same files. */
async function openAgain(world: World): Promise<BenchRow> {
  const files = new Set(['plan-state.md', 'phase.md', 'backlog.yaml']);
  const look = () => walk(world.root, files, (path) => void statSync(path));
  await timeRequest(world, listAll);
  const { ratio, ours, bare } = await compare(() => timeRequest(world, listAll), look);
  return {
    id: 'vault-open',
    value: ratio,
    unit: '× walk and stat',
    goal: '≤ 2',
    ok: ratio <= 2,
    limit: 1,
    note: `${plans} plans listed in ${ours} ms; stat of their ${3 * plans} files takes ${bare} ms`,
  };
}

/** The first opening of a vault until the tree can be shown, compared with a walk that only reads the same files. */
async function openFirst(world: World): Promise<BenchRow> {
  const files = new Set(['plan-state.md', 'phase.md']);
  const look = () => walk(world.root, files, (path) => void readFileSync(path));
  const first = async () => {
    await rm(join(world.vault, 'runtime'), { recursive: true, force: true });
    return timeRequest(world, (core) => core.api.request('outline', {}));
  };
  const { ratio, ours, bare } = await compare(first, look);
  return {
    id: 'vault-first',
    value: ratio,
    unit: '× walk and read',
    goal: '≤ 2',
    ok: ratio <= 2,
    limit: 1,
    note: `tree of ${plans} plans in ${ours} ms, its files read in ${bare} ms; ours includes the start of the thread and cold code`,
  };
}

/** The first verification of every plan, compared with one parse of the same texts by the package `yaml`. */
async function verifyAll(world: World): Promise<BenchRow> {
  const texts: string[] = [];
  const names = new Set(['backlog.yaml', 'memory.yaml']);
  walk(world.root, names, (path) => void texts.push(readFileSync(path, 'utf8')));
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const times: number[] = [];
  for (let n = 0; n < sized(3, 1); n++) {
    await rm(join(world.vault, 'runtime'), { recursive: true, force: true });
    delay.enable();
    times.push(await timeRequest(world, verify));
    delay.disable();
  }
  const again = await timeRequest(world, verify);
  const bare = await measure(async () => {
    for (const text of texts) parse(text);
  });
  const ratio = round(median(times) / bare, 3);
  const lag = `event loop blocked p99.9 ${round(delay.percentile(99.9) / 1e6, 1)} ms, at most ${round(delay.max / 1e6, 1)} ms`;
  return {
    id: 'vault-verify',
    value: ratio,
    unit: '× parsing with the package yaml',
    goal: '≤ 0.25',
    ok: ratio <= 0.25,
    limit: 1,
    note: `${4 * plans} files verified in ${seconds(median(times))}, again in ${seconds(again)}; yaml alone ${seconds(bare)}; ${lag}`,
  };
}

/** What is next over all plans, in a core that was asked before, compared with a walk that stats the same files. */
async function nextAgain(world: World): Promise<BenchRow> {
  const files = new Set(['plan-state.md', 'phase.md', 'backlog.yaml']);
  const core = await openCore(
    { vault: world.vault, environment: {} },
    { packageRoot: world.packageRoot, role: 'local', clock, sessions: 'processes' },
  );
  try {
    const look = () => walk(world.root, files, (path) => void statSync(path));
    await askNext(core);
    const times: { ours: number; bare: number }[] = [];
    for (let n = 0; n < rounds; n++) {
      times.push({ ours: await measure(() => askNext(core)), bare: await measure(async () => look()) });
    }
    // Other programs on the machine only add to a time.
    const ours = round(Math.min(...times.map((one) => one.ours)), 0);
    const bare = round(Math.min(...times.map((one) => one.bare)), 0);
    return {
      id: 'next-10k',
      value: ours,
      unit: 'ms, fastest',
      goal: `≤ ${nextMsMax}`,
      ok: ours <= nextMsMax,
      limit: bare,
      note: `the first 20 tasks of ${plans} plans; the limit is stat of their ${3 * plans} files`,
    };
  } finally {
    await core.stop();
  }
}

async function askNext({ api }: Core): Promise<void> {
  const { tasks, plans: seen, leftOut } = await api.request('next', {});
  if (tasks.length !== 20 || seen !== plans || leftOut.faulted > 0) throw new Error('the list lacks tasks or plans');
}

async function listAll({ api }: Core): Promise<void> {
  const { plans: rows } = await api.request('list', {});
  if (rows.length !== plans || rows.some(({ faults }) => faults.length > 0))
    throw new Error('the list lacks plans or has faults');
}

async function verify({ api }: Core): Promise<void> {
  const found = await api.request('verify', {});
  if (found.plans !== plans || found.diagnostics.length > 0)
    throw new Error('the verification lacks plans or found problems');
}

/** Milliseconds from opening the vault to the answer, without the time to stop the core afterwards. */
async function timeRequest(world: World, request: (core: Core) => Promise<unknown>): Promise<number> {
  let core: Core | undefined;
  const time = await measure(async () => {
    core = await openCore(
      { vault: world.vault, environment: {} },
      { packageRoot: world.packageRoot, role: 'local', clock, sessions: 'processes' },
    );
    await request(core);
  });
  await core?.stop();
  return time;
}

/** The two take turns and each pair is compared, so that other load on the machine hits both equally. */
async function compare(ours: () => Promise<number>, bare: () => void) {
  const pairs: { ours: number; bare: number }[] = [];
  for (let n = -sized(1, 0); n < rounds; n++) {
    const before = await measure(async () => bare());
    const pair = { ours: await ours(), bare: (before + (await measure(async () => bare()))) / 2 };
    // The first round warms up.
    if (n >= 0) pairs.push(pair);
  }
  return {
    ratio: round(median(pairs.map((pair) => pair.ours / pair.bare)), 2),
    ours: round(median(pairs.map((pair) => pair.ours)), 0),
    bare: round(median(pairs.map((pair) => pair.bare)), 0),
  };
}

function walk(root: string, names: ReadonlySet<string>, visit: (path: string) => void): void {
  const pending = [root];
  for (let folder = pending.pop(); folder !== undefined; folder = pending.pop()) {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      const path = `${folder}/${entry.name}`;
      if (entry.isDirectory()) pending.push(path);
      else if (names.has(entry.name)) visit(path);
    }
  }
}

async function inWorld(run: (world: World) => Promise<BenchRow>): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const [packageRoot, plansRoot] = [join(root, 'package'), join(root, 'plans')];
    await copyBuiltPackage(packageRoot);
    return await run({ root: plansRoot, vault: writeLargeVault(plansRoot, { plans }), packageRoot });
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

function seconds(ms: number): string {
  return `${round(ms / 1000, 2)} s`;
}

export const benches: readonly Bench[] = [
  { id: 'vault-open', usesBuild: true, run: () => inWorld(openAgain) },
  { id: 'vault-first', usesBuild: true, run: () => inWorld(openFirst) },
  { id: 'next-10k', usesBuild: true, run: () => inWorld(nextAgain) },
  { id: 'vault-verify', usesBuild: true, run: () => inWorld(verifyAll) },
];
