import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import type { Postponed } from '../../src/actors/behaviour.ts';
import type { Supervisor } from '../../src/actors/supervisor.ts';
import { createDeferred } from '../../src/base/async.ts';
import { changedMeanwhile, toDiskError } from '../../src/base/diskErrors.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failure } from '../../src/model/codes.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { failureOf } from '../support/failureOf.ts';
import { ManualClock } from '../support/manualClock.ts';
import { systemError, traceDisk } from '../support/tracingDisk.ts';
import { idOf, newMessage, numberOf, otherPlan, plan } from './messages.ts';

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

  test('includes long work, which may have to queue, while messages are still handled', async () => {
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
    expect(waits).toEqual(['1 plans and experts are active, which is as many as may be']);
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

describe('a disk', () => {
  test('a disk that is full refuses messages, keeps accepted ones, and work goes on when there is room', async () => {
    const { start, mailboxes } = await makeWorld();
    let isFull = false;
    const disk = traceDisk(nodeDisk, (_n, name) => {
      if (isFull && name === 'file.write') throw systemError('ENOSPC');
    });
    const clock = new ManualClock();
    const gate = createDeferred<void>();
    const handled: number[] = [];
    const handle: Handle = async ({ id }) => {
      await gate.promise;
      handled.push(numberOf(id));
      return done;
    };
    const supervisor = await start({ disk, clock, handle });
    await supervisor.send(newMessage(1));
    isFull = true;
    expect(await failureOf(() => supervisor.send(newMessage(2)))).toMatchObject({ code: 'disk/full' });
    gate.resolve();
    await until(supervisor, () => supervisor.status(plan).state.kind === 'queued');
    expect(describeStatus(supervisor.status(plan))).toBe('queued, 1 waiting, 0 dead');
    isFull = false;
    expect(await supervisor.send(newMessage(2))).toEqual({ id: idOf(2), seq: 2 });
    await supervisor.whenIdle(plan);
    // The first message was handled before its cursor could be saved; it is not handled again.
    expect(handled).toEqual([1, 2]);
    expect(await readdir(mailboxes)).toHaveLength(2);
    await supervisor.stop();
  });

  test('a disk that refuses the cursor is retried at growing intervals', async () => {
    const { start } = await makeWorld();
    let isFull = false;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (isFull && name === 'file.write' && path.includes('cursor')) throw systemError('ENOSPC');
    });
    const clock = new ManualClock();
    const supervisor = await start({ disk, clock });
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    isFull = true;
    await supervisor.send(newMessage(2));
    for (const waitMs of [5_000, 10_000, 20_000]) {
      await until(supervisor, () => supervisor.status(plan).state.kind === 'queued');
      clock.advance(waitMs - 1);
      expect(supervisor.status(plan).state.kind).toBe('queued');
      if (waitMs === 20_000) isFull = false;
      clock.advance(1);
      await until(supervisor, () => supervisor.status(plan).state.kind !== 'queued');
    }
    await supervisor.whenIdle(plan);
    await supervisor.stop();
  });

  test('a disk that is full holds a message up while its actor is kept active and afterwards', async () => {
    const { start } = await makeWorld();
    let isFull = false;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (isFull && name === 'file.write' && path.includes('cursor')) throw systemError('ENOSPC');
    });
    const clock = new ManualClock();
    const supervisor = await start({ disk, clock });
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    isFull = true;
    await supervisor.send(newMessage(2));
    await until(supervisor, () => supervisor.status(plan).state.kind === 'queued');
    await supervisor.keepActive(plan, new AbortController().signal, async () => undefined);
    expect(supervisor.status(plan)).toMatchObject({ waiting: 1, waitsBecause: expect.stringMatching(/^the disk/) });
    isFull = false;
    clock.advance(5_000);
    await supervisor.whenIdle(plan);
    await supervisor.stop();
  });

  const refusals: readonly (readonly [string, () => Error, RegExp])[] = [
    ['disk/full', () => failure('disk/full', plan, 'refused'), /^the disk refuses: refused/],
    ['disk/denied', () => failure('disk/denied', plan, 'refused'), /^the disk refuses: refused/],
    ['disk/failed', () => toDiskError(systemError('EIO'), '/file', 'write'), /^the disk refuses: .*EIO/],
    ['vault/locked', () => failure('vault/locked', plan, 'held by 7'), /^it is tried again by itself: held by 7/],
    ['yaml/changedMeanwhile', () => changedMeanwhile('/file'), /^it is tried again by itself: /],
    ['EMFILE', () => systemError('EMFILE'), /^the disk refuses: .*EMFILE/],
    ['ESTALE', () => systemError('ESTALE'), /^the disk refuses: .*ESTALE/],
  ];

  test.each(refusals)(
    'that refuses a handler with %s does not count as a crash, and says why it waits',
    async (...row) => {
      const [, refusal, reason] = row;
      const { start, crashTimes, log } = await makeWorld();
      const clock = new ManualClock();
      const attempts: number[] = [];
      const supervisor = await start({
        clock,
        handle: async (_message, { attempt }) => {
          attempts.push(attempt);
          if (attempts.length < 8) throw refusal();
          return done;
        },
      });
      await supervisor.send(newMessage(1));
      for (let n = 1; n < 8; n++) {
        await until(supervisor, () => supervisor.status(plan).state.kind === 'queued' && attempts.length === n);
        expect(supervisor.status(plan).waitsBecause).toMatch(reason);
        clock.advance(300_000);
      }
      await supervisor.whenIdle(plan);
      expect(attempts).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
      expect(crashTimes.size).toBe(0);
      expect(log.filter((line) => line.startsWith('dead'))).toEqual([]);
      await supervisor.stop();
    },
  );

  test('a disk that has no descriptor left for long, not even to give the message back, loses none', async () => {
    const { start, crashTimes } = await makeWorld();
    let isOut = false;
    const disk = traceDisk(nodeDisk, (_n, name) => {
      if (isOut && name === 'open') throw systemError('EMFILE');
    });
    const clock = new ManualClock();
    const attempts: number[] = [];
    const supervisor = await start({
      disk,
      clock,
      handle: async (_message, { attempt }) => {
        attempts.push(attempt);
        isOut = attempts.length < 8;
        if (isOut) throw systemError('EMFILE');
        return done;
      },
    });
    await supervisor.send(newMessage(1));
    for (let n = 1; n < 8; n++) {
      await until(supervisor, () => supervisor.status(plan).state.kind === 'queued' && attempts.length === n);
      clock.advance(300_000);
    }
    await supervisor.whenIdle(plan);
    expect(attempts).toEqual([1, 1, 1, 1, 1, 1, 1, 1]);
    expect([crashTimes.size, await supervisor.deadLetters()]).toEqual([0, []]);
    await supervisor.stop();
  });

  test('that refuses the start of an actor does not count as a crash', async () => {
    const { start, crashTimes } = await makeWorld();
    const clock = new ManualClock();
    let starts = 0;
    const supervisor = await start({
      clock,
      spawn: async () => {
        if (++starts < 5) throw systemError('ENFILE');
        return { handle: async () => done, stop: async () => undefined };
      },
    });
    await supervisor.send(newMessage(1));
    for (let n = 1; n < 5; n++) {
      await until(supervisor, () => supervisor.status(plan).state.kind === 'queued' && starts === n);
      clock.advance(300_000);
    }
    await supervisor.whenIdle(plan);
    expect([starts, crashTimes.size]).toEqual([5, 0]);
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
