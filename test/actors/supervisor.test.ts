import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Behaviour, Delivery, Postponed } from '../../src/actors/behaviour.ts';
import { mailboxPaths } from '../../src/actors/mailbox.ts';
import type { ActorStatus } from '../../src/actors/supervision.ts';
import { Supervisor } from '../../src/actors/supervisor.ts';
import { createDeferred } from '../../src/base/async.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failure } from '../../src/model/codes.ts';
import { type QualifiedId, toQualifiedId } from '../../src/model/id.ts';
import type { Message, MessageOutcome } from '../../src/model/message.ts';
import { failureOf } from '../support/failureOf.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { systemError, traceDisk } from '../support/tracingDisk.ts';
import { idOf, newMessage, numberOf, otherPlan, plan } from './messages.ts';

type Handle = (message: Message, delivery: Delivery) => Promise<MessageOutcome | Postponed>;

const done: MessageOutcome = { kind: 'done', summary: 'done' };
const clocks = new WeakMap<Supervisor, ManualClock>();
const plans = Array.from({ length: 30 }, (_, n) => toQualifiedId(`P${n}/project-root`));

interface WorldOptions {
  readonly handle?: Handle;
  readonly spawn?: (actor: QualifiedId) => Promise<Behaviour>;
  readonly disk?: Disk;
  readonly clock?: ManualClock;
  readonly activeMax?: number;
}

/** A folder and what outlives a process; a supervisor can be started on it repeatedly. */
async function makeWorld() {
  const directory = await makeTemporaryDirectory();
  const mailboxes = join(directory, 'mailboxes');
  const crashTimes = new Map<QualifiedId, readonly number[]>();
  const log: string[] = [];
  const start = async (options: WorldOptions = {}) => {
    const { handle = async () => done, disk = nodeDisk, clock = new ManualClock(), activeMax = 20 } = options;
    const supervisor = new Supervisor({
      disk,
      clock,
      mailboxes,
      deadLetters: join(directory, 'dead-letters'),
      limits: { activeMax, idleMs: 300_000, crashes: 3, crashWindowMs: 60_000 },
      crashTimes: {
        load: async (actor) => crashTimes.get(actor) ?? [],
        save: async (actor, times) => void crashTimes.set(actor, times),
      },
      spawn: options.spawn ?? (async () => ({ handle, stop: async () => undefined })),
      events: {
        changed: (actor, { kind }) => void log.push(`${actor} ${kind}`),
        handled: ({ id }, { kind }) => void log.push(`handled ${numberOf(id)} ${kind}`),
        dead: ({ id, reason }) => void log.push(`dead ${numberOf(id)}: ${reason.message}`),
        diagnostic: ({ code, severity, message }) => void log.push(`${severity} ${code} ${message}`),
      },
    });
    clocks.set(supervisor, clock);
    await supervisor.start();
    return supervisor;
  };
  return { directory, mailboxes, crashTimes, log, start };
}

function describeStatus({ state, waiting, deadLetters }: ActorStatus): string {
  return `${state.kind}, ${waiting} waiting, ${deadLetters} dead`;
}

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
    await supervisor.quiet(plan);
    expect(handled).toEqual([1, 2, 3, 4]);
    expect(log).toEqual([`${plan} spawning`, `${plan} active`, ...[1, 2, 3, 4].map((n) => `handled ${n} done`)]);
    await supervisor.stop();
  });

  test('puts an actor to rest after five idle minutes, and the next message wakes it', async () => {
    const { start, log } = await makeWorld();
    const clock = new ManualClock();
    const rested = createDeferred<void>();
    const supervisor = await start({
      clock,
      spawn: async () => ({ handle: async () => done, stop: async () => rested.resolve() }),
    });
    await supervisor.send(newMessage(1));
    await supervisor.quiet(plan);
    await untilIdle(clock);
    clock.advance(299_999);
    expect(describeStatus(supervisor.status(plan))).toBe('active, 0 waiting, 0 dead');
    clock.advance(1);
    await rested.promise;
    await until(() => supervisor.statuses().length === 0);
    expect(describeStatus(supervisor.status(plan))).toBe('dormant, 0 waiting, 0 dead');
    await supervisor.send(newMessage(2));
    await supervisor.quiet(plan);
    expect(log.filter((line) => line.startsWith(plan))).toEqual(
      ['spawning', 'active', 'dormant', 'spawning', 'active'].map((state) => `${plan} ${state}`),
    );
    await supervisor.stop();
  });
});

