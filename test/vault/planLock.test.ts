import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { systemClock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { LockQueues } from '../../src/vault/lockQueues.ts';
import { planLockHolder, removeIfDead, withLock } from '../../src/vault/planLock.ts';
import { failureOf } from '../support/failureOf.ts';
import { startLockRacers } from '../support/lockRacers.ts';
import { tableOf } from '../support/locks.ts';
import { testNeeding } from '../support/machine.ts';
import { ManualClock } from '../support/manualClock.ts';
import {
  enter,
  isRemovalOf,
  makeWorld,
  other,
  own,
  runUntilSettled,
  timeoutMs,
  type World,
} from '../support/planLockWorld.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk, traceDisk } from '../support/tracingDisk.ts';

/** A disk that says when somebody has noted that a process waits for the lock. */
function watchingDisk(): { readonly disk: Disk; readonly wanted: Promise<void> } {
  const wanted = createDeferred<void>();
  const open: Disk['open'] = async (path, ...how) => {
    const file = await nodeDisk.open(path, ...how);
    if (path.endsWith('.wanted')) wanted.resolve();
    return file;
  };
  return { disk: { ...nodeDisk, open }, wanted: wanted.promise };
}

/** A disk that says when a queue has found that note, and pauses. */
function pausingDisk(onPause: () => void): Disk {
  const unlink: Disk['unlink'] = async (path) => {
    await nodeDisk.unlink(path);
    if (path.endsWith('.wanted')) onPause();
  };
  return { ...nodeDisk, unlink };
}

describe('withLock', () => {
  test('returns the result of the work and leaves nothing in the folder', async () => {
    const world = await makeWorld();
    const during = withLock(world, async () => [await world.names(), await planLockHolder(world, world.path)]);
    expect(await during).toEqual([['plan.lock'], own]);
    expect(await world.names()).toEqual([]);
  });

  test('releases the lock if the work fails, and rethrows the failure', async () => {
    const world = await makeWorld();
    await expect(withLock(world, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await world.names()).toEqual([]);
    expect(await withLock(world, async () => 'free')).toBe('free');
  });

  test('lists no folder, so that any number of other locks makes it no dearer', async () => {
    const asked = new Set<string>();
    const world = await makeWorld(traceDisk(nodeDisk, (_n, name) => void asked.add(name)));
    await withLock(world, async () => undefined);
    expect([...asked]).not.toContain('readDirectory');
  });

  test('can release the lock on a full disk', async () => {
    const matches = (name: string) => name === 'file.write';
    const world = await makeWorld(failingDisk(nodeDisk, { code: 'ENOSPC', at: 2, matches, forEver: true }));
    await withLock(world, async () => undefined);
    expect(await world.names()).toEqual([]);
  });

  test('releases the lock if the system removes no file', async () => {
    const world = await makeWorld(failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: isRemovalOf('plan.lock') }));
    await withLock(world, async () => undefined);
    expect(await planLockHolder(world, world.path)).toBeUndefined();
    expect(await withLock(world, async () => 'free')).toBe('free');
  });

  test('takes away only its own lock', async () => {
    const world = await makeWorld();
    const foreign = JSON.stringify(other);
    await withLock(world, () => writeFile(world.path, foreign));
    expect(await readFile(world.path, 'utf8')).toBe(foreign);
  });

  test('that cannot read the lock is an error, and takes nothing', async () => {
    const world = await makeWorld(
      failingDisk(nodeDisk, { code: 'EACCES', at: 1, matches: (name) => name === 'readFile' }),
    );
    expect(await failureOf(() => withLock(world, async () => undefined))).toMatchObject({ code: 'disk/denied' });
  });
});

