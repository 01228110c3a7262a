import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';
import { systemClock } from '../../src/base/clock.ts';
import type * as library from '../../src/library.ts';
import { type OpenVault, VaultLink } from '../../src/ui/vaultLink.ts';
import { type Bench, type BenchRow, measure, median, round, sized } from './bench.ts';
import { copyBuiltPackage } from './builtPackage.ts';

const rounds = sized(15, 1);
const [medianMs, worstMs] = [300, 2_000];
/** The time from the SIGKILL of the owner until a window that was its client answers a request as the new owner. */
async function run(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const packageRoot = join(root, 'package');
    await copyBuiltPackage(packageRoot);
    const { makeVault, tryOpenVault }: typeof library = await import(
      pathToFileURL(join(packageRoot, 'dist', 'library.mjs')).href
    );
    const environment = { PATH: process.env['PATH'], HOME: root, ...identity };
    const vault = join(root, 'vault');
    await makeVault({ root: vault, name: 'vault', environment });
    const open: OpenVault = async (path) => {
      const { api, role, onDidClose, onDidDrop, stop } = await tryOpenVault({ vault: path, environment });
      const state =
        role === 'owner' ? ({ kind: role } as const) : ({ kind: 'client', pid: 0, external: false } as const);
      return {
        api,
        state,
        onDidDrop,
        onDidClose: (listener) => onDidClose(() => listener('gone')),
        stop: () => stop(),
      };
    };
    const times: number[] = [];
    // The first round warms up.
    for (let n = -sized(1, 0); n < rounds; n++) {
      const time = await takeOver({ vault, program: join(packageRoot, 'dist', 'ravel.mjs'), environment, open });
      if (n >= 0) times.push(time);
    }
    return toRow(times);
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function takeOver(place: {
  readonly vault: string;
  readonly program: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly open: OpenVault;
}): Promise<number> {
  const { vault, program, environment, open } = place;
  const owner = spawn(process.execPath, [program, '--vault', vault, 'daemon'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(createInterface({ input: owner.stdout }), 'line');
  const onError = (error: unknown) => {
    throw error;
  };
  const link = new VaultLink({ vault, open, clock: systemClock, random: () => 0.5, onError });
  await link.connect();
  expectRole(link, 'client');
  const lost = new Promise<void>((resolve) => {
    link.onDidChangeState(({ kind }) => {
      if (kind === 'connecting') resolve();
    });
  });
  const time = await measure(async () => {
    owner.kill('SIGKILL');
    await lost;
    await link.api.request('outline', {});
  });
  expectRole(link, 'owner');
  await link.stop();
  return time;
}

function expectRole({ state }: VaultLink, role: 'client' | 'owner'): void {
  if (state.kind !== role) throw new Error(`the window should be ${role} but is ${state.kind}`);
}

function toRow(times: readonly number[]): BenchRow {
  const [middle, worst] = [median(times), Math.max(...times)];
  return {
    id: 'takeover',
    value: Math.round(middle),
    unit: 'ms, median',
    goal: `≤ ${medianMs}, worst ≤ ${worstMs}`,
    ok: middle <= medianMs && worst <= worstMs,
    note: `${times.length} owners killed; the slowest takeover ${round(worst, 0)} ms`,
  };
}

const identity = {
  GIT_AUTHOR_NAME: 'Robin',
  GIT_AUTHOR_EMAIL: 'robin@example.org',
  GIT_COMMITTER_NAME: 'Robin',
  GIT_COMMITTER_EMAIL: 'robin@example.org',
};

export const benches: readonly Bench[] = [{ id: 'takeover', usesBuild: true, run }];
