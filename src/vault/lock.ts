import { basename, dirname } from 'node:path';
import { assert } from '../base/assert.ts';
import type { DirectoryEntry, Disk } from '../base/disk.ts';
import { toDiskError } from '../base/diskErrors.ts';
import { systemCode } from '../base/errors.ts';
import { ensureDirectory } from '../base/files.ts';
import type { ProcessIdentity } from '../base/processes.ts';
import { SerialQueue } from '../base/semaphore.ts';
import {
  type Claim,
  type ClaimPorts,
  createClaimFile,
  emptyClaimFile,
  formatClaim,
  isHeld,
  type LockInfo,
  locked,
  parseClaim,
  readClaimFile,
  removeClaimFile,
  replaceClaimFile,
  retryLater,
  touchClaimFile,
} from './claim.ts';

/**
 * A lock of generations: a process that links `<path>.<N+1>` while the holder of `<path>.<N>` is gone, and then sees
 * nothing higher, holds it. The invariant that makes this safe is that the highest file is never removed, so a slow
 * starter that links a number that was used before finds a higher one and withdraws. Nothing here is synced: after a
 * power cut the boot is another and every lock is free. `docs/design/ownership.md` explains the consequences.
 */
export interface LockOptions extends ClaimPorts {
  /** Without generation: `runtime/daemon.lock`, say. Its folder is made if need be. */
  readonly path: string;
  /** For others to read, such as where the holder listens. */
  readonly info?: LockInfo;
}

/** A living process that holds a lock. */
export interface LockHolder extends ProcessIdentity {
  readonly generation: number;
  readonly info: LockInfo;
}

export interface HeldLock {
  readonly generation: number;
  /** Replaces what others can read. */
  update(info: LockInfo): Promise<void>;
  /** Whether no other process has a higher generation; if so, touches the file of this one. Throws a disk error. */
  confirm(): Promise<boolean>;
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
    const generation = found.generation + 1;
    const claim: Claim = { identity: self, generation, info: options.info ?? {} };
    const path = generationPath(options.path, generation);
    if (!(await createClaimFile(options.disk, path, formatClaim(claim)))) continue;
    const lock = new GenerationLock(options, claim, generation);
    if (await prevails(options, lock)) return { held: true, lock };
    // This number was in use before and had become free; another process has a higher one by now.
    await removeClaimFile(options.disk, path);
  }
  throw locked(options.path, `Too many processes want ${options.path} at the same moment.`);
}

/** Who holds the lock; undefined when it is free: released, held by a dead process, or unreadable as a lock. */
export async function readHolder(options: Omit<LockOptions, 'info'>): Promise<LockHolder | undefined> {
  return (await findHighest(options)).holder;
}

/** Gives the lock up, now or as soon as the system lets it: what failed or was done under the lock counts, and not this. */
export async function releaseInTime(lock: HeldLock, clock: ClaimPorts['clock']): Promise<void> {
  const attempt = () => lock.release().then(() => true);
  // Why it could not be released is why it is tried again.
  await attempt().catch(() => retryLater(clock, attempt));
}

/** Each attempt fails only because another process got further, so only a defect leads to this many. */
const attemptsMax = 1000;

class GenerationLock implements HeldLock {
  readonly generation: number;
  readonly #disk: Disk;
  readonly #path: string;
  readonly #queue = new SerialQueue();
  #claim: Claim;
  #state: 'held' | 'released' = 'held';

  constructor(options: LockOptions, claim: Claim, generation: number) {
    this.generation = generation;
    this.#disk = options.disk;
    this.#path = generationPath(options.path, generation);
    this.#claim = claim;
  }

  update(info: LockInfo): Promise<void> {
    return this.#queue.run(async () => {
      assert(this.#state === 'held', 'only a held lock is updated');
      this.#claim = { ...this.#claim, info };
      await this.#rewrite(false);
    });
  }

  confirm(): Promise<boolean> {
    return this.#queue.run(async () => {
      const folder = dirname(this.#path);
      // If the folder is gone, with its vault, that does not mean that another process took the lock.
      const entries = await this.#disk.readDirectory(folder).catch((error: unknown) => {
        throw toDiskError(error, folder, 'read');
      });
      const lock = this.#path.slice(0, -`.${this.generation}`.length);
      if (Math.max(0, ...generationsAmong(entries, lock)) > this.generation) return false;
      if (this.#state === 'held') await touchClaimFile(this.#disk, this.#path);
      return true;
    });
  }

  release(): Promise<void> {
    return this.#queue.run(async () => {
      if (this.#state === 'released') return;
      try {
        await this.#rewrite(true);
      } catch (error) {
        // A full disk has no room for another file, but an empty one means a free lock as well.
        if (!(await emptyClaimFile(this.#disk, this.#path))) throw error;
      }
      this.#state = 'released';
    });
  }

  #rewrite(released: boolean): Promise<void> {
    return replaceClaimFile(this.#disk, this.#path, formatClaim(this.#claim, released));
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
    const path = generationPath(options.path, generation);
    const bytes = await readClaimFile(options.disk, path);
    // A highest file goes away only because a higher one has come.
    if (bytes === undefined) continue;
    const claim = parseClaim(bytes);
    if (claim === undefined || !(await isHeld(options, path, claim))) return { generation, holder: undefined };
    return { generation, holder: { generation, ...claim.identity, info: claim.info ?? {} } };
  }
  throw locked(options.path, `${options.path} changes hands without end.`);
}

async function prevails(options: LockOptions, lock: HeldLock): Promise<boolean> {
  try {
    return await isHighest(options, lock.generation);
  } catch (error) {
    // No process will hold this lock, but its file must not be removed, as it can be the highest.
    await releaseInTime(lock, options.clock);
    throw error;
  }
}

/** Judges by two listings, since one that runs while names change can miss both the old and the new; removes older files. */
async function isHighest(options: LockOptions, generation: number): Promise<boolean> {
  const seen = new Set([...(await listGenerations(options)), ...(await listGenerations(options))]);
  if (Math.max(...seen) > generation) return false;
  for (const older of seen) {
    if (older < generation) await removeClaimFile(options.disk, generationPath(options.path, older));
  }
  return true;
}

async function listGenerations({ disk, path }: Pick<LockOptions, 'disk' | 'path'>): Promise<number[]> {
  try {
    return generationsAmong(await disk.readDirectory(dirname(path)), path);
  } catch (error) {
    if (systemCode(error) !== 'ENOENT') throw toDiskError(error, dirname(path), 'read');
    await ensureDirectory(disk, dirname(path), 0o700);
    return [];
  }
}

function generationsAmong(entries: readonly DirectoryEntry[], path: string): number[] {
  const prefix = `${basename(path)}.`;
  const names = entries.map(({ name }) => name).filter((name) => name.startsWith(prefix));
  const suffixes = names.map((name) => name.slice(prefix.length));
  return suffixes.filter((suffix) => /^[1-9][0-9]{0,14}$/.test(suffix)).map(Number);
}

function generationPath(path: string, generation: number): string {
  return `${path}.${generation}`;
}
