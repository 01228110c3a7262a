import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startEditorHost } from '../editor/support/editorHost.ts';
import { EditorPage, startBrowser } from '../editor/support/editorPage.ts';
import { type LargeTree, measureLargeTree } from '../editor/support/largeTree.ts';
import { writeLargeVault } from '../support/largeVault.ts';
import { type Bench, type BenchRow, median, round } from './bench.ts';

const plans = 10_000;
const rounds = 15;
/** Changes are gathered for so long before they are shown, so that a storm of them is one. */
const tickMs = 60;

/** From a change of one plan among ten thousand to its row, in a real window. */
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
    note: `one of ${plans} plans changed, at most ${most} ms; the limit is the tick of ${tickMs} ms and one status; ${drawnInStorm} rows drawn in a storm of twenty changes`,
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

export const benches: readonly Bench[] = [{ id: 'tree-10k', run: refresh }];
