import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { assert } from '../base/assert.ts';
import { SerialQueue } from '../base/async.ts';
import { type Clock, delay } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { toDiskError } from '../base/diskErrors.ts';
import { systemCode } from '../base/errors.ts';
import { ensureDirectory, writeFully } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { Processes, ProcessIdentity } from '../base/processes.ts';
import { failure } from '../model/codes.ts';

/**
 * A lock of generations (design 4): whoever links `<path>.<N+1>` while the holder of `<path>.<N>` is gone, and then sees
 * nothing higher, holds it. The invariant that makes this safe is that the highest file is never removed, so a slow
 * starter that links a number that was used before finds a higher one and withdraws. Nothing here is synced: after a power
 * cut the boot is another and every lock is free.
 */
export interface LockOptions {
  readonly disk: Disk;
  readonly processes: Processes;
  /** Without generation: `runtime/daemon.lock`, say. Its folder is made if need be. */
  readonly path: string;
  /** For others to read, such as where the holder listens. */
  readonly info?: LockInfo;
}

export type LockInfo = Readonly<Record<string, string>>;

/** A living process that holds a lock. */
export interface LockHolder extends ProcessIdentity {
  readonly generation: number;
  readonly info: LockInfo;
}

export interface HeldLock {
  readonly generation: number;
  /** Replaces what others can read. */
  update(info: LockInfo): Promise<void>;
  /** Gives the lock up. Doing so twice is fine. */
  release(): Promise<void>;
}

export type Acquired =
  | { readonly held: true; readonly lock: HeldLock }
  | { readonly held: false; readonly holder: LockHolder };

/** Takes the lock if it is free. Throws a disk error when the folder cannot be read or written. */
export async function acquireLock(options: LockOptions): Promise<Acquired> {
  const self = await options.processes.self();
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const found = await findHighest(options);
    if (found.holder !== undefined) return { held: false, holder: found.holder };
    const claim: Claim = { identity: self, generation: found.generation + 1, info: options.info ?? {} };
    if (!(await linkClaim(options, claim))) continue;
    const lock = new FileLock(options, claim);
    if (await prevails(options, lock)) return { held: true, lock };
    // A number that was in use before had become free; somebody went past it meanwhile.
    await unlinkIfExists(options.disk, generationPath(options.path, claim.generation));
  }
  throw failure('vault/locked', options.path, `Too many processes want ${options.path} at the same moment.`, {
    file: options.path,
  });
}

/** Who holds the lock; undefined when it is free: released, held by a dead process, or unreadable as a lock. */
export async function readHolder(options: Omit<LockOptions, 'info'>): Promise<LockHolder | undefined> {
  return (await findHighest(options)).holder;
}

export interface WithLockOptions extends LockOptions {
  readonly clock: Clock;
  readonly timeoutMs: number;
}

/** Does `work` under the lock; waits for it at most `timeoutMs`, then throws `vault/locked`. */
export async function withLock<T>(options: WithLockOptions, work: () => Promise<T>): Promise<T> {
  const lock = await waitForLock(options);
  let result: T;
  try {
    result = await work();
  } catch (error) {
    // What went wrong in the work is what the caller must hear of; an unreleased lock ends with this process.
    await lock.release().catch(() => undefined);
    throw error;
  }
  await lock.release();
  return result;
}

/** Each attempt fails only because somebody else got further, so this many never happen but by a defect. */
const attemptsMax = 1000;
const waitMinMs = 2;
const waitMaxMs = 100;

interface Claim {
  readonly identity: ProcessIdentity;
  readonly generation: number;
  readonly info: LockInfo;
}

const lockFileSchema = z
  .object({
    generation: z.int(),
    pid: z.int(),
    startTime: z.string(),
    bootId: z.string(),
    released: z.boolean().optional(),
  })
  .catchall(z.unknown());

const ownKeys = new Set(Object.keys(lockFileSchema.shape));

class FileLock implements HeldLock {
  readonly generation: number;
  readonly #disk: Disk;
  readonly #path: string;
  readonly #identity: ProcessIdentity;
  readonly #queue = new SerialQueue();
  #info: LockInfo;
  #state: 'held' | 'released' = 'held';

  constructor(options: LockOptions, claim: Claim) {
    this.generation = claim.generation;
    this.#disk = options.disk;
    this.#path = generationPath(options.path, claim.generation);
    this.#identity = claim.identity;
    this.#info = claim.info;
  }

