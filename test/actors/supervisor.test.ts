import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Delivery } from '../../src/actors/behaviour.ts';
import { mailboxPaths } from '../../src/actors/mailbox.ts';
import { createDeferred } from '../../src/base/async.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { failureOf } from '../support/failureOf.ts';
import { ManualClock } from '../support/manualClock.ts';
import { systemError, traceDisk } from '../support/tracingDisk.ts';
import { WatchedClock } from '../support/watchedClock.ts';
import { idOf, newMessage, numberOf, otherPlan, plan } from './messages.ts';
import { describeStatus, done, dropped, type Handle, makeWorld, until, type WorldOptions } from './supervisorWorld.ts';

describe('a supervisor', () => {
  test('gives each actor its messages in order, one at a time', async () => {
    const { start, log } = await makeWorld();
    let active = 0;
    const handled: number[] = [];
    const supervisor = await start({
      handle: async ({ id }) => {
        expect(++active).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        handled.push(numberOf(id));
        active--;
        return done;
      },
    });
    const receipts = await Promise.all([1, 2, 3, 4].map((n) => supervisor.send(newMessage(n))));
    expect(receipts).toEqual([1, 2, 3, 4].map((n) => ({ id: idOf(n), seq: n })));
    await supervisor.whenIdle(plan);
    expect(handled).toEqual([1, 2, 3, 4]);
    expect(log).toEqual([`${plan} spawning`, `${plan} active`, ...[1, 2, 3, 4].map((n) => `handled ${n} done`)]);
    await supervisor.stop();
  });

  test('puts an actor to rest after five idle minutes, and the next message wakes it', async () => {
    const { start, log } = await makeWorld();
    const clock = new WatchedClock();
    const rested = createDeferred<void>();
    const supervisor = await start({
      clock,
      spawn: async () => ({ handle: async () => done, stop: async () => rested.resolve() }),
    });
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    await clock.untilScheduled();
    clock.advance(299_999);
    expect(describeStatus(supervisor.status(plan))).toBe('active, 0 waiting, 0 dead');
    clock.advance(1);
    await rested.promise;
    await until(supervisor, () => supervisor.statuses().length === 0);
    expect(describeStatus(supervisor.status(plan))).toBe('dormant, 0 waiting, 0 dead');
    await supervisor.send(newMessage(2));
    await supervisor.whenIdle(plan);
    expect(log.filter((line) => line.startsWith(plan))).toEqual(
      ['spawning', 'active', 'dormant', 'spawning', 'active'].map((state) => `${plan} ${state}`),
    );
    await supervisor.stop();
  });
});

describe('a failing handler', () => {
  test('a failing handler that throws twice turns the message into a dead letter, and the actor continues', async () => {
    const { start, log } = await makeWorld();
    const attempts: number[] = [];
    const supervisor = await start({
      handle: async ({ id }, { attempt, record }) => {
        if (numberOf(id) !== 1) return done;
        attempts.push(attempt);
        await record(0, 'half done');
        throw new Error('boom');
      },
    });
    await supervisor.send(newMessage(1));
    await supervisor.send(newMessage(2));
    await supervisor.whenIdle(plan);
    expect(attempts).toEqual([1, 2]);
    expect(log).toContain('dead 1: It was tried twice: boom');
    expect(log.at(-1)).toBe('handled 2 done');
    const [letter] = await supervisor.deadLetters(plan);
    expect(letter).toMatchObject({
      id: idOf(1),
      actor: plan,
      attempts: 2,
      redelivered: 0,
      effects: { 0: 'half done' },
    });
    expect(describeStatus(supervisor.status(plan))).toBe('active, 0 waiting, 1 dead');
    await supervisor.stop();
  });

  test('gets a redelivered letter with a new count of attempts and its earlier effects', async () => {
    const { start, log } = await makeWorld();
    let isFixed = false;
    const seen: unknown[] = [];
    const handle: Handle = async (_message, { attempt, done: before, record }) => {
      seen.push([attempt, before(0) ?? null]);
      if (isFixed) return done;
      await record(0, attempt);
      throw new Error('boom');
    };
    const supervisor = await start({ handle });
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    isFixed = true;
    expect(await supervisor.redeliver(idOf(1))).toEqual({ id: idOf(1), seq: 2 });
    await supervisor.whenIdle(plan);
    expect(seen).toEqual([
      [1, null],
      [2, 1],
      [1, 2],
    ]);
    expect(log.at(-1)).toBe('handled 1 done');
    expect(await supervisor.deadLetters()).toEqual([]);
    expect(await failureOf(() => supervisor.redeliver(idOf(1)))).toMatchObject({ code: 'message/noDeadLetter' });
    await supervisor.stop();
  });

  test('a failing handler that fails again turns the redelivered message into a letter that can be discarded', async () => {
    const { start } = await makeWorld();
    const clock = new ManualClock();
    const supervisor = await start({ clock, handle: () => Promise.reject(new Error('boom')) });
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    clock.advance(61_000);
    await supervisor.redeliver(idOf(1));
    await supervisor.whenIdle(plan);
    expect(supervisor.status(plan).deadLetters).toBe(1);
    expect(await supervisor.deadLetters()).toMatchObject([{ id: idOf(1), redelivered: 1 }]);
    expect(await supervisor.discard(idOf(1))).toMatchObject({ id: idOf(1) });
    expect(supervisor.status(plan).deadLetters).toBe(0);
    await supervisor.stop();
  });

  test('is not one that answers with a rejection', async () => {
    const { start, log } = await makeWorld();
    const supervisor = await start({
      handle: async () => ({ kind: 'rejected', code: 'message/refused', reason: 'no' }),
    });
    await supervisor.send(newMessage(1));
    await supervisor.whenIdle(plan);
    expect(log.at(-1)).toBe('handled 1 rejected');
    expect(await supervisor.deadLetters()).toEqual([]);
    await supervisor.stop();
  });

  test.each([
    [4, 'handled 1 done'],
    [5, 'dead 1: The process died 5 times while it was handled.'],
  ])('during which the process died %i times ends with: %s', async (deaths, end) => {
    const { start, log } = await makeWorld();
    for (let n = 1; n <= deaths; n++) {
      // Left as a killed process leaves it.
      const attempted = createDeferred<number>();
      const handle: Handle = (_message, { attempt }) => {
        attempted.resolve(attempt);
        return new Promise(() => undefined);
      };
      const supervisor = await start({ handle });
      if (n === 1) await supervisor.send(newMessage(1));
      expect(await attempted.promise).toBe(n);
    }
    const supervisor = await start();
    await supervisor.whenIdle(plan);
    expect(log.filter((line) => /^(dead|handled)/.test(line))).toEqual([end]);
    await supervisor.stop();
  });

  test('never sees a message of unknown form, which becomes a letter that cannot be redelivered', async () => {
    const { start, log } = await makeWorld();
    const supervisor = await start();
    const strange = { ...newMessage(1), type: 'wave' } as unknown as ReturnType<typeof newMessage>;
    await supervisor.send(strange);
    await supervisor.send(newMessage(2));
    await supervisor.whenIdle(plan);
    expect(log.filter((line) => /^(dead|handled)/.test(line))).toEqual([
      expect.stringMatching(/^dead 1: Its form is unknown/),
      'handled 2 done',
    ]);
    expect(await failureOf(() => supervisor.redeliver(idOf(1)))).toMatchObject({ code: 'message/unreadable' });
    await supervisor.stop();
  });
});

