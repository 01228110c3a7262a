import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { crc32 } from 'node:zlib';
import type * as library from '../../src/library.ts';
import { segmentFromId, toQualifiedId } from '../../src/model/id.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { type Bench, type BenchRow, median, round, sized } from './bench.ts';
import { copyBuiltPackage } from './builtPackage.ts';

const plans = sized(10_000, 200);
const rounds = sized(5, 1);
const limitSeconds = 2;
/**
 * From the SIGKILL of an owner to the first answer of the next, in a vault where every plan ran once and was sent a
 * message, and none has anything under way; beside it the same in a vault where none ever ran.
 */
async function run(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const packageRoot = join(root, 'package');
    await copyBuiltPackage(packageRoot);
    const place = { packageRoot, environment: { PATH: process.env['PATH'], HOME: root } };
    const vault = writeLargeVault(join(root, 'large'), { plans, records: 2 });
    const fresh = await timesOf({ ...place, vault });
    writeRuns(vault);
    const times = await timesOf({ ...place, vault });
    const seconds = round(median(times) / 1000, 2);
    return {
      id: 'start-10k',
      value: seconds,
      unit: 's, median',
      goal: `≤ ${limitSeconds}`,
      ok: seconds <= limitSeconds,
      limit: round(median(fresh) / 1000, 2),
      note: `${plans} plans that ever ran, ${times.length} owners killed, the slowest takeover ${round(Math.max(...times), 0)} ms; the limit is where none ever ran`,
    };
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

interface Place {
  readonly packageRoot: string;
  readonly vault: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

async function timesOf(place: Place): Promise<number[]> {
  const times: number[] = [];
  let owner = await startOwner(place);
  // The first round warms up.
  for (let n = -sized(1, 0); n < rounds; n++) {
    const begunMs = performance.now();
    owner.kill('SIGKILL');
    owner = await startOwner(place);
    await answer(place);
    if (n >= 0) times.push(performance.now() - begunMs);
  }
  owner.kill('SIGKILL');
  return times;
}

/** Resolves once it serves. */
async function startOwner({ packageRoot, vault, environment }: Place) {
  const program = join(packageRoot, 'dist', 'ravel.mjs');
  const owner = spawn(process.execPath, [program, '--vault', vault, 'daemon'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  for await (const line of createInterface({ input: owner.stdout })) if (line !== '') break;
  return owner;
}

async function answer({ packageRoot, vault, environment }: Place): Promise<void> {
  const url = pathToFileURL(join(packageRoot, 'dist', 'library.mjs')).href;
  const { openVault }: typeof library = await import(url);
  const client = await openVault({ vault, environment, mode: 'client' });
  await client.api.request('hello', { protocol: 1 });
  await client.stop();
}

/** What is left of a cycle and of a message in each plan, as files that nothing synced. */
function writeRuns(vault: string): void {
  const layout = new VaultLayout(vault);
  for (const folder of [layout.plans, layout.mailboxes]) mkdirSync(folder, { recursive: true, mode: 0o700 });
  const session = '01M7X4TZFWPVQT6PFG4SYTM4BP';
  const last = `last:\n  phase: triage\n  session: ${session}\n  end: finished\n  at: 2026-01-02T03:04:05Z\n  summary: Done.\n`;
  const sum = (open: string) => `${open},"crc":"${crc32(open).toString(16).padStart(8, '0')}"}\n`;
  for (let n = 0; n < plans; n++) {
    const plan = toQualifiedId(`p${n % 10}/project-root/plan-${n}`);
    writeFileSync(
      layout.runState(plan),
      `cycle: 12\nbaselines: {}\nworkSession: ${session}\nworkTask: task-0\n${last}`,
    );
    const [message, segment] = [`01M8${String(n).padStart(22, '0')}`, segmentFromId(plan)];
    const letter = sum(
      `{"seq":1,"id":"${message}","type":"dispatch","from":"person","to":"${plan}","reason":"So","body":"Look at it.","ts":"2026-01-02T03:04:05Z","depth":0,"origin":"${message}"`,
    );
    writeFileSync(join(layout.mailboxes, `${segment}.jsonl`), letter);
    const cursor = `{"actor":"${plan}","seq":2,"offset":${letter.length},"started":0,"threw":0,"effects":{}`;
    writeFileSync(join(layout.mailboxes, `${segment}.cursor`), sum(cursor));
  }
}

export const benches: readonly Bench[] = [{ id: 'start-10k', usesBuild: true, run }];
