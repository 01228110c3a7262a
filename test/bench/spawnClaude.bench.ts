import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { SessionHost, SessionSpec } from '../../src/harness/adapter.ts';
import { createClaudeCodeAdapter } from '../../src/harness/claudeCode.ts';
import { sessionEnvironment } from '../../src/harness/environment.ts';
import { createSessionHost } from '../../src/harness/host.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { parseScenario } from '../../src/harness/scenario.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { claudeCodeEnvironment, claudeCodeProgram, claudeCodeSettings } from '../support/claudeCode.ts';
import { startModelServer } from '../support/modelServer.ts';
import { type Bench, type BenchRow, median, round, sized } from './bench.ts';

const rounds = sized(15, 1);
/** The bundle of a bench lies elsewhere; the runner starts it in the repository. */
const repository = process.cwd();
const settings = claudeCodeSettings(repository);
const adapter = createClaudeCodeAdapter(nodeDisk);
const nextUlid = createUlids(systemClock);

interface World {
  readonly root: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly host: SessionHost;
  readonly toolServer: string;
}

/**
 * The time until the first event of Claude Code, started by the adapter and by hand with the same options and MCP
 * server.
 */
async function run(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  const { scenario } = parseScenario('version: 1\nphases: { work: [hang: true] }', 'bench.yaml');
  if (scenario === undefined) throw new Error('the scenario did not parse');
  const model = await startModelServer({ scenario, projectDirectory: root });
  try {
    const environment = claudeCodeEnvironment(root, model.url);
    const processes = createProcesses(nodeDisk);
    const ports = { disk: nodeDisk, clock: systemClock, processes, environment, settings, log: silentLogger };
    const toolServer = await bundleToolServer(root);
    const world = { root, environment, host: createSessionHost(ports), toolServer };
    const ours: number[] = [];
    const hand: number[] = [];
    for (let n = -sized(2, 0); n < rounds; n++) {
      // They take turns at going first, so that other load on the machine hits both equally.
      const first = n % 2 === 0 ? await timeOurs(world) : await timeByHand(world);
      const second = n % 2 === 0 ? await timeByHand(world) : await timeOurs(world);
      if (n < 0) continue;
      ours.push(n % 2 === 0 ? first : second);
      hand.push(n % 2 === 0 ? second : first);
    }
    return toRow(ours, hand);
  } finally {
    await model.close();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

function toRow(ours: readonly number[], hand: readonly number[]): BenchRow {
  const ratio = median(ours.map((time, n) => time / (hand[n] ?? Number.NaN)));
  return {
    id: 'spawn-claude',
    value: round(ratio, 3),
    unit: '× started by hand',
    goal: '≤ 1.05',
    ok: ratio <= 1.05,
    limit: 1,
    note: `through the adapter ${Math.round(median(ours))} ms, by hand ${Math.round(median(hand))} ms to the first event`,
  };
}

async function timeOurs(world: World): Promise<number> {
  const spec = await prepare(world);
  const started = performance.now();
  const session = await world.host.start(adapter, spec, new AbortController().signal);
  for await (const output of session.outputs) if (output.kind === 'ready') break;
  const took = performance.now() - started;
  await session.kill('stopped');
  return took;
}

async function timeByHand(world: World): Promise<number> {
  const spec = await prepare(world);
  const started = performance.now();
  const command = adapter.command(spec, claudeCodeProgram(repository), settings, {});
  for (const [path, text] of Object.entries(command.files)) await writeFile(path, text);
  const stdin = openSync(command.stdin, 'r');
  const child = spawn(command.program, command.args, {
    cwd: spec.cwd,
    env: sessionEnvironment({ environment: world.environment, adapter, settings, command, spec }),
    detached: true,
    stdio: [stdin, 'pipe', 'ignore'],
  });
  closeSync(stdin);
  await firstEvent(child);
  const took = performance.now() - started;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  await gone;
  return took;
}

async function bundleToolServer(root: string): Promise<string> {
  const outfile = join(root, 'toolServer.mjs');
  const entryPoints = [join(repository, 'test/fixtures/harness/toolServer.ts')];
  const js = "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);";
  await build({
    entryPoints,
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    banner: { js },
  });
  return outfile;
}

function firstEvent(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let text = '';
    child.once('exit', () => reject(new Error('the program ended before its first event')));
    child.stdout?.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      for (const line of text.split('\n').slice(0, -1)) if (JSON.parse(line).subtype === 'init') resolve();
    });
  });
}

async function prepare(world: World): Promise<SessionSpec> {
  const session = nextUlid() as Ulid;
  const sessionDirectory = join(world.root, session);
  await mkdir(sessionDirectory);
  const systemPrompt = 'You are at work in a bench. phase: work\n';
  await writeFile(join(sessionDirectory, 'system.md'), systemPrompt);
  await writeFile(join(sessionDirectory, 'prompt.md'), 'Do the task.\n');
  return {
    ...{ session, sessionDirectory, systemPrompt, actor: toQualifiedId('Demo/project-root'), purpose: 'work' as const },
    ...{ cwd: world.root, projectDirectory: world.root, vault: world.root, socketPath: '/none', token: 'token' },
    mcpCommand: { program: process.execPath, args: [world.toolServer] },
    limits: { timeMs: 60_000, outputBytes: 1e8, costUsd: 10, orphanMs: 60_000, orphanAfterStopMs: 60_000 },
  };
}

export const benches: readonly Bench[] = [{ id: 'spawn-claude', run }];