describe('a crash loop', () => {
  const boom: Handle = () => Promise.reject(new Error('boom'));

  /** The second message causes the third crash. */
  async function crashThrice(world: Awaited<ReturnType<typeof makeWorld>>, options: WorldOptions = {}) {
    const supervisor = await world.start({ handle: boom, ...options });
    await supervisor.send(newMessage(1));
    await supervisor.send(newMessage(2));
    await until(supervisor, () => supervisor.status(plan).state.kind === 'faulted');
    return supervisor;
  }

  test('ends with the third crash within a minute, for the next process too, until the actor is revived', async () => {
    const world = await makeWorld();
    const supervisor = await crashThrice(world);
    expect(describeStatus(supervisor.status(plan))).toBe('faulted, 1 waiting, 1 dead');
    expect(await failureOf(() => supervisor.whenIdle(plan))).toMatchObject({
      code: 'actor/faulted',
      message: expect.stringContaining('crashed 3 times within 60 s. The last time: boom'),
    });
    // Messages sent to the faulted actor are kept.
    await supervisor.send(newMessage(3));
    await supervisor.stop();
    const later = new ManualClock();
    later.advance(86_400_000);
    const next = await world.start({ clock: later });
    await until(next, () => next.status(plan).state.kind === 'faulted');
    expect(world.log.filter((line) => line.startsWith('handled'))).toEqual([]);
    await next.revive(plan);
    await next.whenIdle(plan);
    expect(world.log.filter((line) => line.startsWith('handled'))).toEqual(['handled 2 done', 'handled 3 done']);
    expect(world.crashTimes.get(plan)).toEqual([]);
    await next.stop();
  });

  test('is not forgiven because the clock was set back', async () => {
    const world = await makeWorld();
    const first = await world.start({ handle: boom });
    await first.send(newMessage(1));
    await first.whenIdle(plan);
    await first.stop();
    const clock = new ManualClock();
    clock.jumpWall(-86_400_000);
    const second = await world.start({ clock, handle: boom });
    await second.send(newMessage(2));
    await until(second, () => second.status(plan).state.kind === 'faulted');
    await second.stop();
  });

  test('counts failed starts', async () => {
    const { start, log } = await makeWorld();
    let starts = 0;
    const supervisor = await start({ spawn: () => Promise.reject(new Error(`start ${++starts}`)) });
    await supervisor.send(newMessage(1));
    await until(supervisor, () => supervisor.status(plan).state.kind === 'faulted');
    expect(starts).toBe(3);
    expect(log.at(-1)).toBe(`${plan} faulted`);
    expect(await supervisor.deadLetters()).toEqual([]);
    await supervisor.stop();
  });

  test('stops no other actor', async () => {
    const world = await makeWorld();
    const supervisor = await crashThrice(world, {
      handle: async (message, delivery) => (message.to === plan ? boom(message, delivery) : done),
    });
    await supervisor.send(newMessage(4, otherPlan));
    await supervisor.whenIdle(otherPlan);
    expect(world.log.at(-1)).toBe('handled 4 done');
    expect(supervisor.statuses().map(({ actor, state }) => `${actor} ${state.kind}`)).toEqual([
      `${plan} faulted`,
      `${otherPlan} active`,
    ]);
    await supervisor.stop();
  });
});

