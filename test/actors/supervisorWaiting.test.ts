import { describe, expect, test } from 'vitest';
import type { Postponed } from '../../src/actors/behaviour.ts';
import type { Supervisor } from '../../src/actors/supervisor.ts';
import { createDeferred } from '../../src/base/async.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { ManualClock } from '../support/manualClock.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { newMessage, numberOf, otherPlan, plan } from './messages.ts';

import { describeStatus, done, dropped, type Handle, makeWorld, until, type WorldOptions } from './supervisorWorld.ts';

const plans = Array.from({ length: 30 }, (_, n) => toQualifiedId(`P${n}/project-root`));

describe('a postponed message', () => {
  const postponed: Postponed = { kind: 'postponed', reason: 'it is full' };

  /** A plan with room for `room` messages. */
  async function makeFull(options: { readonly room?: number } & WorldOptions = {}) {
    const world = await makeWorld();
    const place = { room: options.room ?? 0 };
    const tries: unknown[] = [];
    const handle: Handle = async ({ id, to }, { attempt, done: recorded, record }) => {
      tries.push([numberOf(id), attempt, recorded(0) ?? null]);
      if (to !== plan) return done;
      if (recorded(0) === undefined) await record(0, 'seen');
      if (place.room === 0) return postponed;
      place.room -= 1;
      return done;
    };
    const start = (more: WorldOptions = {}) => world.start({ handle, ...options, ...more });
    return { ...world, place, tries, start };
  }

  const waits = (supervisor: Supervisor) => {
    const { state, waiting, waitsBecause } = supervisor.status(plan);
    return `${state.kind}, ${waiting} waiting: ${waitsBecause}`;
  };

  test('waits visibly with those behind it, takes no slot, and is not retried because of new messages', async () => {
    const { start, tries, log } = await makeFull({ room: 1, activeMax: 1 });
    const supervisor = await start();
    for (const n of [1, 2, 3]) await supervisor.send(newMessage(n));
    await until(supervisor, () => waits(supervisor) === 'queued, 2 waiting: it is full');
    await supervisor.send(newMessage(4));
    expect(waits(supervisor)).toBe('queued, 3 waiting: it is full');
    await supervisor.send(newMessage(5, otherPlan));
    await supervisor.whenIdle(otherPlan);
    expect(tries).toEqual([
      [1, 1, null],
      [2, 1, null],
      [5, 1, null],
    ]);
    expect(supervisor.statuses().map(({ actor }) => actor)).toEqual([plan, otherPlan]);
    expect(log.filter((line) => /crash|dead/.test(line))).toEqual([]);
    await supervisor.stop();
  });

  test('is retried after `resume`, as the same attempt and with its recorded effects', async () => {
    const { start, tries, place, log } = await makeFull();
    const supervisor = await start();
    for (const n of [1, 2]) await supervisor.send(newMessage(n));
    await until(supervisor, () => waits(supervisor) === 'queued, 2 waiting: it is full');
    place.room = 1;
    supervisor.resume(plan);
    await until(supervisor, () => waits(supervisor) === 'queued, 1 waiting: it is full');
    place.room = 5;
    supervisor.resume(otherPlan);
    supervisor.resume(plan);
    await supervisor.whenIdle(plan);
    expect(tries).toEqual([
      [1, 1, null],
      [1, 1, 'seen'],
      [2, 1, null],
      [2, 1, 'seen'],
    ]);
    expect(log.filter((line) => line.startsWith('handled'))).toEqual(['handled 1 done', 'handled 2 done']);
    expect(supervisor.status(plan).waitsBecause).toBeUndefined();
    await supervisor.stop();
  });

  test('is retried if `resume` is called while it is being postponed', async () => {
    const world = await makeWorld();
    const entered = createDeferred<void>();
    const gate = createDeferred<void>();
    let isFull = true;
    const supervisor = await world.start({
      handle: async () => {
        const found = isFull ? postponed : done;
        entered.resolve();
        await gate.promise;
        return found;
      },
    });
    await supervisor.send(newMessage(1));
    await entered.promise;
    isFull = false;
    supervisor.resume(plan);
    gate.resolve();
    await supervisor.whenIdle(plan);
    await supervisor.stop();
  });

  test('waits after a restart too, and is retried every five minutes', async () => {
    const { start, place, tries } = await makeFull();
    const first = await start();
    await first.send(newMessage(1));
    await until(first, () => waits(first) === 'queued, 1 waiting: it is full');
    await first.stop();
    const clock = new ManualClock();
    const second = await start({ clock });
    await until(second, () => waits(second) === 'queued, 1 waiting: it is full');
    place.room = 1;
    clock.advance(299_999);
    expect(waits(second)).toBe('queued, 1 waiting: it is full');
    clock.advance(1);
    await second.whenIdle(plan);
    expect(tries).toHaveLength(3);
    await second.stop();
  });

  test('keeps waiting while its actor is kept active and afterwards', async () => {
    const { start, place } = await makeFull();
    const supervisor = await start();
    await supervisor.send(newMessage(1));
    await until(supervisor, () => waits(supervisor) === 'queued, 1 waiting: it is full');
    const { signal } = new AbortController();
    await supervisor.keepActive(plan, signal, async () =>
      expect(waits(supervisor)).toBe('active, 1 waiting: it is full'),
    );
    expect(waits(supervisor)).toBe('queued, 1 waiting: it is full');
    place.room = 1;
    // As in a triage: there is room before it ends.
    await supervisor.keepActive(plan, signal, async () => {
      supervisor.resume(plan);
      await supervisor.whenIdle(plan);
    });
    await supervisor.stop();
  });

  test('moves with its plan to the new name and is handled there', async () => {
    const { start, place } = await makeFull();
    const supervisor = await start();
    await supervisor.send(newMessage(1));
    await until(supervisor, () => waits(supervisor) === 'queued, 1 waiting: it is full');
    place.room = 1;
    await supervisor.withPaused([plan, otherPlan], () => supervisor.rename(plan, otherPlan));
    await supervisor.whenIdle(otherPlan);
    expect(supervisor.status(plan).waiting).toBe(0);
    await supervisor.stop();
  });
});

