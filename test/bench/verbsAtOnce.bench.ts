import { mkdirSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isRavelError } from '../../src/base/errors.ts';
import type { Core } from '../../src/core.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { openCore } from '../support/openCore.ts';
import { type Bench, type BenchRow, measure, round, sized } from './bench.ts';

const plans = sized(1_000, 50);
const verbs = sized(300, 20);
/** The whole goal: how much longer as many verbs at once may take than one after the other. */
const ratioMax = 1.5;

/** Many verbs for one plan at the same moment, compared with as many one after the other. */
async function run(): Promise<BenchRow> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const vault = writeLargeVault(root, { plans, projects: 1 });
    await writeRunStates(vault);
    const core = await openCore({ vault, environment: {} }, { packageRoot: process.cwd(), sessions: 'processes' });
    try {
      const { plans: rows } = await core.api.request('list', {});
      const [first, second, third] = rows.map(({ plan }) => plan);
      if (first === undefined || second === undefined || third === undefined) throw new Error('the vault has no plans');
      // The first plan warms up; the other two are alike.
      await inTurn(core, first, sized(30, 1));
      const inTurnMs = await measure(() => inTurn(core, second, verbs));
      const codes: string[] = [];
      const atOnceMs = await measure(async () => void codes.push(...(await atOnce(core, third, verbs))));
      return toRow({ inTurnMs, atOnceMs, codes });
    } finally {
      await core.stop();
    }
  } finally {
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** As after runs of all plans: the files among which locks used to be looked for. */
async function writeRunStates(vault: string): Promise<void> {
  const layout = new VaultLayout(vault);
  mkdirSync(layout.plans, { recursive: true });
  for (let n = 0; n < plans; n++) {
    const id = toQualifiedId(`gone/project-root/plan-${n}`);
    for (const path of [layout.runState(id), layout.replied(id), layout.crashTimes(id)]) writeFileSync(path, '{}\n');
  }
}

async function inTurn(core: Core, plan: string, count: number): Promise<void> {
  for (let n = 0; n < count; n++) await addEntry(core, plan, n);
}

/** The codes of those that failed. */
async function atOnce(core: Core, plan: string, count: number): Promise<string[]> {
  const numbers = Array.from({ length: count }, (_, n) => n);
  const outcomes = await Promise.allSettled(numbers.map((n) => addEntry(core, plan, n)));
  const failed = outcomes.filter((outcome) => outcome.status === 'rejected');
  return failed.map(({ reason }) => (isRavelError(reason) ? reason.code : String(reason)));
}

async function addEntry({ api }: Core, plan: string, n: number): Promise<void> {
  await api.request('state', {
    plan,
    verb: 'memory/add',
    args: { title: `Entry of bench ${n}`, body: 'x', source: 'decision' },
  });
}

function toRow(found: {
  readonly inTurnMs: number;
  readonly atOnceMs: number;
  readonly codes: readonly string[];
}): BenchRow {
  const { inTurnMs, atOnceMs, codes } = found;
  const ratio = round(atOnceMs / inTurnMs, 2);
  const failed = codes.length === 0 ? 'all done' : `${codes.length} failed (${[...new Set(codes)].join(', ')})`;
  return {
    id: 'verbs-at-once',
    value: ratio,
    unit: '× one after the other',
    goal: `≤ ${ratioMax}, all done`,
    ok: ratio <= ratioMax && codes.length === 0,
    limit: 1,
    note: `${verbs} verbs for one plan of ${plans}: ${Math.round(atOnceMs)} ms at once, ${Math.round(inTurnMs)} ms in turn; ${failed}`,
  };
}

export const benches: readonly Bench[] = [{ id: 'verbs-at-once', run }];