describe('stopping a supervisor', () => {
  test('waits for a handler that ends in time, and starts no other message', async () => {
    const { start, log } = await makeWorld();
    const gate = createDeferred<void>();
    const entered = createDeferred<void>();
    const supervisor = await start({
      handle: async () => {
        entered.resolve();
        await gate.promise;
        return done;
      },
    });
    await supervisor.send(newMessage(1));
    await supervisor.send(newMessage(2));
    await entered.promise;
    const stopped = supervisor.stop();
    expect(await failureOf(() => supervisor.send(newMessage(3)))).toMatchObject({ code: 'actor/stopping' });
    gate.resolve();
    await stopped;
    expect(log.filter((line) => line.startsWith('handled'))).toEqual(['handled 1 done']);
    expect(log).toContain(`${plan} shuttingDown`);
    const next = await makeNext(start);
    expect(next).toEqual([[2, 1]]);
  });

  test('drops a handler after one second, and the attempt does not count', async () => {
    const { start } = await makeWorld();
    for (let n = 0; n < 6; n++) {
      const clock = new ManualClock();
      const entered = createDeferred<Delivery>();
      const supervisor = await start({
        clock,
        handle: (_message, delivery) => {
          entered.resolve(delivery);
          return new Promise(() => undefined);
        },
      });
      if (n === 0) await supervisor.send(newMessage(1));
      const delivery = await entered.promise;
      expect(delivery.attempt).toBe(1);
      const stopped = supervisor.stop();
      clock.advance(999);
      expect(delivery.signal.aborted).toBe(false);
      clock.advance(1);
      await stopped;
      expect(delivery.signal.aborted).toBe(true);
      expect(await failureOf(() => delivery.record(0, 'late'))).toMatchObject({ code: 'actor/stopping' });
    }
    expect(await makeNext(start)).toEqual([[1, 1]]);
  });

  async function makeNext(start: Awaited<ReturnType<typeof makeWorld>>['start']) {
    const seen: [number, number][] = [];
    const supervisor = await start({
      handle: async ({ id }, { attempt }) => {
        seen.push([numberOf(id), attempt]);
        return done;
      },
    });
    await supervisor.whenIdle(plan);
    await supervisor.stop();
    return seen;
  }
});

describe('starting a supervisor', () => {
  test('opens only mailboxes with pending messages, and removes stale temporary files', async () => {
    const { start, mailboxes } = await makeWorld();
    const first = await start();
    await first.send(newMessage(1));
    await first.whenIdle(plan);
    await first.stop();
    const blocked = await start({ handle: () => new Promise(() => undefined) });
    await blocked.send(newMessage(2, otherPlan));
    await dropped(blocked);
    await writeFile(join(mailboxes, '.left.jsonl.compact.tmp'), 'half');
    const opened: string[] = [];
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (name === 'open' && path.endsWith('.jsonl')) opened.push(path);
    });
    const supervisor = await start({ disk });
    expect(opened).toEqual([mailboxPaths(mailboxes, otherPlan).mailbox]);
    await supervisor.whenIdle(otherPlan);
    expect(await readdir(mailboxes)).not.toContain('.left.jsonl.compact.tmp');
    await supervisor.stop();
  });

  test('looks for pending messages again if the disk refused and it is asked again', async () => {
    const { start, mailboxes } = await makeWorld();
    const blocked = await start({ handle: () => new Promise(() => undefined) });
    await blocked.send(newMessage(1));
    await dropped(blocked);
    let lists = 0;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      // The first list is for messages of an earlier owner.
      if (name === 'readDirectory' && path === mailboxes && ++lists === 2) throw systemError('EMFILE');
    });
    const supervisor = await start({ disk, isEarly: true });
    expect(await failureOf(() => supervisor.scanned())).toMatchObject({ code: 'disk/failed' });
    await supervisor.scanned();
    await supervisor.whenIdle(plan);
    expect(describeStatus(supervisor.status(plan))).toContain('0 waiting');
    await supervisor.stop();
  });

  test('finds the actor of a mailbox whose file name is shortened', async () => {
    const { start, log } = await makeWorld();
    const far = toQualifiedId(
      `Demo/project-root/${Array.from({ length: 20 }, (_, n) => `child-number-${n}`).join('/')}`,
    );
    const blocked = await start({ handle: () => new Promise(() => undefined) });
    await blocked.send(newMessage(1, far));
    await dropped(blocked);
    const supervisor = await start();
    await supervisor.whenIdle(far);
    expect(log.at(-1)).toBe('handled 1 done');
    await supervisor.stop();
  });
});
