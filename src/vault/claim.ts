import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { assert } from '../base/assert.ts';
import { type Backoff, backoffMs } from '../base/backoff.ts';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { ifThere, lacksHardLinks, toDiskError } from '../base/diskErrors.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { systemCode } from '../base/errors.ts';
import { withoutLinks } from '../base/exclusiveFile.ts';
import { writeFully } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { Processes, ProcessIdentity } from '../base/processes.ts';
import { failure } from '../model/codes.ts';

/** What a lock file says: which process holds the lock, and what that process wants others to know. */
export interface Claim {
  readonly identity: ProcessIdentity;
  /** Of a lock that counts its holders. */
  readonly generation?: number;
  readonly info?: LockInfo;
}

export type LockInfo = Readonly<Record<string, string>>;

const claimSchema = z
  .object({
    generation: z.int().optional(),
    pid: z.int(),
    startTime: z.string(),
    bootId: z.string(),
    namespace: z.string().optional(),
    released: z.boolean().optional(),
  })
  .catchall(z.unknown());

const ownKeys = new Set(Object.keys(claimSchema.shape));

/** Undefined for a lock that was released, and for anything that is not a lock file: neither has a known holder. */
export function parseClaim(bytes: Buffer): Claim | undefined {
  const parsed = claimSchema.safeParse(parseJson(bytes.toString('utf8')));
  if (!parsed.success || parsed.data.released === true) return undefined;
  const { pid, startTime, bootId, namespace, generation, ...rest } = parsed.data;
  const info: Record<string, string> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (!ownKeys.has(key) && typeof value === 'string') info[key] = value;
  }
  const identity = { pid, startTime, bootId, ...defined({ namespace }) };
  return { identity, ...defined({ generation }), info };
}

export function formatClaim({ identity, generation, info = {} }: Claim, released = false): string {
  for (const key of Object.keys(info)) assert(!ownKeys.has(key), `a lock says "${key}" by itself`);
  const { pid, startTime, bootId, namespace } = identity;
  const own = { generation, pid, startTime, bootId, namespace, ...(released ? { released } : {}) };
  return `${JSON.stringify({ ...own, ...info })}\n`;
}

/** What tells whether the holder of a lock lives. */
export interface ClaimPorts {
  readonly disk: Disk;
  readonly processes: Processes;
  readonly clock: Pick<Clock, 'wallMs' | 'schedule'>;
  /** Whether a process listens at a socket. */
  readonly answers?: (socketPath: string) => Promise<boolean>;
}

/** How often a holder shows that it lives, and after how long without that it counts as gone if nothing else tells. */
const beatMs = 5_000;
const staleMs = 15_000;

/**
 * Whether the holder of the lock at `path` lives. One of another container or boot is in no process table of ours, so it
 * lives as long as its file is touched or its socket answers; one that names no namespace counts as one of ours.
 */
export async function isHeld(ports: ClaimPorts, path: string, { identity, info }: Claim): Promise<boolean> {
  const { disk, processes, clock, answers } = ports;
  if (isOfHere(await processes.self(), identity)) return processes.isAlive(identity);
  const found = await ifThere(path, () => disk.lstat(path));
  // A stamp of the future is of a clock that was set since.
  if (found !== undefined && Math.abs(clock.wallMs() - found.mtimeMs) <= staleMs) return true;
  const socket = info?.['socket'];
  return answers !== undefined && socket !== undefined && (await answers(socket));
}

/** Whether the process table of `self` has the process if it lives. */
export function isOfHere(self: ProcessIdentity, { bootId, namespace }: ProcessIdentity): boolean {
  if (self.namespace === undefined || namespace === undefined) return true;
  return self.namespace === namespace && self.bootId === bootId;
}

/** Touches a held lock's file from time to time, for those of other containers. */
export function keepFresh(clock: Pick<Clock, 'schedule'>, touch: () => Promise<void>): Disposable {
  let isOver = false;
  const again = () => {
    if (!isOver) timer = clock.schedule(beatMs, beat);
  };
  // A disk that refuses is asked again; who holds the lock meets it by itself.
  const beat = () => void touch().then(again, again);
  let timer = clock.schedule(beatMs, beat);
  return toDisposable(() => {
    isOver = true;
    timer.dispose();
  });
}

const pauses: Backoff = { firstMs: 50, longestMs: 5_000 };
/** About a minute in all. */
const retriesMax = 18;

/**
 * Continues to give up a lock that the system refused to give up: `attempt` says whether it is done. While the process
 * lives, others wait for what it left.
 */
export function retryLater(clock: Pick<Clock, 'schedule'>, attempt: () => Promise<boolean>): void {
  let tries = 0;
  const next = (isDone: boolean): void => {
    if (isDone || tries === retriesMax) return;
    const delayMs = backoffMs(pauses, tries);
    tries += 1;
    clock.schedule(
      delayMs,
      // A refusal is why it is tried again.
      () => void attempt().then(next, () => next(false)),
    );
  };
  next(false);
}

/** The stamp is that of the file system, which others compare with their own clock. */
export async function touchClaimFile(disk: Disk, path: string): Promise<void> {
  const file = await disk.open(path, 'update');
  try {
    await file.truncate(await file.size());
  } finally {
    await file.close();
  }
}

/** Makes a lock file unless its name is taken, and says whether it did. The content is whole before the name exists. */
export async function createClaimFile(disk: Disk, path: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(disk, path, text);
  try {
    await disk.link(temporary, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw lacksHardLinks(error) ? withoutLinks(path, error) : toDiskError(error, path, 'write');
  } finally {
    // A stale file does no harm, and whether the link was made matters more.
    await disk.unlink(temporary).catch(() => undefined);
  }
}

export async function replaceClaimFile(disk: Disk, path: string, text: string): Promise<void> {
  const temporary = await writeTemporary(disk, path, text);
  try {
    await disk.rename(temporary, path);
  } catch (error) {
    throw toDiskError(error, path, 'write');
  }
}

export async function readClaimFile(disk: Disk, path: string): Promise<Buffer | undefined> {
  try {
    return await disk.readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw toDiskError(error, path, 'read');
  }
}

/** Whether it was there. */
export async function removeClaimFile(disk: Disk, path: string): Promise<boolean> {
  try {
    await disk.unlink(path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return false;
    throw toDiskError(error, path, 'remove');
  }
}

/** The error for a caller that does not get a lock. */
export function locked(path: string, message: string) {
  return failure('vault/locked', path, message, { file: path });
}

/** The last resort if the system refuses to remove or replace a lock file: an empty one means a free lock as well. */
export async function emptyClaimFile(disk: Disk, path: string): Promise<boolean> {
  try {
    const file = await disk.open(path, 'update');
    await file.truncate(0).finally(() => file.close());
    return true;
  } catch {
    // What went wrong first is what the caller wants to know.
    return false;
  }
}

async function writeTemporary(disk: Disk, path: string, text: string): Promise<string> {
  const temporary = join(dirname(path), `.${basename(path)}.${randomBytes(8).toString('hex')}.tmp`);
  try {
    const file = await disk.open(temporary, 'exclusive', 0o600);
    try {
      await writeFully(file, Buffer.from(text));
    } finally {
      await file.close();
    }
    return temporary;
  } catch (error) {
    // As above: a stale file does no harm, and what went wrong first is what the caller wants to know.
    await disk.unlink(temporary).catch(() => undefined);
    throw toDiskError(error, path, 'write');
  }
}
