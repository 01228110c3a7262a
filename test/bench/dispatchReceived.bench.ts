import * as fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Supervisor } from '../../src/actors/supervisor.ts';
import { createDeferred, type Deferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { planFiles } from '../../src/model/plan.ts';
import { createPlanActor } from '../../src/plans/messages/planActor.ts';
import type { PlanServices } from '../../src/plans/services.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { type Bench, type BenchRow, median, percentile, round } from './bench.ts';

const messages = 300;
const body = 'a'.repeat(760);
/** As many entries as an inbox has that somebody looks after; what was decided is taken out again. */
const inboxMax = 20;

/** From the moment that a dispatch was accepted to its entry under `received`, synced, against one bare append and sync. */
async function dispatchReceived(): Promise<BenchRow> {
  const folder = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  const layout = new VaultLayout(folder);
  const plan = toQualifiedId('Measured/project-root');
  for (const made of [layout.plan(plan), layout.plans]) fs.mkdirSync(made, { recursive: true });
  fs.writeFileSync(join(layout.plan(plan), planFiles.marker), '---\ndescription: Measured\n---\n');
  // Of its services, receiving a dispatch uses these alone.
  const used = { disk: nodeDisk, clock: systemClock, layout, processes: createProcesses(nodeDisk), emit: nothing };
  const services = used as unknown as PlanServices;
  const newUlid = createUlids(systemClock);
  const backlog = join(layout.plan(plan), planFiles.backlog);
  let handled: Deferred<void> = createDeferred();
  const live = { isStopped: false, of: () => undefined, note: async () => false };
  const answers = { take: async () => undefined };
  const supervisor = new Supervisor({
    disk: services.disk,
    clock: services.clock,
    mailboxes: layout.mailboxes,
    deadLetters: layout.deadLetters,
    limits: { activeMax: 5, idleMs: 300_000, crashes: 3, crashWindowMs: 60_000 },
    crashTimes: { load: async () => [], save: async () => undefined },
    spawn: async () => createPlanActor({ services, live, answers }, plan),
    events: { changed: nothing, dead: nothing, diagnostic: nothing, handled: () => handled.resolve() },
  });
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
      const end = performance.now();
      // The first ones warm up.
      if (n < 0) continue;
      ours.push(middle - start);
      bare.push(end - middle);
    }
  } finally {
    fs.closeSync(file);
    await supervisor.stop();
    await rm(folder, { recursive: true, force: true });
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

function nothing(): void {
  // Nobody listens.
}

export const benches: readonly Bench[] = [{ id: 'dispatch-received', run: dispatchReceived }];
