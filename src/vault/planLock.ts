import { dirname, join } from 'node:path';
import { type Backoff, backoffMs } from '../base/backoff.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { systemCode } from '../base/errors.ts';
import type { Processes, ProcessIdentity } from '../base/processes.ts';
import {
  createClaimFile,
  emptyClaimFile,
  formatClaim,
  isHeld,
  keepFresh,
  locked,
  parseClaim,
  readClaimFile,
  removeClaimFile,
  retryLater,
  touchClaimFile,
} from './claim.ts';
import { acquireLock, releaseInTime } from './lock.ts';
import type { LockQueues, Turn } from './lockQueues.ts';

/** What a lock of a plan touches the world by. */
export interface PlanLockPorts {
  readonly disk: Disk;
  readonly processes: Processes;
  readonly clock: Clock;
}

export interface PlanLockOptions extends PlanLockPorts {
  /** The callers of this process that want the same lock. */
  readonly queues: LockQueues;
  /** The file that is there while the lock is held, in a folder for locks alone. */
  readonly path: string;
  /** How long the queue of this process can stand still before its callers give up. */
  readonly timeoutMs: number;
}

/**
 * Does `work` while no other caller, in any process, holds the lock. The callers of this process come in order. A
 * process takes the lock by linking the name, and gives it back by removing the name, so taking it costs the same
 * beside any number of other locks. Nothing here is synced: after a power cut the boot is another and every lock is
 * free.
 *
 * Throws `vault/locked` when another process keeps the lock for `timeoutMs`, or a holder in this one does; the reason
 * of `signal` when it aborts before the lock is taken; a disk error when the folder cannot be read or written. Once
 * `work` has begun, the caller gets the outcome of that: a lock that cannot be given back is given back later, or taken
 * over by the next in the queue.
 */
export function withLock<T>(options: PlanLockOptions, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const { disk, processes, clock, path, queues } = options;
  return queues.inTurn(
    options,
    async (turn) => {
      const self = await processes.self();
      const text = formatClaim({ identity: self, info: queues.newMark() });
      await takeFile(options, { self, text }, turn, signal);
      // Without containers, every process can look up the holder.
      const isShown = self.namespace !== undefined;
      turn.recordMove();
      const fresh = isShown ? keepFresh(clock, () => touchClaimFile(disk, path)) : undefined;
      try {
        return await work();
      } finally {
        fresh?.dispose();
        await release(options, text);
        turn.recordMove();
        if (turn.endSlice()) await letOthers(options);
      }
    },
    signal,
  );
}

/** The process that must end its work first; undefined if the lock is free, or its holder is gone. */
export async function planLockHolder(ports: PlanLockPorts, path: string): Promise<ProcessIdentity | undefined> {
  const bytes = await readClaimFile(ports.disk, path);
  return bytes === undefined ? undefined : livingHolder(ports, path, bytes);
}

/** Removes the lock of a process that is gone; one with a living holder stays. */
export async function removeIfDead(ports: PlanLockPorts, path: string): Promise<void> {
  const bytes = await readClaimFile(ports.disk, path);
  if (bytes === undefined || (await livingHolder(ports, path, bytes)) !== undefined) return;
  await removeDead(ports, path, bytes);
}

/** Beside a lock while another process waits for it. */
export const wantedSuffix = '.wanted';
/** In the folder of the locks: a process holds it while it removes the lock of a process that is gone. */
const removalLock = 'removal';

const pauses: Backoff = { firstMs: 2, longestMs: 50 };
/** As long as any other process pauses between two looks, and a little more. */
const yieldMs = 60;
/** Each attempt fails only because another process got further, so only a defect leads to this many. */
const attemptsMax = 1000;

async function takeFile(
  options: PlanLockOptions,
  { self, text }: { readonly self: ProcessIdentity; readonly text: string },
  turn: Turn,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { disk, clock, path } = options;
  const paced = paceOf(self);
  let hasWaited = false;
  try {
    for (let tryNumber = 0; ; tryNumber++) {
      signal?.throwIfAborted();
      const holder = await tryToTake(options, text);
      if (holder === undefined) return;
      const message = `${path} is held by process ${holder.pid}.`;
      turn.explain(message);
      const leftMs = turn.leftMs();
      if (leftMs <= 0) throw locked(path, message);
      await recordWanted(disk, path);
      hasWaited = true;
      await delay(clock, Math.min(backoffMs(pauses, tryNumber) * paced, leftMs), signal);
    }
  } finally {
    if (hasWaited) await removeWanted(options);
  }
}

