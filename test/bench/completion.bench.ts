import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { saveCatalog } from '../../src/vault/catalog.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { walkVault } from '../../src/vault/walk.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { type Bench, type BenchRow, median, round, sized } from './bench.ts';

const plans = sized(10_000, 600);
const rounds = sized(30, 2);
/** The bundle of a bench lies elsewhere; the runner starts it in the repository. */
const program = join(process.cwd(), 'dist', 'ravel.mjs');

/** What a person waits for after the key: a process that completes the id of a plan. */
async function completePlan(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const vault = writeLargeVault(root, { plans });
    const layout = new VaultLayout(vault);
    const found = (await walkVault(nodeDisk, layout)).plans.map(({ id }) => ({ plan: id, description: 'A plan' }));
    await saveCatalog(nodeDisk, layout, { plans: found, experts: [] });
    const node: number[] = [];
    const whole: number[] = [];
    for (let n = 0; n < rounds; n += 1) {
      node.push(timeOf(['-e', '0'], vault));
      whole.push(timeOf([program, 'complete', 'zsh', 'run', 'p3/project-root/group-1/'], vault));
    }
    const value = round(median(whole), 0);
    const startMs = round(median(node), 0);
    return {
      id: 'completion',
      value,
      unit: 'ms',
      goal: '≤ 80',
      ok: value <= 80,
      note: `the id of one of ${plans} plans, ${rounds} times; Node alone takes ${startMs} ms, so ${round(value - startMs, 0)} ms are our own`,
    };
  } finally {
    await rm(root, { recursive: true, force: true });
  }
}

/** Milliseconds until the process has ended. */
function timeOf(args: readonly string[], vault: string): number {
  const start = performance.now();
  const { status, stdout } = spawnSync(process.execPath, args, { env: { RAVEL_VAULT: vault }, encoding: 'utf8' });
  const ms = performance.now() - start;
  const isRight = status === 0 && (args[0] === '-e' || stdout.includes('p3/project-root/group-1/plan-'));
  if (!isRight) throw new Error(`${args.join(' ')} printed: ${stdout}`);
  return ms;
}

export const benches: readonly Bench[] = [{ id: 'completion', usesBuild: true, run: completePlan }];
