import * as fs from 'node:fs';
import { join } from 'node:path';
import { createDeferred, type Deferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { Ulid } from '../../src/model/id.ts';
import { type Bench, type BenchRow, median, percentile, round, sized } from './bench.ts';
import { makeReceivingPlan } from './receivingPlan.ts';

const messages = sized(300, 10);
const body = 'a'.repeat(760);
/**
 * A typical inbox of a person who keeps up with it has at most this many entries; the bench empties it at this size.
 */
const inboxMax = 20;

/** The time from accepting a dispatch to its synced entry under `received`, compared with one bare append and sync. */
async function dispatchReceived(): Promise<BenchRow> {
  let handled: Deferred<void> = createDeferred();
  const { folder, plan, supervisor, backlog, end } = await makeReceivingPlan(() => handled.resolve());
  const newUlid = createUlids(systemClock);
  await supervisor.start();
  const file = fs.openSync(join(folder, 'bare'), 'a');
  const ours: number[] = [];
  const bare: number[] = [];
  try {
    for (let n = -20; n < messages; n++) {
      if (n % inboxMax === 0) fs.writeFileSync(backlog, 'tasks: []\n');
      handled = createDeferred();
      const message = {
        id: newUlid() as Ulid,
        type: 'dispatch',
        from: 'person',
        to: plan,
        reason: 'The bench measures it',
        body,
      } as const;
      await supervisor.send(message);
      const start = performance.now();
      await handled.promise;
      const middle = performance.now();
      fs.writeSync(file, `${JSON.stringify(message)}\n`);
      fs.fdatasyncSync(file);
      const last = performance.now();
      // The first messages warm up.
      if (n < 0) continue;
      ours.push(middle - start);
      bare.push(last - middle);
    }
  } finally {
    fs.closeSync(file);
    await end();
  }
  const ratio = median(ours) / median(bare);
  const shown = [median(ours), percentile(ours, 0.99), median(bare), percentile(bare, 0.99)].map((ms) => round(ms, 2));
  return {
    id: 'dispatch-received',
    value: round(median(ours), 2),
    unit: 'ms (p50)',
    goal: '≤ 50 ms',
    ok: median(ours) <= 50,
    limit: round(median(bare), 2),
    note: `p50 ${shown[0]} ms, p99 ${shown[1]} ms; one bare append + fdatasync p50 ${shown[2]} ms, p99 ${shown[3]} ms, so ours takes ${round(ratio, 1)} × as long; ours writes the entry to a temporary file, notes the intent, renames and settles it, and syncs each step`,
  };
}

export const benches: readonly Bench[] = [{ id: 'dispatch-received', run: dispatchReceived }];