/** Processes that began to wait at the same moment do not look at the same moments. */
function paceOf({ pid }: ProcessIdentity): number {
  const goldenRatio = 0.618;
  return 0.5 + ((pid * goldenRatio) % 1) / 2;
}

/** Returns the process to wait for; undefined when the lock was taken. */
async function tryToTake(options: PlanLockOptions, text: string): Promise<ProcessIdentity | undefined> {
  const { disk, path, queues } = options;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const bytes = await readClaimFile(disk, path);
    if (bytes === undefined) {
      if (await createClaimFile(disk, path, text)) return undefined;
      continue;
    }
    const living = queues.madeClaim(parseClaim(bytes)) ? undefined : await livingHolder(options, path, bytes);
    const holder = living ?? (await removeDead(options, path, bytes));
    if (holder !== undefined) return holder;
  }
  throw locked(path, `${path} changes hands without end.`);
}

async function livingHolder(ports: PlanLockPorts, path: string, bytes: Buffer): Promise<ProcessIdentity | undefined> {
  const claim = parseClaim(bytes);
  return claim !== undefined && (await isHeld(ports, path, claim)) ? claim.identity : undefined;
}

/**
 * Removes the lock `seen` of a process that is gone; resolves to the process that is removing a lock already, if any.
 * One at a time: of two that saw the same lock, the slower would remove the one that the quicker, or a third, took
 * since.
 */
async function removeDead(
  { disk, processes, clock }: PlanLockPorts,
  path: string,
  seen: Buffer,
): Promise<ProcessIdentity | undefined> {
  const removal = await acquireLock({ disk, processes, clock, path: join(dirname(path), removalLock) });
  if (!removal.held) return removal.holder;
  try {
    const now = await readClaimFile(disk, path);
    if (now?.equals(seen)) await removeClaimFile(disk, path);
  } finally {
    await releaseInTime(removal.lock, clock);
  }
  return undefined;
}

/** Never fails. */
async function release(options: PlanLockOptions, text: string): Promise<void> {
  const { disk, path, queues } = options;
  try {
    if (await giveBack(disk, path, text)) return;
    queues.log.warn('a lock is not where it was taken, and is looked for again', { path });
  } catch (error) {
    queues.log.warn('a lock could not be given back, and is tried again', { path, error });
  }
  releaseLater(options, text);
}

/** Whether the lock is given back for sure: a file that is not there may come back with its folder. */
async function giveBack(disk: Disk, path: string, text: string): Promise<boolean> {
  const now = await readClaimFile(disk, path);
  if (now === undefined) return false;
  if (now.toString('utf8') !== text) return true;
  try {
    return await removeClaimFile(disk, path);
  } catch (error) {
    if (!(await emptyClaimFile(disk, path))) throw error;
    return true;
  }
}

/** Outside of the queue's turn, so by the way on which the lock of a dead process is removed. */
function releaseLater(options: PlanLockOptions, text: string): void {
  const { disk, clock, path } = options;
  const left = Buffer.from(text);
  retryLater(clock, async () => {
    const now = await readClaimFile(disk, path);
    if (now === undefined) return false;
    return !now.equals(left) || (await removeDead(options, path, left)) === undefined;
  });
}

/** For processes that hold the lock again and again; who waits tells so again at each look. */
async function recordWanted(disk: Disk, path: string): Promise<void> {
  try {
    await (await disk.open(path + wantedSuffix, 'append', 0o600)).close();
  } catch (error) {
    // Without it the wait can only be longer. What the system says of the lock itself is told.
    if (systemCode(error) === undefined) throw error;
  }
}

/** Lets other processes go first if one of them waits: between two looks of theirs the lock could be free and taken. */
async function letOthers(options: PlanLockOptions): Promise<void> {
  if (await removeWanted(options)) await delay(options.clock, yieldMs);
}

/** Whether it was there. Never fails: it decides over neither the lock nor the work. */
async function removeWanted({ disk, path, queues }: PlanLockOptions): Promise<boolean> {
  try {
    return await removeClaimFile(disk, path + wantedSuffix);
  } catch (error) {
    queues.log.warn('a note that a process waits for a lock could not be removed', { path, error });
    return false;
  }
}