describe('the limit of active actors', () => {
  test('makes other actors queue in order until there is room', async () => {
    const { start, log } = await makeWorld();
    const gate = createDeferred<void>();
    const full = createDeferred<void>();
    let most = 0;
    let active = 0;
    const supervisor = await start({
      activeMax: 3,
      handle: async () => {
        most = Math.max(most, ++active);
        if (active === 3) full.resolve();
        await gate.promise;
        active--;
        return done;
      },
    });
    await Promise.all(plans.map((to, n) => supervisor.send(newMessage(n, to))));
    await full.promise;
    const kinds = supervisor.statuses().map(({ state }) => state.kind);
    expect(kinds.filter((kind) => kind === 'queued')).toHaveLength(27);
    gate.resolve();
    await Promise.all(plans.map((to) => supervisor.whenIdle(to)));
    expect(most).toBe(3);
    expect(log.filter((line) => line.startsWith('handled'))).toHaveLength(30);
    await supervisor.stop();
  });

  test('closes most mailboxes of queued actors, so that fewer than 70 are open', async () => {
    const { start, log } = await makeWorld();
    const many = Array.from({ length: 200 }, (_, n) => toQualifiedId(`M${n}/project-root`));
    let open = 0;
    let most = 0;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (!path.endsWith('.jsonl')) return;
      if (name === 'open') most = Math.max(most, ++open);
      if (name === 'file.close') open--;
    });
    const blocked = await start({ disk, activeMax: 1, handle: () => new Promise(() => undefined) });
    for (const [n, to] of many.entries()) await blocked.send(newMessage(n, to));
    expect(most).toBeLessThan(70);
    await dropped(blocked);
    expect(open).toBe(0);
    most = 0;
    const supervisor = await start({ disk, activeMax: 1 });
    await Promise.all(many.map((to) => supervisor.whenIdle(to)));
    expect(most).toBeLessThan(70);
    expect(log.filter((line) => line.startsWith('handled'))).toHaveLength(200);
    await supervisor.stop();
    expect(open).toBe(0);
  });

  test('includes long work, which may have to queue while messages are still handled', async () => {
    const { start } = await makeWorld();
    const supervisor = await start({ activeMax: 1 });
    const { signal } = new AbortController();
    const gate = createDeferred<string>();
    const waits: string[] = [];
    const first = supervisor.keepActive(plan, signal, () => gate.promise);
    const second = supervisor.keepActive(
      otherPlan,
      signal,
      async () => 'second',
      (reason) => waits.push(reason),
    );
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    expect(describeStatus(supervisor.status(plan))).toMatch(/^active/);
    expect(describeStatus(supervisor.status(otherPlan))).toMatch(/^queued/);
    expect(waits).toEqual(['1 plans and experts are active, which is the limit']);
    gate.resolve('first');
    expect(await first).toBe('first');
    expect(await second).toBe('second');
    await supervisor.stop();
  });

  test('is not affected by an actor that stopped queueing', async () => {
    const { start } = await makeWorld();
    const supervisor = await start({ activeMax: 1 });
    const gate = createDeferred<void>();
    const given = new AbortController();
    const first = supervisor.keepActive(plan, new AbortController().signal, () => gate.promise);
    const second = supervisor.keepActive(otherPlan, given.signal, async () => undefined);
    given.abort(new Error('enough'));
    await expect(second).rejects.toThrow('enough');
    expect(supervisor.status(otherPlan).state.kind).toBe('dormant');
    gate.resolve();
    await first;
    expect(supervisor.statuses()).toEqual([]);
    await supervisor.stop();
  });
});

test('an actor that crashed is started again after a pause, which a further message does not shorten', async () => {
  const { start } = await makeWorld();
  const clock = new ManualClock();
  let starts = 0;
  const supervisor = await start({
    clock,
    pauses: true,
    spawn: async () => {
      starts++;
      return {
        handle: () => (starts < 3 ? Promise.reject(new Error('boom')) : Promise.resolve(done)),
        stop: async () => undefined,
      };
    },
  });
  await supervisor.send(newMessage(1));
  for (const [n, pauseMs] of [250, 500].entries()) {
    await until(supervisor, () => supervisor.status(plan).state.kind === 'queued' && starts === n + 1);
    expect(supervisor.status(plan).waitsBecause).toBe('it crashed and is started again: boom');
    if (n === 0) await supervisor.send(newMessage(2));
    clock.advance(pauseMs - 1);
    await until(supervisor, () => supervisor.status(plan).state.kind === 'queued');
    expect(starts).toBe(n + 1);
    clock.advance(1);
  }
  await supervisor.whenIdle(plan);
  expect((await supervisor.deadLetters()).map(({ id }) => numberOf(id))).toEqual([1]);
  expect(starts).toBe(3);
  await supervisor.stop();
});
