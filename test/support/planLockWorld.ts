import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDeferred } from '../../src/base/async.ts';
import type { Clock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessIdentity } from '../../src/base/processes.ts';
import { LockQueues } from '../../src/vault/lockQueues.ts';
import { type PlanLockOptions, withLock } from '../../src/vault/planLock.ts';
import { tableOf } from './locks.ts';
import { ManualClock } from './manualClock.ts';
import { makeTemporaryDirectory } from './temporaryDirectory.ts';

export const own: ProcessIdentity = { pid: 10, startTime: 'own', bootId: 'boot' };
export const other: ProcessIdentity = { pid: 20, startTime: 'other', bootId: 'boot' };
const both = tableOf(own, other);
export const timeoutMs = 1000;

export interface World extends PlanLockOptions {
  readonly clock: ManualClock;
  /** What lies in the folder of the locks. */
  names(): Promise<string[]>;
  /** The same lock, as another process sees it. */
  from(identity: ProcessIdentity, clock?: Clock): PlanLockOptions;
}

export async function makeWorld(disk: Disk = nodeDisk): Promise<World> {
  const folder = await makeTemporaryDirectory();
  const clock = new ManualClock();
  const options = { disk, processes: both, clock, path: join(folder, 'plan.lock'), timeoutMs };
  return {
    ...{ ...options, queues: new LockQueues() },
    names: async () => (await readdir(folder)).sort(),
    from: (identity, itsClock = clock) => {
      const processes = tableOf(identity, ...[own, other].filter(({ pid }) => pid !== identity.pid));
      return { ...options, processes, clock: itsClock, queues: new LockQueues() };
    },
  };
}

export const isRemovalOf = (file: string) => (name: string, path: string) =>
  name === 'unlink' && path.endsWith(`/${file}`);

/** Takes the lock and stays; resolves once inside. */
export async function enter(options: PlanLockOptions): Promise<{ leave(): Promise<void> }> {
  const [inside, released] = [createDeferred<void>(), createDeferred<void>()];
  const holding = withLock(options, () => {
    inside.resolve();
    return released.promise;
  });
  await Promise.race([inside.promise, holding]);
  return {
    leave() {
      released.resolve();
      return holding;
    },
  };
}

/**
 * Advances the clock while `promise` is unsettled, and returns for how long it had to. The loop drives the clock, no faster
 * than the disk answers; it polls no state, and a tick of the clock is all that the waiting side could be told.
 */
export async function runUntilSettled(clock: ManualClock, promise: Promise<unknown>): Promise<number> {
  const start = clock.monotonicMs();
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  void promise.then(settle, settle);
  while (!isSettled) {
    for (let look = 0; look < 4; look++) await nodeDisk.stat('.');
    if (clock.scheduled > 0) clock.advance(1);
  }
  return clock.monotonicMs() - start;
}
