import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Spawn } from '../../src/base/processes.ts';
import { type Core, createVault } from '../../src/core.ts';
import { sessionEnvironment } from '../../src/harness/environment.ts';
import { createScriptedAdapter } from '../../src/harness/scripted.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { defaultSettings } from '../../src/model/settings.ts';
import { toolsOfPhase } from '../../src/plans/sessions/sessionTools.ts';
import { type RavelServer, startServer } from '../../src/server/server.ts';
import { createFakeApi } from '../support/fakeApi.ts';
import { openCore } from '../support/openCore.ts';
import { findTestData } from '../support/testData.ts';
import { type Bench, type BenchRow, measure, median, round, sized } from './bench.ts';
import { copyBuiltPackage } from './builtPackage.ts';

const rounds = sized(15, 1);
/** The bundle of a bench lies elsewhere; the runner starts it in the repository. */
const repository = process.cwd();
const scenarioText = 'version: 1\nphases: { reflect: [finish: { outcome: done, summary: Nothing to learn. }] }\n';

interface World {
  readonly root: string;
  /** The bench's own build of the program, so that no other build replaces it during the run. */
  readonly packageRoot: string;
  readonly vault: string;
  readonly plan: string;
  readonly planDirectory: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly scenario: string;
  /** Where the plan is from, for the row. */
  readonly source: string;
}

/**
 * A reflect phase whose session does nothing, compared with the same processes started by hand and one parse of the
 * plan's files. Beside it, what it costs the phase and its commit that git syncs what it writes.
 */