describe('a failing handler', () => {
  test('that throws twice turns the message into a dead letter, and the actor goes on', async () => {
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
    await supervisor.quiet(plan);
    expect(attempts).toEqual([1, 2]);
    expect(log).toContain('dead 1: Its handler threw 2 times. boom');
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
    let isMended = false;
    const seen: unknown[] = [];
    const handle: Handle = async (_message, { attempt, done: before, record }) => {
      seen.push([attempt, before(0) ?? null]);
      if (isMended) return done;
      await record(0, attempt);
      throw new Error('boom');
    };
    const supervisor = await start({ handle });
    await supervisor.send(newMessage(1));
    await supervisor.quiet(plan);
    isMended = true;
    expect(await supervisor.redeliver(idOf(1))).toEqual({ id: idOf(1), seq: 2 });
    await supervisor.quiet(plan);
    expect(seen).toEqual([
      [1, null],
      [2, 1],
      [1, 2],
    ]);
    expect(log.at(-1)).toBe('handled 1 done');
    expect(await supervisor.deadLetters()).toEqual([]);
    expect(await failureOf(() => supervisor.redeliver(idOf(1)))).toMatchObject({ code: 'letter/unknown' });
    await supervisor.stop();
  });

  test('that fails again turns the redelivered message into a letter that can be discarded', async () => {
    const { start } = await makeWorld();
    const clock = new ManualClock();
    const supervisor = await start({ clock, handle: () => Promise.reject(new Error('boom')) });
    await supervisor.send(newMessage(1));
    await supervisor.quiet(plan);
    clock.advance(61_000);
    await supervisor.redeliver(idOf(1));
    await until(() => supervisor.status(plan).deadLetters === 1 && supervisor.status(plan).waiting === 0);
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
    await supervisor.quiet(plan);
    expect(log.at(-1)).toBe('handled 1 rejected');
    expect(await supervisor.deadLetters()).toEqual([]);
    await supervisor.stop();
  });

  test.each([
    [4, 'handled 1 done'],
    [5, 'dead 1: The process died 5 times while it was handled.'],
  ])('during which the process died %i times ends with: %s', async (deaths, end) => {
    const { start, log, mailboxes } = await makeWorld();
    for (let n = 1; n <= deaths; n++) {
      // Left as a killed process leaves it.
      const supervisor = await start({ handle: () => new Promise(() => undefined) });
      if (n === 1) await supervisor.send(newMessage(1));
      await untilStarted(mailboxPaths(mailboxes, plan).cursor, n);
    }
    const supervisor = await start();
    await supervisor.quiet(plan);
    expect(log.filter((line) => /^(dead|handled)/.test(line))).toEqual([end]);
    await supervisor.stop();
  });

  test('never sees a message of unknown form, which becomes a letter that cannot be redelivered', async () => {
    const { start, log } = await makeWorld();
    const supervisor = await start();
    const strange = { ...newMessage(1), type: 'wave' } as unknown as ReturnType<typeof newMessage>;
    await supervisor.send(strange);
    await supervisor.send(newMessage(2));
    await supervisor.quiet(plan);
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
    await until(() => supervisor.status(plan).state.kind === 'faulted');
    return supervisor;
  }

  test('ends with the third crash within a minute, for the next process too, until the actor is revived', async () => {
    const world = await makeWorld();
    const supervisor = await crashThrice(world);
    expect(describeStatus(supervisor.status(plan))).toBe('faulted, 1 waiting, 1 dead');
    expect(await failureOf(() => supervisor.quiet(plan))).toMatchObject({
      code: 'actor/faulted',
      message: expect.stringContaining('crashed 3 times within 60 s. The last time: boom'),
    });
    // Messages sent to the faulted actor are kept.
    await supervisor.send(newMessage(3));
    await supervisor.stop();
    const later = new ManualClock();
    later.advance(86_400_000);
    const next = await world.start({ clock: later });
    await until(() => next.status(plan).state.kind === 'faulted');
    expect(world.log.filter((line) => line.startsWith('handled'))).toEqual([]);
    await next.revive(plan);
    await next.quiet(plan);
    expect(world.log.filter((line) => line.startsWith('handled'))).toEqual(['handled 2 done', 'handled 3 done']);
    expect(world.crashTimes.get(plan)).toEqual([]);
    await next.stop();
  });

  test('is not forgiven because the clock was set back', async () => {
    const world = await makeWorld();
    const first = await world.start({ handle: boom });
    await first.send(newMessage(1));
    await first.quiet(plan);
    await first.stop();
    const clock = new ManualClock();
    clock.jumpWall(-86_400_000);
    const second = await world.start({ clock, handle: boom });
    await second.send(newMessage(2));
    await until(() => second.status(plan).state.kind === 'faulted');
    await second.stop();
  });

  test('counts failed starts', async () => {
    const { start, log } = await makeWorld();
    let starts = 0;
    const supervisor = await start({ spawn: () => Promise.reject(new Error(`start ${++starts}`)) });
    await supervisor.send(newMessage(1));
    await until(() => supervisor.status(plan).state.kind === 'faulted');
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
    await supervisor.quiet(otherPlan);
    expect(world.log.at(-1)).toBe('handled 4 done');
    expect(supervisor.statuses().map(({ actor, state }) => `${actor} ${state.kind}`)).toEqual([
      `${plan} faulted`,
      `${otherPlan} active`,
    ]);
    await supervisor.stop();
  });
});

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
    await until(() => waits(supervisor) === 'queued, 2 waiting: it is full');
    await supervisor.send(newMessage(4));
    expect(waits(supervisor)).toBe('queued, 3 waiting: it is full');
    await supervisor.send(newMessage(5, otherPlan));
    await supervisor.quiet(otherPlan);
    expect(tries).toEqual([
      [1, 1, null],
      [2, 1, null],
      [5, 1, null],
    ]);
    expect(supervisor.statuses().map(({ actor }) => actor)).toEqual([plan, otherPlan]);
    expect(log.filter((line) => /crash|dead/.test(line))).toEqual([]);
    await supervisor.stop();
  });

  test('is retried after goOn, as the same attempt and with its recorded effects', async () => {
    const { start, tries, place, log } = await makeFull();
    const supervisor = await start();
    for (const n of [1, 2]) await supervisor.send(newMessage(n));
    await until(() => waits(supervisor) === 'queued, 2 waiting: it is full');
    place.room = 1;
    supervisor.goOn(plan);
    await until(() => waits(supervisor) === 'queued, 1 waiting: it is full');
    place.room = 5;
    supervisor.goOn(otherPlan);
    supervisor.goOn(plan);
    await supervisor.quiet(plan);
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

  test('is retried if goOn is called while it is being postponed', async () => {
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
    supervisor.goOn(plan);
    gate.resolve();
    await supervisor.quiet(plan);
    await supervisor.stop();
  });

  test('waits after a restart too, and is retried every five minutes', async () => {
    const { start, place, tries } = await makeFull();
    const first = await start();
    await first.send(newMessage(1));
    await until(() => waits(first) === 'queued, 1 waiting: it is full');
    await first.stop();
    const clock = new ManualClock();
    const second = await start({ clock });
    await until(() => waits(second) === 'queued, 1 waiting: it is full');
    place.room = 1;
    clock.advance(299_999);
    expect(waits(second)).toBe('queued, 1 waiting: it is full');
    clock.advance(1);
    await second.quiet(plan);
    expect(tries).toHaveLength(3);
    await second.stop();
  });

  test('keeps waiting while its actor is kept active and afterwards', async () => {
    const { start, place } = await makeFull();
    const supervisor = await start();
    await supervisor.send(newMessage(1));
    await until(() => waits(supervisor) === 'queued, 1 waiting: it is full');
    const { signal } = new AbortController();
    await supervisor.keepActive(plan, signal, async () =>
      expect(waits(supervisor)).toBe('active, 1 waiting: it is full'),
    );
    expect(waits(supervisor)).toBe('queued, 1 waiting: it is full');
    place.room = 1;
    // As in a triage: there is room before it ends.
    await supervisor.keepActive(plan, signal, async () => {
      supervisor.goOn(plan);
      await supervisor.quiet(plan);
    });
    await supervisor.stop();
  });

  test('moves with its plan to the new name and is handled there', async () => {
    const { start, place } = await makeFull();
    const supervisor = await start();
    await supervisor.send(newMessage(1));
    await until(() => waits(supervisor) === 'queued, 1 waiting: it is full');
    place.room = 1;
    await supervisor.hold([plan, otherPlan], () => supervisor.rename(plan, otherPlan));
    await supervisor.quiet(otherPlan);
    expect(supervisor.status(plan).waiting).toBe(0);
    await supervisor.stop();
  });
});

