import { join } from 'node:path';
import type { Disk } from '../base/disk.ts';
import { systemCode } from '../base/errors.ts';
import { isRecord } from '../base/json.ts';

const lockName = /^daemon\.lock\.(\d+)$/;

/**
 * Where the owner of a vault listens for sessions now, by the lock file of the highest generation; undefined while the
 * vault has no owner. The session tools start in a tenth of a second and load no code of the vault, so this one file is
 * read here.
 */
export async function readOwnerSocket(disk: Disk, vault: string): Promise<string | undefined> {
  const runtime = join(vault, 'runtime');
  try {
    const names = (await disk.readDirectory(runtime)).map((entry) => entry.name);
    const newest = names
      .map((name) => Number(lockName.exec(name)?.[1] ?? -1))
      .reduce((highest, generation) => Math.max(highest, generation), -1);
    if (newest < 0) return undefined;
    return socketIn((await disk.readFile(join(runtime, `daemon.lock.${newest}`))).toString('utf8'));
  } catch (error) {
    // A lock file vanishes when a newer one takes over; the next round finds that one.
    if (systemCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}

function socketIn(text: string): string | undefined {
  try {
    const lock: unknown = JSON.parse(text);
    const socket = isRecord(lock) ? (lock['session-socket'] ?? lock['socket']) : undefined;
    return typeof socket === 'string' ? socket : undefined;
  } catch {
    // Half written by an owner that died; its successor writes a newer one.
    return undefined;
  }
}
