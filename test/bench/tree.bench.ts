import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEditorHost } from '../editor/support/editorHost.ts';
import { EditorPage, startBrowser } from '../editor/support/editorPage.ts';
import { type LargeTree, measureLargeTree } from '../editor/support/largeTree.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { type Bench, type BenchRow, median, round, sized } from './bench.ts';

/** The small form still has more than one group in each project, because the storm changes a plan in another group. */
const plans = sized(10_000, 600);
const rounds = sized(15, 2);
/** The tree collects changes for this long before it draws them, so that it draws a storm of changes once. */
const tickMs = 60;

/** The time from a change of one plan among ten thousand to its row, in a real window. */
async function refresh(): Promise<BenchRow> {
  const { refreshMs, statusMs, drawnInStorm } = await look();
  const value = round(median(refreshMs), 0);
  const most = round(Math.max(...refreshMs), 0);
  return {
    id: 'tree-10k',
    value,
    unit: 'ms',
    goal: '≤ 200',
    ok: value <= 200,
    limit: tickMs + round(median(statusMs), 0),
    note: `one of ${plans} plans changed, at most ${most} ms; the limit is the tick of ${tickMs} ms and one status request; ${drawnInStorm} rows drawn in a storm of twenty changes`,
  };
}

async function look(): Promise<LargeTree> {
  const root = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  const [host, browser] = await Promise.all([startEditorHost(), startBrowser()]);
  try {
    const vault = writeLargeVault(root, { plans });
    return await measureLargeTree(await EditorPage.open(browser, { host, folder: vault }), { vault, rounds });
  } finally {
    await browser.close();
    await host.stop();
    await rm(root, { recursive: true, force: true, maxRetries: 5 });
  }
}

export const benches: readonly Bench[] = [{ id: 'tree-10k', usesBuild: true, run: refresh }];