describe('a lock that was left behind', () => {
  const text = (identity: object) => `${JSON.stringify(identity)}\n`;

  async function check(content: string): Promise<void> {
    const world = await makeWorld();
    await writeFile(world.path, content);
    expect(await planLockHolder(world, world.path)).toBeUndefined();
    expect(await withLock(world, async () => 'taken')).toBe('taken');
    // Whoever removes one of a process that is gone does so under a lock of generations, the last of which stays.
    expect(await world.names()).toEqual(['removal.1']);
  }

  test.each<[string, string]>([
    ['by a dead process', text({ ...other, pid: 30 })],
    ['by a process whose pid was reused', text({ ...other, startTime: 'earlier' })],
    ['from another boot', text({ ...other, bootId: 'before' })],
    ['half written', text(other).slice(0, 20)],
    ['without content', ''],
    ['with binary content', '\u0000\ufffd'],
  ])('%s is free', (_name, content) => check(content));

  test('is removed only while it is the one that was looked at', async () => {
    let world: World | undefined;
    // A third process removes it and takes the lock, right before this one would remove it.
    const slow = traceDisk(nodeDisk, async (_n, name, path) => {
      if (name !== 'link' || !path.includes('removal') || world === undefined) return;
      const quick = world;
      world = undefined;
      await writeFile(quick.path, text(other));
    });
    world = await makeWorld(slow);
    const { path, clock } = world;
    await writeFile(path, '');
    const waiting = withLock(world, async () => 'taken');
    expect(
      await runUntilSettled(
        clock,
        waiting.catch(() => undefined),
      ),
    ).toBe(timeoutMs);
    await expect(waiting).rejects.toMatchObject({ code: 'vault/locked', message: `${path} is held by process 20.` });
    expect(await readFile(path, 'utf8')).toBe(text(other));
  });

  test('stays while it is held', async () => {
    const world = await makeWorld();
    const { leave } = await enter(world.from(other));
    await removeIfDead(world, world.path);
    expect(await world.names()).toEqual(['plan.lock']);
    await leave();
  });

  test('leaves the lock available after an error or a crash at any operation', async () => {
    const counting = traceDisk(nodeDisk, () => undefined);
    const world = await makeWorld();
    await writeFile(world.path, '');
    await withLock({ ...world, disk: counting }, async () => undefined);
    expect(counting.operationCount()).toBeGreaterThan(8);
    for (const forEver of [false, true]) {
      for (let at = 1; at <= counting.operationCount(); at++) {
        await writeFile(world.path, '');
        const disk = failingDisk(nodeDisk, { code: 'EIO', at, forEver });
        const processes = tableOf({ pid: 1000 + at, startTime: `${forEver}`, bootId: 'boot' });
        await withLock({ ...world, disk, processes, queues: new LockQueues() }, async () => undefined).catch(
          () => undefined,
        );
        // The process that met the error is gone.
        expect(await withLock(world, async () => 'taken'), `operation ${at}`).toBe('taken');
      }
    }
  });
});

describe('many of one process', () => {
  test('have their turn in the order they came, and cost no more than one after the other', async () => {
    const counting = traceDisk(nodeDisk, () => undefined);
    const world = await makeWorld(counting);
    await withLock(world, async () => undefined);
    const each = counting.operationCount();
    const order: number[] = [];
    const count = 300;
    await Promise.all(Array.from({ length: count }, (_, n) => withLock(world, async () => order.push(n))));
    expect(order).toEqual(Array.from({ length: count }, (_, n) => n));
    expect((counting.operationCount() - each) / count).toBe(each);
  });

  test('wait for as long as it takes while the queue moves', async () => {
    const world = await makeWorld();
    const done: number[] = [];
    const waiting = Array.from({ length: 5 }, (_, n) =>
      withLock(world, () => {
        // Each needs most of the time that a wait may last.
        world.clock.advance(timeoutMs * 0.9);
        done.push(n);
        return Promise.resolve();
      }),
    );
    await Promise.all(waiting);
    expect(done).toEqual([0, 1, 2, 3, 4]);
  });

  test('fail together when the queue is stuck', async () => {
    const world = await makeWorld();
    const { leave } = await enter(world);
    const waiting = [1, 2, 3].map((n) => failureOf(() => withLock(world, async () => n)));
    world.clock.advance(timeoutMs - 1);
    expect(world.clock.scheduled).toBe(waiting.length);
    world.clock.advance(1);
    for (const failed of waiting) expect(await failed).toMatchObject({ code: 'vault/locked', subject: world.path });
    await leave();
    expect(await withLock(world, async () => 'free')).toBe('free');
  });

  test('are told together who holds the lock in another process', async () => {
    const { disk, wanted } = watchingDisk();
    const world = await makeWorld(disk);
    const { leave } = await enter(world.from(other));
    const waiting = [1, 2, 3].map((n) => failureOf(() => withLock(world, async () => n)));
    await wanted;
    await runUntilSettled(world.clock, Promise.all(waiting));
    const message = `${world.path} is held by process 20.`;
    for (const failed of waiting) expect(await failed).toMatchObject({ code: 'vault/locked', message });
    await leave();
    expect(await world.names()).toEqual([]);
  });

  test('leave the queue when they are stopped, wherever they wait', async () => {
    const world = await makeWorld();
    const { leave } = await enter(world.from(other));
    const stops = [new AbortController(), new AbortController(), new AbortController()];
    const [first, second, third] = stops.map((stop, n) => withLock(world, async () => n, stop.signal));
    await world.clock.whenScheduled();
    stops[0]?.abort(new Error('stopped the first'));
    stops[1]?.abort(new Error('stopped the second'));
    await expect(first).rejects.toThrow('stopped the first');
    await expect(second).rejects.toThrow('stopped the second');
    await leave();
    await runUntilSettled(world.clock, third ?? Promise.resolve());
    expect(await third).toBe(2);
    const stopped = AbortSignal.abort(new Error('stopped before'));
    await expect(withLock(world, async () => 'never', stopped)).rejects.toThrow('stopped before');
  });
});

