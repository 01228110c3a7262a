import { readdir } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { changedMeanwhile, toDiskError } from '../../src/base/diskErrors.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failure } from '../../src/model/codes.ts';
import { failureOf } from '../support/failureOf.ts';
import { ManualClock } from '../support/manualClock.ts';
import { systemError, traceDisk } from '../support/tracingDisk.ts';
import { idOf, newMessage, numberOf, plan } from './messages.ts';

import { describeStatus, done, type Handle, makeWorld, until } from './supervisorWorld.ts';

describe('a disk', () => {
  test('a full disk refuses messages, keeps accepted ones, and work continues when there is room', async () => {
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