  update(info: LockInfo): Promise<void> {
    return this.#queue.run(async () => {
      assert(this.#state === 'held', 'only a held lock is updated');
      this.#info = info;
      await this.#rewrite(false);
    });
  }

  release(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#state === 'released') return;
      try {
        await this.#rewrite(true);
      } catch (error) {
        // A full disk has no room for another file; but one that is empty is held by nobody either.
        if (!(await this.#empty())) throw error;
      }
      this.#state = 'released';
    });
  }

  async #empty(): Promise<boolean> {
    try {
      const file = await this.#disk.open(this.#path, 'update');
      await file.truncate(0).finally(() => file.close());
      return true;
    } catch {
      // What went wrong first is what the caller wants to know.
      return false;
    }
  }

  async #rewrite(released: boolean): Promise<void> {
    const claim = { identity: this.#identity, generation: this.generation, info: this.#info };
    const temporary = await writeTemporary(this.#disk, this.#path, formatClaim(claim, released));
    try {
      await this.#disk.rename(temporary, this.#path);
    } catch (error) {
      throw toDiskError(error, this.#path, 'write');
    }
  }
}

async function waitForLock(options: WithLockOptions): Promise<HeldLock> {
  const { clock, timeoutMs, path } = options;
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  for (let waitMs = waitMinMs; ; waitMs = Math.min(waitMs * 2, waitMaxMs)) {
    const acquired = await acquireLock(options);
    if (acquired.held) return acquired.lock;
    const leftMs = deadlineMs - clock.monotonicMs();
    if (leftMs <= 0) {
      const message = `${path} is held by process ${acquired.holder.pid}.`;
      throw failure('vault/locked', path, message, { file: path });
    }
    await delay(clock, Math.min(waitMs, leftMs));
  }
}

interface Found {
  /** 0 when there never was a lock. */
  readonly generation: number;
  readonly holder: LockHolder | undefined;
}

async function findHighest(options: Omit<LockOptions, 'info'>): Promise<Found> {
  for (let attempt = 0; attempt < attemptsMax; attempt++) {
    const generation = Math.max(0, ...(await listGenerations(options)));
    if (generation === 0) return { generation, holder: undefined };
    const bytes = await readIfExists(options.disk, generationPath(options.path, generation));
    // A highest file goes away only because a higher one has come.
    if (bytes === undefined) continue;
    const holder = parseHolder(bytes, generation);
    const isHeld = holder !== undefined && (await options.processes.isAlive(holder));
    return { generation, holder: isHeld ? holder : undefined };
  }
  throw failure('vault/locked', options.path, `${options.path} changes hands without end.`, { file: options.path });
}

/** Undefined for a lock that was released, and for anything that is no lock file: nobody can be said to hold it. */
function parseHolder(bytes: Buffer, generation: number): LockHolder | undefined {
  const parsed = lockFileSchema.safeParse(parseJson(bytes.toString('utf8')));
  if (!parsed.success || parsed.data.released === true) return undefined;
  const { pid, startTime, bootId, ...rest } = parsed.data;
  const info: Record<string, string> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (!ownKeys.has(key) && typeof value === 'string') info[key] = value;
  }
  return { generation, pid, startTime, bootId, info };
}

function formatClaim(claim: Claim, released: boolean): string {
  for (const key of Object.keys(claim.info)) assert(!ownKeys.has(key), `a lock says "${key}" by itself`);
  const { pid, startTime, bootId } = claim.identity;
  const own = { generation: claim.generation, pid, startTime, bootId, ...(released ? { released } : {}) };
  return `${JSON.stringify({ ...own, ...claim.info })}\n`;
}

/** Whether the claim's number was free. The content is whole before the name exists. */
async function linkClaim(options: LockOptions, claim: Claim): Promise<boolean> {
  const { disk } = options;
  const path = generationPath(options.path, claim.generation);
  const temporary = await writeTemporary(disk, path, formatClaim(claim, false));
  try {
    await disk.link(temporary, path);
    return true;
  } catch (error) {
    if (systemCode(error) === 'EEXIST') return false;
    throw toDiskError(error, path, 'write');
  } finally {
    // A leftover does no harm, and whether the link was made matters more.
    await disk.unlink(temporary).catch(() => undefined);
  }
}

async function prevails(options: LockOptions, lock: HeldLock): Promise<boolean> {
  try {
    return await isHighest(options, lock.generation);
  } catch (error) {
    // Nobody will hold this lock, and as it may be the highest it must not be removed.
    await lock.release().catch(() => undefined);
    throw error;
  }
}

/** Judges by two listings, since one that runs while names change can miss both the old and the new; removes older files. */
async function isHighest(options: LockOptions, generation: number): Promise<boolean> {
  const seen = new Set([...(await listGenerations(options)), ...(await listGenerations(options))]);
  if (Math.max(...seen) > generation) return false;
  for (const older of seen) {
    if (older < generation) await unlinkIfExists(options.disk, generationPath(options.path, older));
  }
  return true;
}

async function listGenerations({ disk, path }: Pick<LockOptions, 'disk' | 'path'>): Promise<number[]> {
  const prefix = `${basename(path)}.`;
  try {
    const names = (await disk.readDirectory(dirname(path))).map((entry) => entry.name);
    const suffixes = names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
    return suffixes.filter((suffix) => /^[1-9][0-9]{0,14}$/.test(suffix)).map(Number);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw toDiskError(error, dirname(path), 'read');
    await ensureDirectory(disk, dirname(path), 0o700);
    return [];
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
    // As above: a leftover does no harm, and what went wrong first is what the caller wants to know.
    await disk.unlink(temporary).catch(() => undefined);
    throw toDiskError(error, path, 'write');
  }
}

async function readIfExists(disk: Disk, path: string): Promise<Buffer | undefined> {
  try {
    return await disk.readFile(path);
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return undefined;
    throw toDiskError(error, path, 'read');
  }
}

async function unlinkIfExists(disk: Disk, path: string): Promise<void> {
  try {
    await disk.unlink(path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw toDiskError(error, path, 'remove');
  }
}

function generationPath(path: string, generation: number): string {
  return `${path}.${generation}`;
}
