import { expect, test } from 'vitest';
import { ActorSlots } from '../../src/actors/actorSlots.ts';
import { toQualifiedId } from '../../src/model/id.ts';

const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((name) => toQualifiedId(`${name}/project-root`)) as [
  ReturnType<typeof toQualifiedId>,
  ReturnType<typeof toQualifiedId>,
  ReturnType<typeof toQualifiedId>,
  ReturnType<typeof toQualifiedId>,
];

function makeSlots(max: number) {
  const log: string[] = [];
  const slots = new ActorSlots(max, () => void log.push('pressure'));
  const acquire = async (actor: typeof a, signal = new AbortController().signal) => {
    const slot = await slots.acquire(actor, signal, () => void log.push(`${actor[0]} queued`));
    log.push(`${actor[0]} in`);
    return slot;
  };
  return { slots, log, acquire };
}

async function turn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}

test('slots are given in the order they were asked for', async () => {
  const { slots, log, acquire } = makeSlots(1);
  const first = await acquire(a);
  const waiting = [b, c, d].map((actor) => acquire(actor));
  await turn();
  expect(log.splice(0)).toEqual(['a in', 'b queued', 'pressure', 'c queued', 'pressure', 'd queued', 'pressure']);
  expect(slots.queued).toBe(3);
  first.dispose();
  for (const next of waiting) (await next).dispose();
  expect(log).toEqual(['b in', 'c in', 'd in']);
  expect(slots.queued).toBe(0);
});

test('an active actor can take more slots, which count as one until the last is released', async () => {
  const { log, acquire } = makeSlots(1);
  const [one, two] = [await acquire(a), await acquire(a)];
  const other = acquire(b);
  one.dispose();
  one.dispose();
  await turn();
  expect(log).toEqual(['a in', 'a in', 'b queued', 'pressure']);
  two.dispose();
  (await other).dispose();
});

test('an actor that stops waiting leaves the queue', async () => {
  const { slots, acquire } = makeSlots(1);
  const first = await acquire(a);
  const giving = new AbortController();
  const second = acquire(b, giving.signal);
  const third = acquire(c);
  giving.abort(new Error('enough'));
  await expect(second).rejects.toThrow('enough');
  expect(slots.queued).toBe(1);
  first.dispose();
  (await third).dispose();
  await expect(acquire(b, giving.signal)).rejects.toThrow('enough');
});

test('an actor that is let in takes all that it asked for, also what it asked for behind others', async () => {
  const { log, acquire } = makeSlots(1);
  const first = await acquire(a);
  const waiting = [b, c, b].map((actor) => acquire(actor));
  await turn();
  log.length = 0;
  first.dispose();
  await turn();
  expect(log).toEqual(['b in', 'b in']);
  for (const next of [waiting[0], waiting[2], waiting[1]]) (await next)?.dispose();
  expect(log).toEqual(['b in', 'b in', 'c in']);
});

test('20,000 actors queue and are let in in their order, each at the same cost', async () => {
  const slots = new ActorSlots(20, () => undefined);
  const actors = Array.from({ length: 20_000 }, (_, n) => toQualifiedId(`P${n}/project-root`));
  const order: string[] = [];
  const start = process.cpuUsage();
  await Promise.all(
    actors.map(async (actor) => {
      const slot = await slots.acquire(actor, new AbortController().signal, () => undefined);
      order.push(actor);
      slot.dispose();
    }),
  );
  const { user, system } = process.cpuUsage(start);
  expect(order).toEqual(actors);
  // Seconds of the processor: 0.3 here, and more than ten where each step looks at all that queue.
  expect((user + system) / 1_000_000).toBeLessThan(5);
});