describe('a damaged mailbox', () => {
  test('parks its actor, naming file and line, and changes nothing until a person has fixed it', async () => {
    const { start, mailboxes, log } = await makeWorld();
    const blocked = await start({ handle: () => new Promise(() => undefined), activeMax: 1 });
    const sends = [1, 2, 3].map((n) => blocked.send(newMessage(n)));
    await Promise.all([...sends, blocked.send(newMessage(4, otherPlan))]);
    await dropped(blocked);
    const { mailbox } = mailboxPaths(mailboxes, plan);
    const bytes = await readFile(mailbox, 'utf8');
    const damaged = bytes.replace('message 2', 'massage 2');
    await writeFile(mailbox, damaged);
    log.length = 0;
    const supervisor = await start();
    await until(() => supervisor.status(plan).state.kind === 'faulted');
    await supervisor.quiet(otherPlan);
    expect(log).toContain('handled 1 done');
    expect(log).toContain('handled 4 done');
    const { state } = supervisor.status(plan);
    expect(state.kind === 'faulted' && state.fault).toMatchObject({
      code: 'mailbox/corrupt',
      file: mailbox,
      range: { start: { line: 1 } },
      help: expect.stringContaining('{"lost":2}'),
    });
    expect(await failureOf(() => supervisor.send(newMessage(5)))).toMatchObject({ code: 'mailbox/corrupt' });
    expect(await readFile(mailbox, 'utf8')).toBe(damaged);
    const lines = damaged.split('\n');
    await writeFile(mailbox, lines.with(1, '{"lost":2}').join('\n'));
    await supervisor.revive(plan);
    await supervisor.quiet(plan);
    expect(log.filter((line) => line.startsWith('handled'))).toContain('handled 3 done');
    expect(await supervisor.send(newMessage(5))).toEqual({ id: idOf(5), seq: 4 });
    await supervisor.stop();
  });

  /** The path of a mailbox whose three messages were handled. */
  async function makeHandled({ start, mailboxes, log }: Awaited<ReturnType<typeof makeWorld>>) {
    const first = await start();
    for (const n of [1, 2, 3]) await first.send(newMessage(n));
    await first.quiet(plan);
    await first.stop();
    log.length = 0;
    return mailboxPaths(mailboxes, plan).mailbox;
  }
  /** Changes the mailbox and returns its former text. */
  async function damage(mailbox: string, change: (text: string) => string): Promise<string> {
    const whole = await readFile(mailbox, 'utf8');
    expect(change(whole)).not.toBe(whole);
    await writeFile(mailbox, change(whole));
    return whole;
  }
  const inTheMiddle = (text: string) => text.replace('message 2', 'massage 2');
  const again = { isRepeat: true };

  test.each([
    ['the last line', (text: string) => text.replace('message 3', 'massage 3'), 'Line 3'],
    ['a line before it', inTheMiddle, 'Line 2'],
  ])('parks its actor if a repeated send finds damage in %s', async (_name, change, line) => {
    const world = await makeWorld();
    const mailbox = await makeHandled(world);
    const whole = await damage(mailbox, change);
    const supervisor = await world.start();
    // No message waits, so the file has not been read yet.
    expect(supervisor.statuses()).toEqual([]);
    const refused = await failureOf(() => supervisor.send(newMessage(4), again));
    expect(refused).toMatchObject({
      code: 'mailbox/corrupt',
      message: expect.stringContaining(`${line} of ${mailbox}`),
    });
    const { state } = supervisor.status(plan);
    expect(state).toMatchObject({ kind: 'faulted', fault: refused });
    expect(refused).toMatchObject({ file: mailbox, help: expect.stringContaining('revive the actor') });
    expect(await failureOf(() => supervisor.send(newMessage(5)))).toMatchObject({ code: 'mailbox/corrupt' });
    expect(await failureOf(() => supervisor.quiet(plan))).toMatchObject({ code: 'actor/faulted' });
    await writeFile(mailbox, whole);
    await supervisor.revive(plan);
    expect(supervisor.statuses()).toEqual([]);
    expect(await supervisor.send(newMessage(4), again)).toEqual({ id: idOf(4), seq: 4 });
    await supervisor.quiet(plan);
    expect(world.log.filter((entry) => entry.startsWith('handled'))).toEqual(['handled 4 done']);
    await supervisor.stop();
  });

  test('lets an idle actor rest before it is parked', async () => {
    const world = await makeWorld();
    const mailbox = await makeHandled(world);
    const clock = new ManualClock();
    const supervisor = await world.start({
      clock,
      spawn: async () => ({ handle: async () => done, stop: async () => void world.log.push('stopped') }),
    });
    await supervisor.send(newMessage(4));
    await supervisor.quiet(plan);
    await untilIdle(clock);
    world.log.length = 0;
    await damage(mailbox, inTheMiddle);
    await failureOf(() => supervisor.send(newMessage(5), again));
    await until(() => supervisor.status(plan).state.kind === 'faulted');
    expect(world.log).toEqual(['stopped', `${plan} dormant`, `${plan} faulted`]);
    await supervisor.stop();
  });

  test('lets the current message end, and begins no other until a person has fixed it', async () => {
    const world = await makeWorld();
    const mailbox = await makeHandled(world);
    const gate = createDeferred<MessageOutcome>();
    const supervisor = await world.start({
      handle: ({ id }) => (numberOf(id) === 4 ? gate.promise : Promise.resolve(done)),
    });
    await supervisor.send(newMessage(4));
    await supervisor.send(newMessage(5));
    await until(() => supervisor.status(plan).state.kind === 'active');
    await damage(mailbox, inTheMiddle);
    await failureOf(() => supervisor.send(newMessage(6), again));
    gate.resolve(done);
    await until(() => supervisor.status(plan).state.kind === 'faulted');
    expect(describeStatus(supervisor.status(plan))).toBe('faulted, 1 waiting, 0 dead');
    expect(world.log.filter((entry) => entry.startsWith('handled'))).toEqual(['handled 4 done']);
    await writeFile(mailbox, (await readFile(mailbox, 'utf8')).split('\n').with(1, '{"lost":2}').join('\n'));
    await supervisor.revive(plan);
    await supervisor.quiet(plan);
    expect(world.log.at(-1)).toBe('handled 5 done');
    await supervisor.stop();
  });

  test('parks an actor in the queue without waiting for its slot', async () => {
    const world = await makeWorld();
    const mailbox = await makeHandled(world);
    const supervisor = await world.start({ activeMax: 1, handle: () => new Promise(() => undefined) });
    await supervisor.send(newMessage(4, otherPlan));
    await supervisor.send(newMessage(5));
    expect(supervisor.status(plan).state.kind).toBe('queued');
    await damage(mailbox, inTheMiddle);
    await failureOf(() => supervisor.send(newMessage(6), again));
    await until(() => supervisor.status(plan).state.kind === 'faulted');
    expect(supervisor.status(otherPlan).state.kind).toBe('active');
    await dropped(supervisor);
  });

  test('found while the disk refuses the cursor does not cause a message to be handled twice', async () => {
    const world = await makeWorld();
    const mailbox = await makeHandled(world);
    let isFull = false;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (isFull && name === 'file.write' && path.includes('cursor')) throw systemError('ENOSPC');
    });
    const handled: number[] = [];
    const supervisor = await world.start({
      disk,
      handle: async ({ id }) => {
        isFull = handled.length === 0;
        handled.push(numberOf(id));
        return done;
      },
    });
    await supervisor.send(newMessage(4));
    await until(() => supervisor.status(plan).state.kind === 'queued');
    const whole = await damage(mailbox, inTheMiddle);
    await failureOf(() => supervisor.send(newMessage(5), again));
    expect(describeStatus(supervisor.status(plan))).toBe('faulted, 1 waiting, 0 dead');
    isFull = false;
    await writeFile(mailbox, whole);
    await supervisor.revive(plan);
    await supervisor.send(newMessage(5), again);
    await supervisor.quiet(plan);
    expect(handled).toEqual([4, 5]);
    expect(world.log.filter((entry) => entry.startsWith('handled'))).toEqual(['handled 4 done', 'handled 5 done']);
    await supervisor.stop();
  });

  test.each([
    ['the last line', (text: string) => text.replace('message 3', 'massage 3')],
    ['the first line', (text: string) => text.replace('"seq":1', '"seq":7')],
  ])('parks its actor on start if %s is damaged', async (_name, damage) => {
    const { start, mailboxes } = await makeWorld();
    const blocked = await start({ handle: () => new Promise(() => undefined) });
    for (const n of [1, 2, 3]) await blocked.send(newMessage(n));
    await dropped(blocked);
    const { mailbox } = mailboxPaths(mailboxes, plan);
    await writeFile(mailbox, damage(await readFile(mailbox, 'utf8')));
    const supervisor = await start();
    const { state } = supervisor.status(plan);
    expect(state.kind === 'faulted' && state.fault.code).toBe('mailbox/corrupt');
    await supervisor.stop();
  });
});

