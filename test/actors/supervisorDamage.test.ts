import { readFile, writeFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { mailboxPaths } from '../../src/actors/mailbox.ts';
import { createDeferred } from '../../src/base/async.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { MessageOutcome } from '../../src/model/message.ts';
import { failureOf } from '../support/failureOf.ts';
import { systemError, traceDisk } from '../support/tracingDisk.ts';
import { WatchedClock } from '../support/watchedClock.ts';
import { idOf, newMessage, numberOf, otherPlan, plan } from './messages.ts';
import { describeStatus, done, dropped, makeWorld, until } from './supervisorWorld.ts';

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
    await until(supervisor, () => supervisor.status(plan).state.kind === 'faulted');
    await supervisor.whenIdle(otherPlan);
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
    await supervisor.whenIdle(plan);
    expect(log.filter((line) => line.startsWith('handled'))).toContain('handled 3 done');
    expect(await supervisor.send(newMessage(5))).toEqual({ id: idOf(5), seq: 4 });
    await supervisor.stop();
  });

  /** The path of a mailbox whose three messages were handled. */
  async function makeHandled({ start, mailboxes, log }: Awaited<ReturnType<typeof makeWorld>>) {
    const first = await start();
    for (const n of [1, 2, 3]) await first.send(newMessage(n));
    await first.whenIdle(plan);
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
    expect(await failureOf(() => supervisor.whenIdle(plan))).toMatchObject({ code: 'actor/faulted' });
    await writeFile(mailbox, whole);
    await supervisor.revive(plan);
    expect(supervisor.statuses()).toEqual([]);
    expect(await supervisor.send(newMessage(4), again)).toEqual({ id: idOf(4), seq: 4 });
    await supervisor.whenIdle(plan);
    expect(world.log.filter((entry) => entry.startsWith('handled'))).toEqual(['handled 4 done']);
    await supervisor.stop();
  });

  test('lets an idle actor rest before it is parked', async () => {
    const world = await makeWorld();
    const mailbox = await makeHandled(world);
    const clock = new WatchedClock();
    const supervisor = await world.start({
      clock,
      spawn: async () => ({ handle: async () => done, stop: async () => void world.log.push('stopped') }),
    });
    await supervisor.send(newMessage(4));
    await supervisor.whenIdle(plan);
    await clock.untilScheduled();
    world.log.length = 0;
    await damage(mailbox, inTheMiddle);
    await failureOf(() => supervisor.send(newMessage(5), again));
    await until(supervisor, () => supervisor.status(plan).state.kind === 'faulted');
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
    await until(supervisor, () => supervisor.status(plan).state.kind === 'active');
    await damage(mailbox, inTheMiddle);
    await failureOf(() => supervisor.send(newMessage(6), again));
    gate.resolve(done);
    await until(supervisor, () => supervisor.status(plan).state.kind === 'faulted');
    expect(describeStatus(supervisor.status(plan))).toBe('faulted, 1 waiting, 0 dead');
    expect(world.log.filter((entry) => entry.startsWith('handled'))).toEqual(['handled 4 done']);
    await writeFile(mailbox, (await readFile(mailbox, 'utf8')).split('\n').with(1, '{"lost":2}').join('\n'));
    await supervisor.revive(plan);
    await supervisor.whenIdle(plan);
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
    await until(supervisor, () => supervisor.status(plan).state.kind === 'faulted');
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
    await until(supervisor, () => supervisor.status(plan).state.kind === 'queued');
    const whole = await damage(mailbox, inTheMiddle);
    await failureOf(() => supervisor.send(newMessage(5), again));
    expect(describeStatus(supervisor.status(plan))).toBe('faulted, 1 waiting, 0 dead');
    isFull = false;
    await writeFile(mailbox, whole);
    await supervisor.revive(plan);
    await supervisor.send(newMessage(5), again);
    await supervisor.whenIdle(plan);
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
