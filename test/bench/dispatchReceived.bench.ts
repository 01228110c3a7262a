import * as fs from 'node:fs';
import { join } from 'node:path';
import { createDeferred, type Deferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { Ulid } from '../../src/model/id.ts';
import { type Bench, type BenchRow, median, percentile, round } from './bench.ts';
import { makeReceivingPlan } from './receivingPlan.ts';

const messages = 300;
const body = 'a'.repeat(760);
/** As many entries as an inbox has that somebody looks after; what was decided is taken out again. */
const inboxMax = 20;

/** From the moment that a dispatch was accepted to its entry under `received`, synced, against one bare append and sync. */
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
        reason: 'It is measured',
        body,
      } as const;
      await supervisor.send(message);
      const start = performance.now();
      await handled.promise;
      const middle = performance.now();
      fs.writeSync(file, `${JSON.stringify(message)}\n`);
      fs.fdatasyncSync(file);
      const last = performance.now();
      // The first ones warm up.
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
    note: `p50 ${shown[0]} ms, p99 ${shown[1]} ms; one bare append + fdatasync p50 ${shown[2]} ms, p99 ${shown[3]} ms, so ${round(ratio, 1)} ×; the entry is written beside its file, noted, renamed and settled, each step synced`,
  };
}

export const benches: readonly Bench[] = [{ id: 'dispatch-received', run: dispatchReceived }];