describe('the limit of active actors', () => {
  test('makes other actors queue in order until there is room', async () => {
    const { start, log } = await makeWorld();
    const gate = createDeferred<void>();
    let most = 0;
    let active = 0;
    const supervisor = await start({
      activeMax: 3,
      handle: async () => {
        most = Math.max(most, ++active);
        await gate.promise;
        active--;
        return done;
      },
    });
    await Promise.all(plans.map((to, n) => supervisor.send(newMessage(n, to))));
    await until(() => active === 3);
    const kinds = supervisor.statuses().map(({ state }) => state.kind);
    expect(kinds.filter((kind) => kind === 'queued')).toHaveLength(27);
    gate.resolve();
    await Promise.all(plans.map((to) => supervisor.quiet(to)));
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
    await Promise.all(many.map((to) => supervisor.quiet(to)));
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
    await supervisor.quiet(plan);
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

describe('the disk', () => {
  test('being full refuses messages, keeps accepted ones, and work goes on when there is room', async () => {
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
    await until(() => supervisor.status(plan).state.kind === 'queued');
    expect(describeStatus(supervisor.status(plan))).toBe('queued, 1 waiting, 0 dead');
    isFull = false;
    expect(await supervisor.send(newMessage(2))).toEqual({ id: idOf(2), seq: 2 });
    await supervisor.quiet(plan);
    // The first message was handled before its cursor could be saved; it is not handled again.
    expect(handled).toEqual([1, 2]);
    expect(await readdir(mailboxes)).toHaveLength(2);
    await supervisor.stop();
  });

  test('is retried at growing intervals', async () => {
    const { start } = await makeWorld();
    let isFull = false;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (isFull && name === 'file.write' && path.includes('cursor')) throw systemError('ENOSPC');
    });
    const clock = new ManualClock();
    const supervisor = await start({ disk, clock });
    await supervisor.send(newMessage(1));
    await supervisor.quiet(plan);
    isFull = true;
    await supervisor.send(newMessage(2));
    for (const waitMs of [5_000, 10_000, 20_000]) {
      await until(() => supervisor.status(plan).state.kind === 'queued');
      clock.advance(waitMs - 1);
      expect(supervisor.status(plan).state.kind).toBe('queued');
      if (waitMs === 20_000) isFull = false;
      clock.advance(1);
      await until(() => supervisor.status(plan).state.kind !== 'queued');
    }
    await supervisor.quiet(plan);
    await supervisor.stop();
  });

  test('being full holds a message up while its actor is kept active and afterwards', async () => {
    const { start } = await makeWorld();
    let isFull = false;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (isFull && name === 'file.write' && path.includes('cursor')) throw systemError('ENOSPC');
    });
    const clock = new ManualClock();
    const supervisor = await start({ disk, clock });
    await supervisor.send(newMessage(1));
    await supervisor.quiet(plan);
    isFull = true;
    await supervisor.send(newMessage(2));
    await until(() => supervisor.status(plan).state.kind === 'queued');
    await supervisor.keepActive(plan, new AbortController().signal, async () => undefined);
    expect(supervisor.status(plan)).toMatchObject({ waiting: 1, waitsBecause: expect.stringMatching(/^the disk/) });
    isFull = false;
    clock.advance(5_000);
    await supervisor.quiet(plan);
    await supervisor.stop();
  });

  test.each(['disk/full', 'disk/denied'] as const)(
    'refusing a handler with %s is not a crash of the handler',
    async (code) => {
      const { start, crashTimes } = await makeWorld();
      const clock = new ManualClock();
      const attempts: number[] = [];
      const supervisor = await start({
        clock,
        handle: async (_message, { attempt }) => {
          attempts.push(attempt);
          if (attempts.length < 4) throw failure(code, plan, 'refused');
          return done;
        },
      });
      await supervisor.send(newMessage(1));
      for (let n = 1; n < 4; n++) {
        await until(() => supervisor.status(plan).state.kind === 'queued' && attempts.length === n);
        clock.advance(300_000);
      }
      await supervisor.quiet(plan);
      expect(attempts).toEqual([1, 1, 1, 1]);
      expect(crashTimes.size).toBe(0);
      await supervisor.stop();
    },
  );
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
    await supervisor.quiet(plan);
    await supervisor.stop();
    return seen;
  }
});

