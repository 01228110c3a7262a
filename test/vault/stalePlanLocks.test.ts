import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { describe, expect, test } from 'vitest';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { LockQueues } from '../../src/vault/lockQueues.ts';
import { planLockHolder, withLock } from '../../src/vault/planLock.ts';
import { failureOf } from '../support/failureOf.ts';
import { enter, isRemovalOf, makeWorld, other, own, runUntilSettled, type World } from '../support/planLockWorld.ts';
import { failingDisk, systemError, traceDisk } from '../support/tracingDisk.ts';

describe('a lock that could not be given back', () => {
  /** A disk on which the lock itself can be neither opened nor removed while `isRefusing`. */
  function refusingDisk() {
    const refusal = { isRefusing: false };
    const disk = traceDisk(nodeDisk, (_n, _name, path) => {
      if (refusal.isRefusing && path.endsWith('/plan.lock')) throw systemError('EMFILE');
    });
    return { disk, refusal };
  }

  async function makeStale() {
    const { disk, refusal } = refusingDisk();
    const warnings: string[] = [];
    const log = { ...silentLogger, warn: (message: string) => void warnings.push(message) };
    const world = { ...(await makeWorld(disk)), queues: new LockQueues(log) };
    const done = await withLock(world, async () => {
      refusal.isRefusing = true;
      return 'done';
    });
    expect(done).toBe('done');
    refusal.isRefusing = false;
    expect(await planLockHolder(world, world.path)).toEqual(own);
    return { world, warnings };
  }

  /** What another process is told that waits, while the clock runs. */
  async function theirTurn(world: World): Promise<string> {
    const turn = withLock({ ...world.from(other), timeoutMs: 60_000 }, async () => 'theirs');
    await runUntilSettled(world.clock, turn);
    return turn;
  }

  test('is told of in the log, and is taken over by the next of its queue', async () => {
    const { world, warnings } = await makeStale();
    expect(warnings).toEqual(['a lock could not be given back, and is tried again']);
    expect(await withLock(world, async () => 'taken')).toBe('taken');
    expect(await planLockHolder(world, world.path)).toBeUndefined();
  });

  test('is given back later, for other processes', async () => {
    const { world } = await makeStale();
    expect(await theirTurn(world)).toBe('theirs');
    expect(await world.names()).toEqual(['removal.1']);
  });

  test('since its folder was moved away comes back with the folder, and is free', async () => {
    const world = await makeWorld();
    const [folder, away] = [dirname(world.path), `${dirname(world.path)}.away`];
    await withLock(world, () => rename(folder, away));
    await rename(away, folder);
    expect(await planLockHolder(world, world.path)).toEqual(own);
    expect(await theirTurn(world)).toBe('theirs');
  });

  test('of another queue of the same process is held', async () => {
    const world = await makeWorld();
    const { leave } = await enter(world);
    const waiting = failureOf(() => withLock({ ...world, queues: new LockQueues() }, async () => 'never'));
    await runUntilSettled(world.clock, waiting);
    expect(await waiting).toMatchObject({ code: 'vault/locked' });
    await leave();
  });

  test('is the same as no other, so that it is not removed in the place of a later one', async () => {
    const world = await makeWorld();
    const read = () => readFile(world.path, 'utf8');
    expect(await withLock(world, read)).not.toBe(await withLock(world, read));
  });

  test('that guards removals is given back later', async () => {
    let refusals = 0;
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      // Of its claim it writes the second when it is released, and empties it where that fails.
      if (name !== 'open' || !path.includes('removal.1')) return;
      refusals += 1;
      if (refusals === 2 || refusals === 3) throw systemError('EMFILE');
    });
    const world = await makeWorld(disk);
    await writeFile(world.path, '');
    expect(await withLock(world, async () => 'taken')).toBe('taken');
    expect(refusals).toBe(3);
    await writeFile(world.path, '');
    expect(await theirTurn(world)).toBe('theirs');
  });
});

describe('a note of a waiting process', () => {
  test('that cannot be removed does not keep the work from being done', async () => {
    const matches = isRemovalOf('plan.lock.wanted');
    const world = await makeWorld(failingDisk(nodeDisk, { code: 'EIO', at: 1, matches }));
    const { leave } = await enter(world.from(other));
    const waiting = withLock(world, async () => 'done');
    await world.clock.whenScheduled();
    await leave();
    await runUntilSettled(world.clock, waiting);
    expect(await waiting).toBe('done');
    expect(await planLockHolder(world, world.path)).toBeUndefined();
  });

  test('that is not a file fails no member of a queue whose work is done', async () => {
    const world = await makeWorld();
    await mkdir(`${world.path}.wanted`);
    const works = [0, 1, 2, 3, 4].map((n) =>
      withLock(world, async () => {
        world.clock.advance(300);
        return n;
      }),
    );
    expect(await Promise.all(works)).toEqual([0, 1, 2, 3, 4]);
  });
});
