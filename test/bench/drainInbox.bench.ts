import * as fs from 'node:fs';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { mailboxPaths } from '../../src/actors/mailbox.ts';
import { encodeRecord } from '../../src/actors/record.ts';
import { createDeferred, type Deferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import { createUlids } from '../../src/base/ulid.ts';
import type { Message } from '../../src/model/message.ts';
import { inboxLimits } from '../../src/plans/messages/inbox.ts';
import { type Bench, type BenchRow, median, percentile, processorMs, round, sized } from './bench.ts';
import { makeReceivingPlan } from './receivingPlan.ts';

const { entries, textLength } = inboxLimits;
const rounds = sized(3, 1);
const warmUps = sized(1, 0);
/** Messages of one round. The small form takes in only a few and leaves the inbox almost empty. */
const perRound = sized(entries, 20);
const goalMs = 100;

/**
 * More messages wait in the mailbox than the inbox can hold. Measures what it costs to fill the inbox: once up to its limit
 * of entries, once up to its limit of text. The value is the longest time that one message blocks the event loop.
 */
async function drainInbox(): Promise<BenchRow> {
  const short = await drain(200);
  const long = await drain(Math.floor(textLength / entries) - 100);
  const shown = ({ count, seconds, busyMs, p50Ms, worstMs }: Drained) =>
    `${count} messages in ${round(seconds, 1)} s (p50 ${round(p50Ms, 1)} ms, ${round(busyMs, 1)} ms of the processor each, the event loop blocked for at most ${round(worstMs, 1)} ms)`;
  return {
    id: 'drain-inbox',
    value: round(long.worstMs, 1),
    unit: 'ms (longest block of the event loop)',
    goal: `≤ ${goalMs} ms`,
    ok: long.worstMs <= goalMs,
    note: `messages of 200 characters: ${shown(short)}; messages of a mebibyte in all: ${shown(long)}`,
  };
}

interface Drained {
  readonly count: number;
  readonly seconds: number;
  readonly busyMs: number;
  readonly p50Ms: number;
  readonly worstMs: number;
}

/** The median of several rounds, and the worst moment of all of them. */
async function drain(length: number): Promise<Drained> {
  const times: number[] = [];
  const waits: Deferred<void>[] = [];
  const { plan, supervisor, mailboxes, backlog, end } = await makeReceivingPlan(
    () => {
      times.push(performance.now());
      if (times.length === perRound && perRound < entries) waits.shift()?.resolve();
    },
    (state) => state === 'queued' && waits.shift()?.resolve(),
  );
  const newUlid = createUlids(systemClock);
  const records = Array.from({ length: perRound < entries ? perRound : (rounds + 2) * entries }, (_, n) => {
    const id = newUlid() as Message['id'];
    const header = { id, from: 'person', to: plan, ts: '2026-01-02T03:04:05Z', depth: 0, origin: id } as const;
    return encodeRecord(n + 1, {
      ...header,
      type: 'dispatch',
      reason: 'The bench measures it',
      body: 'a'.repeat(length),
    });
  });
  fs.writeFileSync(mailboxPaths(mailboxes, plan).mailbox, records.join(''));
  fs.writeFileSync(backlog, 'tasks: []\n');
  const delay = monitorEventLoopDelay({ resolution: 1 });
  const rows: { readonly seconds: number; readonly busyMs: number; readonly count: number }[] = [];
  try {
    for (let turn = -warmUps; turn < rounds; turn++) {
      const full = createDeferred<void>();
      waits.push(full);
      times.length = 0;
      const [start, busy] = [performance.now(), processorMs()];
      // The first round warms up.
      if (turn >= 0) delay.enable();
      if (turn === -warmUps) await supervisor.start();
      else supervisor.resume(plan);
      await full.promise;
      delay.disable();
      const count = times.length;
      if (count === 0) throw new Error('the inbox took no message');
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