async function run(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  const closing: (() => Promise<void>)[] = [];
  try {
    const world = await makeWorld(root);
    const gitSync = { isOn: true };
    const { packageRoot } = world;
    const core = await openCore(world, { packageRoot, sessions: 'processes', spawn: spawnWith(gitSync) });
    closing.push(() => core.stop());
    const { api, socketPath, sessionSocketPath } = core;
    const ports = { disk: nodeDisk, clock: systemClock, log: silentLogger };
    const server = await startServer({ api, socketPath, sessionSocketPath, ...ports });
    closing.push(() => server.stop());
    const bare = await serveBare(root);
    closing.push(() => bare.stop());
    const times: Times = { ours: [], hand: [], synced: [], unsynced: [] };
    for (let n = -sized(2, 0); n < rounds; n++) {
      // The first rounds warm up.
      const note = (name: keyof Times, time: number) => n >= 0 && times[name].push(time);
      // They take turns at going first, so that other load on the machine hits all equally.
      for (const name of n % 2 === 0 ? kinds : [...kinds].reverse()) {
        gitSync.isOn = name === 'ours';
        if (name === 'hand') {
          note('hand', await timeByHand(world));
          continue;
        }
        const { phase, whole } = await timeOurs(world, core, `${name} ${n}\n`);
        if (name === 'ours') note('ours', phase);
        note(name === 'ours' ? 'synced' : 'unsynced', whole);
      }
    }
    return toRow(world.source, times);
  } finally {
    for (const close of closing.reverse()) await close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

const kinds = ['ours', 'hand', 'unsynced'] as const;

/** In milliseconds, in the order of the rounds; `synced` and `unsynced` with the commit. */
type Times = Record<'ours' | 'hand' | 'synced' | 'unsynced', number[]>;

function toRow(source: string, times: Times): BenchRow {
  const { ours, hand, synced, unsynced } = times;
  const ratio = ratioOf(ours, hand);
  const sync = `what the sync of git costs: with its commit ${ms(synced)}, without it ${ms(unsynced)} (× ${round(ratioOf(synced, unsynced), 2)})`;
  return {
    id: 'phase-overhead',
    value: round(ratio, 2),
    unit: '× its processes and one parse',
    goal: '≤ 1.3',
    ok: ratio <= 1.3,
    limit: 1,
    note: `with ${source}: a reflect phase that does nothing takes ${ms(ours)}, by hand ${ms(hand)}; ${sync}`,
  };
}

function ratioOf(times: readonly number[], others: readonly number[]): number {
  return median(times.map((time, n) => time / (others[n] ?? Number.NaN)));
}

function ms(times: readonly number[]): string {
  return `${Math.round(median(times))} ms`;
}

/** Lets git sync no more than it does by itself while it is off. */
function spawnWith(gitSync: { readonly isOn: boolean }): Spawn {
  return (program, args, options) => {
    if (program !== 'git' || gitSync.isOn) return spawn(program, args, options);
    const env = { ...options.env };
    for (const [name, value] of Object.entries(env)) {
      if (value === 'core.fsync') env[name.replace('_KEY_', '_VALUE_')] = '';
    }
    return spawn(program, args, { ...options, env });
  };
}

/** Times from the request to the end of the phase, before any commit, and to the end of its commit. */
async function timeOurs(world: World, core: Core, note: string): Promise<{ phase: number; whole: number }> {
  await writeFile(join(world.planDirectory, 'phase.md'), 'reflect\n');
  // Something to commit.
  await writeFile(join(world.planDirectory, 'note.md'), note);
  let ended = Number.NaN;
  const subscription = core.api.onEvent((event) => {
    if (event.type === 'phase.ended' && event.phase === 'reflect') ended = performance.now();
  });
  const { plan, scenario } = world;
  const started = performance.now();
  const report = await core.api.request('run_phase', { plan, harness: 'scripted', scenario });
  const whole = performance.now() - started;
  subscription.dispose();
  if (report.end !== 'finished') throw new Error(`the phase did not finish: ${report.summary}`);
  return { phase: ended - started, whole };
}

let sessions = 0;

async function timeByHand(world: World): Promise<number> {
  const adapter = createScriptedAdapter({ program: process.execPath, args: [programOf(world)] });
  const sessionDirectory = join(world.root, `session-${sessions++}`);
  await mkdir(sessionDirectory);
  const spec = {
    ...{ session: '01HZY0000000000000000000S1' as Ulid, actor: toQualifiedId('Demo/project-root') },
    ...{ purpose: 'reflect' as const, sessionDirectory, cwd: world.root, projectDirectory: world.root },
    ...{ systemPrompt: '', token: 'token', vault: world.root, scenario: world.scenario },
    mcpCommand: { program: process.execPath, args: [programOf(world), 'mcp'] },
    socketPath: bareSocket(world.root),
    limits: { timeMs: 60_000, outputBytes: 1e8, costUsd: 10, orphanMs: 60_000, orphanAfterStopMs: 60_000 },
  };
  const command = adapter.command(spec, process.execPath, defaultSettings, {});
  const { environment } = world;
  const env = sessionEnvironment({ environment, adapter, settings: defaultSettings, command, spec });
  for (const [path, text] of Object.entries(command.files)) await writeFile(path, text);
  // The session host of Ravel writes these before it starts the program.
  await writeFile(join(sessionDirectory, 'system.md'), 'You are at work in a bench.\n');
  await writeFile(join(sessionDirectory, 'prompt.md'), 'Reflect.\n');
  const files = (await readdir(world.planDirectory)).filter((name) => name.endsWith('.yaml'));
  return measure(async () => {
    const child = spawn(command.program, command.args, { cwd: spec.cwd, env, stdio: ['ignore', 'ignore', 'inherit'] });
    const [code] = await once(child, 'exit');
    if (code !== 0) throw new Error(`the scripted program ended with exit code ${code}`);
    for (const name of files) parse(await readFile(join(world.planDirectory, name), 'utf8'));
  });
}

/** A server that answers the calls of a session and does nothing else. */
async function serveBare(root: string): Promise<RavelServer> {
  const api = createFakeApi({
    session_tools: () => ({
      tools: toolsOfPhase('reflect', 'scripted'),
      plan: toQualifiedId('Demo/project-root'),
      phase: 'reflect',
    }),
    session_call: () => ({ text: 'accepted', isError: false }),
  });
  const log = silentLogger;
  return startServer({ api, socketPath: bareSocket(root), disk: nodeDisk, clock: systemClock, log });
}

function bareSocket(root: string): string {
  return join(root, 'bare', 's');
}

function programOf(world: World): string {
  return join(world.packageRoot, 'dist', 'ravel.mjs');
}

async function makeWorld(root: string): Promise<World> {
  const [packageRoot, project, vault] = [join(root, 'package'), join(root, 'demo'), join(root, 'vault')];
  const environment = { PATH: process.env['PATH'] ?? '', HOME: root, GIT_CONFIG_NOSYSTEM: '1', LC_ALL: 'C.UTF-8' };
  await copyBuiltPackage(packageRoot);

  await writeFile(join(root, '.gitconfig'), '[user]\n\tname = Ada\n\temail = ada@example.org\n');
  await mkdir(project);
  const git = (...args: string[]) => promisify(execFile)('git', args, { cwd: project, env: environment });
  await git('init', '--quiet', '--initial-branch=main');
  await git('commit', '--quiet', '--allow-empty', '--message=Start');
  const about = { root: vault, name: 'bench', version: '0.0.0' };
  await createVault({ ...about, disk: nodeDisk, clock: systemClock, environment });
  const local = await openCore({ vault, environment }, { packageRoot, role: 'local', sessions: 'processes' });
  const { plan } = await local.api.request('adopt', { project, description: 'Stands for a real plan' });
  await local.stop();

  const planDirectory = join(project, 'ravel', 'project-root');
  const { source, texts } = await loadPlan();
  for (const [name, text] of Object.entries(texts)) await writeFile(join(planDirectory, name), text);
  const scenario = join(root, 'scenario.yaml');
  await writeFile(scenario, scenarioText);
  return { root, packageRoot, vault, plan, planDirectory, environment, scenario, source };
}

interface PlanTexts {
  readonly source: string;
  readonly texts: Readonly<Record<string, string>>;
}

/** A real plan from the test data, or a made-up one of the same size. */
async function loadPlan(): Promise<PlanTexts> {
  const data = findTestData(repository);
  if (data.kind === 'absent') {
    return { source: `a made-up plan of the size of a real one (${data.reason})`, texts: madeUpTexts() };
  }
  const folder = join(data.folder, 'ravel-lite-core');
  const names = ['backlog.yaml', 'latest-session.yaml', 'memory.yaml', 'session-log.yaml'];
  const texts = names.map(async (name) => [name, await readFile(join(folder, name), 'utf8')] as const);
  return { source: 'a real plan', texts: Object.fromEntries(await Promise.all(texts)) };
}

function madeUpTexts(): Record<string, string> {
  const sentence = 'A session learned something and wrote it down here for the sessions that follow.';
  const body = (sentences: number) => Array.from({ length: sentences }, () => `    ${sentence}\n`).join('');
  const list = (count: number, item: (n: number) => string) =>
    Array.from({ length: count }, (_, n) => item(n)).join('');
  const time = '2026-01-02T03:04:05Z';
  return {
    'memory.yaml': `entries:\n${list(167, (n) => `- id: entry-${n}\n  title: Entry ${n}\n  body: |\n${body(5)}`)}`,
    'session-log.yaml': `sessions:\n${list(80, (n) => `- id: s-${n}\n  timestamp: ${time}\n  phase: work\n  body: |\n${body(25)}`)}`,
    'latest-session.yaml': `id: s-79\ntimestamp: ${time}\nphase: work\nbody: |\n${body(5)}`,
  };
}

export const benches: readonly Bench[] = [{ id: 'phase-overhead', usesBuild: true, run }];
