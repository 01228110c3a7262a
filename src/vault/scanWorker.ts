import { parentPort, workerData } from 'node:worker_threads';
import { assert } from '../base/assert.ts';
import { blockingDisk } from '../base/blockingDisk.ts';
import type { Diagnostic } from '../base/errors.ts';
import { ensureDirectory, readTextIfExists, writeAtomic } from '../base/files.ts';
import { nodeDisk } from '../base/nodeDisk.ts';
import { VaultLayout } from './layout.ts';
import { outlineVault, overviewOfVault, type ScanPorts, type VaultScan } from './scan.ts';
import type { ScanMessage, ScanOrder } from './scanThread.ts';
import { cacheBytesMax, StampedCache } from './stampedCache.ts';
import type { VaultWalk } from './walk.ts';

/** One scan, in a thread that does nothing else. What parses is loaded only when something has to be parsed. */
const order: ScanOrder = workerData;
const layout = new VaultLayout(order.root);
const ports: ScanPorts = { disk: blockingDisk, layout, wallMs: () => order.nowMs, onSeen: tellBeside() };
/** Told but not yet sent. */
const waiting: string[] = [];
/** In one message; more would take the other thread too long at once. */
const linesMax = 250;
const progressStep = 50;

switch (order.task) {
  case 'outline':
    post(await outlineVault(ports, async (...plan) => (await import('./planOverview.ts')).outlineOf(...plan)));
    break;
  case 'overview':
    await withCache(layout.overviews, async (cache) => {
      post(
        await overviewOfVault(
          { ...ports, onSeen: tellBeside(cache) },
          async (...plan) => (await import('./planOverview.ts')).overviewOf(...plan),
          cache,
        ),
      );
    });
    break;
  case 'verify':
    await withCache(layout.verified, verify);
    break;
}

async function verify(cache: StampedCache): Promise<void> {
  const { verifyVault } = await import('./verify.ts');
  let reportedDone = 0;
  const onProgress = (done: number, total: number) => {
    if (done - reportedDone < progressStep && done < total) return;
    reportedDone = done;
    send({ kind: 'progress', done, total });
  };
  const { diagnostics, plans } = await verifyVault(blockingDisk, layout, { cache, wallMs: ports.wallMs, onProgress });
  postDiagnostics(diagnostics);
  send({ kind: 'end', plans });
}

/** The cache is written after all results were sent, so nothing waits for it. */
async function withCache(file: string, work: (cache: StampedCache) => Promise<void>): Promise<void> {
  const cache = await loadCache(file);
  await work(cache);
  if (!cache.isChanged) {
    if (cache.mark !== undefined) send({ kind: 'cached', mark: cache.mark });
    return;
  }
  try {
    const text = cache.format(order.version);
    await ensureDirectory(nodeDisk, layout.cache);
    await writeAtomic(nodeDisk, file, text);
    send({ kind: 'cached', mark: StampedCache.markOf(text) });
  } catch {
    // The answer was given; without the cache the next one takes longer.
  }
}

async function loadCache(file: string): Promise<StampedCache> {
  try {
    const text = await readTextIfExists(blockingDisk, file, { bytesMax: cacheBytesMax });
    return text === undefined ? StampedCache.empty() : StampedCache.parse(text, order.version);
  } catch {
    // A cache that cannot be read counts as an empty one.
    return StampedCache.empty();
  }
}

/**
 * While this thread looks at further plans, the other one can already read of these. Of a cache whose values it still has,
 * it is told the plans alone.
 */
function tellBeside(cache?: StampedCache) {
  const had = order.had !== undefined && order.had === cache?.mark ? cache : undefined;
  return ({ plans }: VaultWalk, from: number, seen: readonly string[]): void => {
    if (from === 0) {
      const projects = Object.fromEntries(plans.map(({ project, ravelDirectory }) => [project, ravelDirectory]));
      send({ kind: 'projects', text: JSON.stringify(projects) });
    }
    for (const [n, text] of seen.entries()) {
      const plan = plans[from + n];
      assert(plan !== undefined, 'each thing seen is of a plan');
      const value = had?.hasRead(plan.id, text) === true ? '' : `,${text}`;
      waiting.push(`[${JSON.stringify(plan.id)},${JSON.stringify(plan.parent ?? null)}${value}]`);
    }
    if (waiting.length >= linesMax || from + seen.length === plans.length) {
      send({ kind: 'plans', text: `[${waiting.join(',')}]` });
      waiting.length = 0;
    }
  };
}

function post({ plans, diagnostics }: VaultScan): void {
  postDiagnostics(diagnostics);
  send({ kind: 'end', plans: plans.length });
}

function postDiagnostics(diagnostics: readonly Diagnostic[]): void {
  for (let n = 0; n < diagnostics.length; n += linesMax) {
    send({ kind: 'diagnostics', text: JSON.stringify(diagnostics.slice(n, n + linesMax)) });
  }
}

function send(message: ScanMessage): void {
  assert(parentPort !== null, 'a scan runs in a worker thread');
  parentPort.postMessage(message);
}