describe('another process', () => {
  test('is waited for with few looks', async () => {
    let looks = 0;
    const world = await makeWorld();
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      if (name === 'readFile' && path === world.path) looks++;
    });
    const { leave } = await enter(world.from(other));
    const waiting = withLock({ ...world, disk }, async () => 'done');
    world.clock.schedule(500, () => void leave());
    expect(await runUntilSettled(world.clock, waiting)).toBeGreaterThanOrEqual(500);
    expect(looks).toBeLessThan(40);
  });

  test('comes in between those of a long queue', async () => {
    const world = await makeWorld();
    const { clock } = world;
    const { disk, wanted } = watchingDisk();
    const order: string[] = [];
    const theirClock = new ManualClock();
    const comeAndWait = async () => {
      const done = withLock({ ...world.from(other, theirClock), disk }, async () => order.push('theirs'));
      await wanted;
      return { done };
    };
    const paused = createDeferred<void>();
    const mine = { ...world, timeoutMs: 100 * timeoutMs, disk: pausingDisk(paused.resolve) };
    const come = createDeferred<Awaited<ReturnType<typeof comeAndWait>>>();
    const all = ['mine 0', 'mine 1', 'mine 2', 'mine 3', 'mine 4'].map((name, n) =>
      withLock(mine, async () => {
        order.push(name);
        if (n === 0) come.resolve(await comeAndWait());
        clock.advance(100);
      }),
    );
    const { done } = await come.promise;
    await paused.promise;
    theirClock.advance(50);
    await done;
    await runUntilSettled(clock, Promise.all(all));
    expect(order).toEqual(['mine 0', 'mine 1', 'mine 2', 'theirs', 'mine 3', 'mine 4']);
    expect(await world.names()).toEqual([]);
  });
});

describe('processes', () => {
  test('that take turns are never inside the lock together', { timeout: 60_000 }, async () => {
    const racers = await startLockRacers(8);
    const folder = await makeTemporaryDirectory();
    const answers = await Promise.all(racers.map((racer) => racer.ask(`churn ${join(folder, 'plan.lock')} 25`)));
    expect(answers).toEqual(racers.map(() => 'alone'));
    expect(await readdir(folder)).toEqual([]);
  });

  test('that find the lock of a dead one are never inside together', { timeout: 60_000 }, async () => {
    const racers = await startLockRacers(8);
    const folder = await makeTemporaryDirectory();
    const dead = JSON.stringify({ pid: 2 ** 31 - 1, startTime: 'long ago', bootId: 'before' });
    for (let round = 0; round < 30; round++) {
      const path = join(folder, `${round}.lock`);
      await writeFile(path, dead);
      const answers = await Promise.all(racers.map((racer) => racer.ask(`churn ${path} 2`)));
      expect(answers, `round ${round}`).toEqual(racers.map(() => 'alone'));
      await expect(stat(path)).rejects.toMatchObject({ code: 'ENOENT' });
    }
  });

  test('that run out of descriptors inside are told what their work was, and keep no lock', async () => {
    const [[exhausted], [free]] = [await startLockRacers(1, 'fewDescriptors'), await startLockRacers(1)];
    const path = join(await makeTemporaryDirectory(), 'plan.lock');
    expect(await exhausted?.ask(`exhaust ${path}`)).toBe('done after EMFILE');
    expect(await Promise.all([exhausted, free].map((racer) => racer?.ask(`churn ${path} 2`)))).toEqual([
      'alone',
      'alone',
    ]);
  });

  testNeeding(['Linux', 'pid namespaces'], 'of another container hold what they took', async () => {
    const [racer] = await startLockRacers(1, 'container');
    const path = join(await makeTemporaryDirectory(), 'plan.lock');
    expect(await racer?.ask(`enter ${path}`)).toBe('inside');
    const ports = { disk: nodeDisk, processes: createProcesses(nodeDisk), clock: systemClock };
    const { bootId } = await ports.processes.self();
    expect(await planLockHolder(ports, path)).toMatchObject({ bootId });
    await removeIfDead(ports, path);
    expect(await planLockHolder(ports, path)).toBeDefined();
  });

  test('that are suspended inside are named after the limit, and continue at the same point', async () => {
    const [racer] = await startLockRacers(1);
    if (racer === undefined) throw new Error('no racer');
    const folder = await makeTemporaryDirectory();
    const path = join(folder, 'plan.lock');
    expect(await racer.ask(`enter ${path}`)).toBe('inside');
    racer.child.kill('SIGSTOP');
    const clock = new ManualClock();
    const processes = createProcesses(nodeDisk);
    const options = { disk: nodeDisk, processes, clock, queues: new LockQueues(), path, timeoutMs };
    const waiting = withLock(options, async () => 'done');
    expect(
      await runUntilSettled(
        clock,
        waiting.catch(() => undefined),
      ),
    ).toBe(timeoutMs);
    const message = `${path} is held by process ${racer.child.pid}.`;
    await expect(waiting).rejects.toMatchObject({ code: 'vault/locked', message });
    expect((await planLockHolder(options, path))?.pid).toBe(racer.child.pid);
    racer.child.kill('SIGKILL');
    await new Promise((resolve) => racer.child.once('exit', resolve));
    expect(await withLock({ ...options, clock: systemClock }, async () => 'done')).toBe('done');
  });
});
