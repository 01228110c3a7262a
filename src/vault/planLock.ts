import { dirname, join } from 'node:path';
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
  touchClaimFile,
} from './claim.ts';
import { acquireLock } from './lock.ts';
import type { LockQueues, Turn } from './lockQueues.ts';

/** What a lock of a plan touches the world by. */
export interface PlanLockPorts {
  readonly disk: Disk;
  readonly processes: Processes;
  readonly clock: Clock;
}

export interface PlanLockOptions extends PlanLockPorts {
  /** Those of this process who want the same lock. */
  readonly queues: LockQueues;
  /** The file that is there while the lock is held, in a folder for locks alone. */
  readonly path: string;
  /** How long nobody of this process may get any further with the lock. */
  readonly timeoutMs: number;
}

/**
 * Does `work` while nobody else, in any process, holds the lock. Who wants it in this process comes in order. Whoever
 * links the name holds the lock, and takes the name away to give it back, so taking it costs the same beside any number
 * of other locks. Nothing here is synced: after a power cut the boot is another and every lock is free.
 *
 * Throws `vault/locked` when another process keeps the lock for `timeoutMs`, or a holder in this one does; what `signal`
 * says when it aborts before the lock is taken; a disk error when the folder cannot be read or written.
 */
export function withLock<T>(options: PlanLockOptions, work: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const { disk, processes, clock, path, queues } = options;
  return queues.inTurn(
    options,
    async (turn) => {
      const self = await processes.self();
      const text = formatClaim({ identity: self });
      await takeFile(options, { self, text }, turn, signal);
      // Where there are no containers, everybody can look the holder up.
      const isShown = self.namespace !== undefined;
      turn.noteMove();
      const fresh = isShown ? keepFresh(clock, () => touchClaimFile(disk, path)) : undefined;
      try {
        return await releaseAfter(options, text, work);
      } finally {
        fresh?.dispose();
        turn.noteMove();
        if (turn.endSlice()) await letOthers(options);
      }
    },
    signal,
  );
}

/** The process that must end its work first; undefined where the lock is free, or its holder is gone. */
export async function planLockHolder(ports: PlanLockPorts, path: string): Promise<ProcessIdentity | undefined> {
  const bytes = await readClaimFile(ports.disk, path);
  return bytes === undefined ? undefined : livingHolder(ports, path, bytes);
}

/** Removes the lock of a process that is gone; one that somebody holds stays. */
export async function removeIfDead(ports: PlanLockPorts, path: string): Promise<void> {
  const bytes = await readClaimFile(ports.disk, path);
  if (bytes === undefined || (await livingHolder(ports, path, bytes)) !== undefined) return;
  await removeDead(ports, path, bytes);
}

/** Beside a lock while another process waits for it. */
export const wantedSuffix = '.wanted';
/** In the folder of the locks: held by whoever removes one of a process that is gone. */
const removalLock = 'removal';

const waitMinMs = 2;
const waitMaxMs = 50;
/** As long as any other process pauses between two looks, and a little more. */
const yieldMs = 60;
/** Each attempt fails only because another process got further, so this many never happen but by a defect. */
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
    for (let waitMs = waitMinMs; ; waitMs = Math.min(waitMs * 2, waitMaxMs)) {
      signal?.throwIfAborted();
      const holder = await tryToTake(options, text);
      if (holder === undefined) return;
      const message = `${path} is held by process ${holder.pid}.`;
      turn.explain(message);
      const leftMs = turn.leftMs();
      if (leftMs <= 0) throw locked(path, message);
      await noteWanted(disk, path);
      hasWaited = true;
      await delay(clock, Math.min(waitMs * paced, leftMs), signal);
    }
  } finally {
    if (hasWaited) await removeClaimFile(disk, path + wantedSuffix);
  }
}

/** Processes that began to wait at the same moment do not look at the same moments. */
function paceOf({ pid }: ProcessIdentity): number {
  const goldenRatio = 0.618;
  return 0.5 + ((pid * goldenRatio) % 1) / 2;
}

/** Undefined when it was taken, or whoever must be waited for. */
async function tryToTake(options: PlanLockOptions, text: string): Promise<ProcessIdentity | undefined> {
  const { disk, path } = options;
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const bytes = await readClaimFile(disk, path);
    if (bytes === undefined) {
      if (await createClaimFile(disk, path, text)) return undefined;
      continue;
    }
    const holder = (await livingHolder(options, path, bytes)) ?? (await removeDead(options, path, bytes));
    if (holder !== undefined) return holder;
  }
  throw locked(path, `${path} changes hands without end.`);
}

async function livingHolder(ports: PlanLockPorts, path: string, bytes: Buffer): Promise<ProcessIdentity | undefined> {
  const claim = parseClaim(bytes);
  return claim !== undefined && (await isHeld(ports, path, claim)) ? claim.identity : undefined;
}

/**
 * Removes the lock that `seen` is, of a process that is gone; resolves to whoever is at that already. One at a time: of
 * two who saw the same, the slower would remove what the quicker, or a third, took since.
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
    await removal.lock.release();
  }
  return undefined;
}

async function releaseAfter<T>(options: PlanLockOptions, text: string, work: () => Promise<T>): Promise<T> {
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // What went wrong in the work is what the caller must hear of; an unreleased lock ends with this process.
    await release(options, text).catch(() => undefined);
    throw error;
  }
  await release(options, text);
  return result;
}

async function release({ disk, path }: PlanLockOptions, text: string): Promise<void> {
  const now = await readClaimFile(disk, path);
  if (now?.toString('utf8') !== text) return;
  try {
    await removeClaimFile(disk, path);
  } catch (error) {
    if (!(await emptyClaimFile(disk, path))) throw error;
  }
}

/** For processes that hold the lock again and again; who waits tells so anew at each look. */
async function noteWanted(disk: Disk, path: string): Promise<void> {
  try {
    await (await disk.open(path + wantedSuffix, 'append', 0o600)).close();
  } catch (error) {
    // Without it the wait can only be longer. What the system says of the lock itself is told.
    if (systemCode(error) === undefined) throw error;
  }
}

/** Lets other processes go first where one of them waits: between two looks of theirs the lock could be free and taken. */
async function letOthers({ disk, clock, path }: PlanLockOptions): Promise<void> {
  if (await removeClaimFile(disk, path + wantedSuffix)) await delay(clock, yieldMs);
}
