import * as fs from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { mailboxPaths } from '../../src/actors/mailbox.ts';
import { encodeRecord } from '../../src/actors/record.ts';
import { createDeferred, type Deferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { Message } from '../../src/model/message.ts';
import { inboxLimits } from '../../src/plans/messages/inbox.ts';
import { type Bench, type BenchRow, median, percentile, processorMs, round } from './bench.ts';
import { makeReceivingPlan } from './receivingPlan.ts';

const { entries, textLength } = inboxLimits;
const rounds = 3;
const goalMs = 100;

/**
 * A mailbox in which more waits than an inbox takes: what filling the inbox costs, once as full as it may be with
 * entries, and once with text. What counts is how long everybody else is held up by one message.
 */
async function drainInbox(): Promise<BenchRow> {
  const short = await drain(200);
  const long = await drain(Math.floor(textLength / entries) - 100);
  const shown = ({ count, seconds, busyMs, p50Ms, worstMs }: Drained) =>
    `${count} messages in ${round(seconds, 1)} s (p50 ${round(p50Ms, 1)} ms, ${round(busyMs, 1)} ms of the processor each, nobody held up for more than ${round(worstMs, 1)} ms)`;
  return {
    id: 'drain-inbox',
    value: round(long.worstMs, 1),
    unit: 'ms (longest hold-up)',
    goal: `≤ ${goalMs} ms`,
    ok: long.worstMs <= goalMs,
    note: `with 200 characters each ${shown(short)}; with a mebibyte in all ${shown(long)}`,
  };
}

interface Drained {
  readonly count: number;
  readonly seconds: number;
  readonly busyMs: number;
  readonly p50Ms: number;
  readonly worstMs: number;
}

/** The median of several rounds, and the worst moment of any. */
async function drain(length: number): Promise<Drained> {
  const times: number[] = [];
  const waits: Deferred<void>[] = [];
  const { plan, supervisor, mailboxes, backlog, end } = await makeReceivingPlan(
    () => times.push(performance.now()),
    (state) => state === 'queued' && waits.shift()?.resolve(),
  );
  const newUlid = createUlids(systemClock);
  const records = Array.from({ length: (rounds + 2) * entries }, (_, n) => {
    const id = newUlid() as Message['id'];
    const header = { id, from: 'person', to: plan, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id } as const;
    return encodeRecord(n + 1, { ...header, type: 'dispatch', reason: 'It is measured', body: 'a'.repeat(length) });
  });
  fs.writeFileSync(mailboxPaths(mailboxes, plan).mailbox, records.join(''));
  fs.writeFileSync(backlog, 'tasks: []\n');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const rows: { readonly seconds: number; readonly busyMs: number; readonly count: number }[] = [];
  try {
    for (let turn = -1; turn < rounds; turn++) {
      const full = createDeferred<void>();
      waits.push(full);
      times.length = 0;
      const [start, busy] = [performance.now(), processorMs()];
      // The first one warms up.
      if (turn >= 0) delay.enable();
      if (turn === -1) await supervisor.start();
      else supervisor.goOn(plan);
      await full.promise;
      delay.disable();
      const count = times.length;
      if (count === 0) throw new Error('nothing was taken in');
      if (turn >= 0) {
        rows.push({ count, seconds: (performance.now() - start) / 1000, busyMs: (processorMs() - busy) / count });
      }
      fs.writeFileSync(backlog, 'tasks: []\n');
    }
  } finally {
    await end();
  }
  const gaps = times.slice(1).map((time, n) => time - (times[n] ?? time));
  return {
    count: median(rows.map(({ count }) => count)),
    seconds: median(rows.map(({ seconds }) => seconds)),
    busyMs: median(rows.map(({ busyMs }) => busyMs)),
    p50Ms: percentile(gaps, 0.5),
    worstMs: delay.max / 1e6,
  };
}

export const benches: readonly Bench[] = [{ id: 'drain-inbox', run: drainInbox }];
