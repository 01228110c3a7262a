import { randomBytes } from 'node:crypto';
import { basename, dirname, join } from 'node:path';
import * as z from 'zod';
import { assert } from '../base/assert.ts';
import type { Disk } from '../base/disk.ts';
import { toDiskError } from '../base/diskErrors.ts';
import { systemCode } from '../base/errors.ts';
import { writeFully } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import type { ProcessIdentity } from '../base/processes.ts';
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
    released: z.boolean().optional(),
  })
  .catchall(z.unknown());

const ownKeys = new Set(Object.keys(claimSchema.shape));

/** Undefined for a lock that was released, and for anything that is no lock file: nobody can be said to hold it. */
export function parseClaim(bytes: Buffer): Claim | undefined {
  const parsed = claimSchema.safeParse(parseJson(bytes.toString('utf8')));
  if (!parsed.success || parsed.data.released === true) return undefined;
  const { pid, startTime, bootId, generation, ...rest } = parsed.data;
  const info: Record<string, string> = {};
  for (const [key, value] of Object.entries(rest)) {
    if (!ownKeys.has(key) && typeof value === 'string') info[key] = value;
  }
  return { identity: { pid, startTime, bootId }, ...(generation !== undefined && { generation }), info };
}

export function formatClaim({ identity, generation, info = {} }: Claim, released = false): string {
  for (const key of Object.keys(info)) assert(!ownKeys.has(key), `a lock says "${key}" by itself`);
  const { pid, startTime, bootId } = identity;
  const own = { generation, pid, startTime, bootId, ...(released ? { released } : {}) };
  return `${JSON.stringify({ ...own, ...info })}\n`;
}

/** Makes a lock file unless its name is taken, and says whether it did. The content is whole before the name exists. */
export async function createClaimFile(disk: Disk, path: string, text: string): Promise<boolean> {
  const temporary = await writeTemporary(disk, path, text);
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

/** The error of whoever does not get a lock. */
export function locked(path: string, message: string) {
  return failure('vault/locked', path, message, { file: path });
}

/** What is left to do where the system refuses to remove or replace a file: one that is empty is held by nobody either. */
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
    // As above: a leftover does no harm, and what went wrong first is what the caller wants to know.
    await disk.unlink(temporary).catch(() => undefined);
    throw toDiskError(error, path, 'write');
  }
}