describe('starting a supervisor', () => {
  test('opens only mailboxes with pending messages, and removes leftover temporary files', async () => {
    const { start, mailboxes } = await makeWorld();
    const first = await start();
    await first.send(newMessage(1));
    await first.quiet(plan);
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
    await supervisor.quiet(otherPlan);
    expect(await readdir(mailboxes)).not.toContain('.left.jsonl.compact.tmp');
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
    await supervisor.quiet(far);
    expect(log.at(-1)).toBe('handled 1 done');
    await supervisor.stop();
  });
});

describe('moving an actor', () => {
  test('takes its messages, letters and effects to the new name', async () => {
    const { start, log } = await makeWorld();
    const to = toQualifiedId('Demo/project-root/renamed');
    const supervisor = await start({
      handle: async ({ id }) => {
        if (numberOf(id) === 1) throw new Error('boom');
        return done;
      },
    });
    await supervisor.send(newMessage(1));
    await supervisor.quiet(plan);
    await supervisor.rename(plan, to);
    expect(await supervisor.deadLetters(to)).toMatchObject([{ id: idOf(1), actor: to }]);
    expect(await supervisor.deadLetters(plan)).toEqual([]);
    expect(supervisor.status(to).deadLetters).toBe(1);
    await supervisor.rename(plan, to);
    expect(await supervisor.send(newMessage(2, to))).toEqual({ id: idOf(2), seq: 2 });
    await supervisor.quiet(to);
    expect(log.at(-1)).toBe('handled 2 done');
    await supervisor.send(newMessage(3));
    await supervisor.quiet(plan);
    expect(await failureOf(() => supervisor.rename(plan, to))).toMatchObject({ code: 'actor/exists' });
    await supervisor.stop();
  });

  test('is refused while it is busy', async () => {
    const { start } = await makeWorld();
    const gate = createDeferred<MessageOutcome>();
    const supervisor = await start({ handle: () => gate.promise });
    await supervisor.send(newMessage(1));
    await until(() => supervisor.status(plan).state.kind === 'active');
    expect(await failureOf(() => supervisor.rename(plan, otherPlan))).toMatchObject({ code: 'actor/busy' });
    gate.resolve(done);
    await supervisor.quiet(plan);
    await supervisor.stop();
  });

  test('under hold waits for its current message, and handles the rest under its new name', async () => {
    const { start, log } = await makeWorld();
    const gate = createDeferred<MessageOutcome>();
    const supervisor = await start({ handle: ({ id }) => (numberOf(id) === 1 ? gate.promise : Promise.resolve(done)) });
    await supervisor.send(newMessage(1));
    await supervisor.send(newMessage(2));
    await until(() => supervisor.status(plan).state.kind === 'active');
    const held = supervisor.hold([plan, otherPlan], async () => {
      expect(log.filter((line) => line.startsWith('handled'))).toEqual(['handled 1 done']);
      expect(supervisor.status(plan).state.kind).toBe('dormant');
      expect(await failureOf(() => supervisor.send(newMessage(3)))).toMatchObject({ code: 'actor/busy' });
      expect(await failureOf(() => supervisor.hold([otherPlan], async () => undefined))).toMatchObject({
        code: 'actor/busy',
      });
      await supervisor.rename(plan, otherPlan);
      expect(supervisor.status(otherPlan).state.kind).toBe('dormant');
    });
    gate.resolve(done);
    await held;
    await supervisor.quiet(otherPlan);
    expect(log.at(-1)).toBe('handled 2 done');
    expect((await supervisor.send(newMessage(4))).seq).toBe(1);
    await supervisor.quiet(plan);
    await supervisor.stop();
  });

  test('under hold is refused during longer work, and nothing begins', async () => {
    const { start } = await makeWorld();
    const supervisor = await start();
    const gate = createDeferred<void>();
    const kept = supervisor.keepActive(plan, new AbortController().signal, () => gate.promise);
    const work = () => Promise.reject(new Error('begun'));
    expect(await failureOf(() => supervisor.hold([otherPlan, plan], work))).toMatchObject({ code: 'actor/busy' });
    gate.resolve();
    await kept;
    expect((await supervisor.send(newMessage(1))).seq).toBe(1);
    await supervisor.quiet(plan);
    await supervisor.stop();
  });

  test('to an archive can be undone, even under another name', async () => {
    const { start, directory } = await makeWorld();
    const supervisor = await start();
    await supervisor.send(newMessage(1));
    await supervisor.quiet(plan);
    const archive = join(directory, 'archive', 'demo');
    await supervisor.archive(plan, archive);
    const to = toQualifiedId('Demo/project-root/restored');
    for (let n = 0; n < 2; n++) await supervisor.restore(archive, to);
    expect(await readdir(archive)).toEqual([]);
    expect(await supervisor.send({ ...newMessage(2), to })).toEqual({ id: idOf(2), seq: 2 });
    await supervisor.quiet(to);
    await supervisor.stop();
  });

  test('to an archive starts a new mailbox for its next message', async () => {
    const { start, directory } = await makeWorld();
    const supervisor = await start();
    await supervisor.send(newMessage(1));
    await supervisor.quiet(plan);
    const archive = join(directory, 'archive', 'demo');
    await supervisor.archive(plan, archive);
    expect((await readdir(archive)).sort()).toEqual(['mailbox.cursor', 'mailbox.jsonl']);
    expect(await supervisor.send(newMessage(2))).toEqual({ id: idOf(2), seq: 1 });
    await supervisor.quiet(plan);
    await supervisor.stop();
  });
});

/** Stops a supervisor whose handlers never end. */
async function dropped(supervisor: Supervisor): Promise<void> {
  const clock = clocks.get(supervisor);
  const stopped = supervisor.stop();
  clock?.advance(1_000);
  await stopped;
}

async function untilStarted(cursor: string, started: number): Promise<void> {
  let text = '';
  while (!text.includes(`"started":${started},`)) text = await readFile(cursor, 'utf8').catch(() => '');
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** The idle timer runs. */
async function untilIdle(clock: ManualClock): Promise<void> {
  await until(() => clock.scheduled > 0);
}
