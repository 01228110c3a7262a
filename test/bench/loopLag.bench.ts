import { execFile } from 'node:child_process';
import { appendFileSync, writeFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks';
import { promisify } from 'node:util';
import { Worker } from 'node:worker_threads';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Core } from '../../src/core.ts';
import { type RavelServer, startServer } from '../../src/server/server.ts';
import { watchTree } from '../../src/vault/watcher.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { openCore } from '../support/openCore.ts';
import { type Bench, type BenchRow, measure, median, round, sized } from './bench.ts';
import { copyBuiltPackage } from './builtPackage.ts';

const plans = sized(10_000, 300);
const projects = 10;
const sessions = sized(4, 1);
/** What each session writes, in bursts of a few events. */
const eventsPerSecond = 500;
const burst = 5;
/** Enough samples that a few slow ones do not decide the value. */
const rounds = sized(5, 1);
const streamedSeconds = sized(40, 4);
const goalMs = 16;
interface World {
  readonly root: string;
  readonly packageRoot: string;
  readonly vault: string;
  readonly scenario: string;
  readonly environment: Readonly<Record<string, string>>;
}

/**
 * How long the event loop of the core's process is blocked while the core verifies every plan for the first time and four
 * sessions stream. An idle thread is measured beside it, to show how much of the delay is the machine's own.
 */
async function run(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  let core: Core | undefined;
  let server: RavelServer | undefined;
  try {
    const world = await makeWorld(root);
    const { vault, environment, packageRoot } = world;
    core = await openCore({ vault, environment }, { packageRoot, watchTree, sessions: 'processes' });
    // A session starts to write once its tools are connected.
    const ports = { disk: nodeDisk, clock: systemClock, log: silentLogger };
    const { api: served, socketPath, sessionSocketPath } = core;
    server = await startServer({ api: served, socketPath, sessionSocketPath, ...ports });
    await stream(core, world);
    const idle = watchIdleThread();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const { api } = core;
    const times: number[] = [];
    for (let n = 0; n < rounds; n++) {
      await rm(join(vault, 'runtime', 'cache'), { recursive: true, force: true });
      delay.enable();
      times.push(await measure(() => verifyAll(api)));
      delay.disable();
    }
    const verifiedMs = median(times);
    return toRow(delay, { verifiedMs, idle: await idle.stop() });
  } finally {
    if (core !== undefined) await stopSessions(core);
    await server?.stop();
    await core?.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function toRow(
  delay: IntervalHistogram,
  { verifiedMs, idle }: { readonly verifiedMs: number; readonly idle: number },
): BenchRow {
  const value = round(delay.percentile(99.9) / 1e6, 1);
  return {
    id: 'loop-lag',
    value,
    unit: 'ms, p99.9',
    goal: `≤ ${goalMs}`,
    ok: value <= goalMs,
    limit: round(idle, 1),
    note:
      `${plans} plans verified in ${round(verifiedMs / 1000, 1)} s beside ${sessions} sessions of ${eventsPerSecond} events per second; ` +
      `p50 ${round(delay.percentile(50) / 1e6, 1)} ms, at most ${round(delay.max / 1e6, 1)} ms; an idle thread beside it ${round(idle, 1)} ms`,
  };
}

async function verifyAll(api: Core['api']): Promise<void> {
  const { plans: verified } = await api.request('verify', {});
  if (verified !== plans) throw new Error(`the core verified ${verified} plans, not ${plans}`);
}

/** Starts the sessions, and resolves when each has written something. */
async function stream({ api }: Core, { scenario }: World): Promise<void> {
  const said = new Set<string>();
  const all = new Promise<void>((resolve) => {
    api.onEvent((event) => {
      if (event.type === 'session.output' && event.output.kind === 'text') said.add(event.session);
      if (said.size === sessions) resolve();
    });
  });
  const ended = streamed().map((plan) => api.request('run_phase', { plan, harness: 'scripted', scenario }));
  const failed = Promise.race(ended).then(({ end, summary }) => {
    if (said.size < sessions) throw new Error(`a session ended before the measurement began: ${end}, ${summary}`);
  });
  await Promise.race([all, failed]);
  failed.catch(() => undefined);
}

async function stopSessions({ api }: Core): Promise<void> {
  for (const plan of streamed()) await api.request('stop', { plan });
}

function streamed(): string[] {
  return Array.from({ length: sessions }, (_, n) => `p${n}/project-root`);
}

/** The p99.9 of the delay, in milliseconds, in a thread of its own. */
function watchIdleThread(): { stop(): Promise<number> } {
  const program = `
    const { parentPort } = require('node:worker_threads');
    const delay = require('node:perf_hooks').monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    parentPort.once('message', () => parentPort.postMessage(delay.percentile(99.9) / 1e6));
  `;
  const worker = new Worker(program, { eval: true });
  return {
    stop: () =>
      new Promise((resolve) => {
        worker.once('message', (value: number) => {
          worker.terminate().then(
            () => resolve(value),
            () => resolve(value),
          );
        });
        worker.postMessage('stop');
      }),
  };
}

async function makeWorld(root: string): Promise<World> {
  const [packageRoot, place, home] = [join(root, 'package'), join(root, 'plans'), join(root, 'home')];
  await mkdir(home);
  await copyBuiltPackage(packageRoot);
  const vault = writeLargeVault(place, { plans, projects });
  const environment = { PATH: process.env['PATH'] ?? '', HOME: home, ...identity };
  const git = (folder: string, ...args: string[]) =>
    promisify(execFile)('git', args, { cwd: folder, env: environment });
  await git(vault, 'init', '--quiet');
  for (let n = 0; n < sessions; n++) {
    const project = join(place, `code-${n}`);
    writeFileSync(join(project, 'README.md'), 'A project.\n');
    appendFileSync(join(project, '.gitignore'), 'ravel/\n');
    writeFileSync(join(project, 'ravel/project-root/phase.md'), 'reflect\n');
    await git(project, 'init', '--quiet');
    await git(project, 'add', 'README.md', '.gitignore');
    await git(project, 'commit', '--quiet', '-m', 'Start');
  }
  const scenario = join(root, 'scenario.json');
  await writeFile(scenario, JSON.stringify({ version: 1, phases: { reflect: steps() } }));
  return { root, packageRoot, vault, scenario, environment };
}

function steps() {
  const said = {
    say: 'A model often writes a piece of text that is about as long as this sentence, and sometimes a little longer.',
  };
  const bursts = (eventsPerSecond / burst) * streamedSeconds;
  const one = [...Array.from({ length: burst }, () => said), { wait: `${(1000 * burst) / eventsPerSecond}ms` }];
  return [...Array.from({ length: bursts }, () => one).flat(), { hang: true }];
}

const identity = {
  GIT_AUTHOR_NAME: 'Robin',
  GIT_AUTHOR_EMAIL: 'robin@example.org',
  GIT_COMMITTER_NAME: 'Robin',
  GIT_COMMITTER_EMAIL: 'robin@example.org',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
};

export const benches: readonly Bench[] = [{ id: 'loop-lag', usesBuild: true, run }];
