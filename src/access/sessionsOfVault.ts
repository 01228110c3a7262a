import type { Disk } from '../base/disk.ts';
import { exists } from '../base/files.ts';
import { isUlid } from '../model/id.ts';
import { VaultLayout } from '../vault/layout.ts';

/**
 * Whether a vault has a session of that id, running or over; those of another vault do not count, unless they are of a
 * rehearsal of this one, which `rehearsed` names.
 */
export async function isSessionOf(
  disk: Disk,
  vault: string,
  session: string,
  rehearsed: string | undefined,
): Promise<boolean> {
  if (!isUlid(session)) return false;
  if (rehearsed !== undefined && (await isSameFolder(disk, rehearsed, vault))) return true;
  return exists(disk, new VaultLayout(vault).session(session));
}

async function isSameFolder(disk: Disk, one: string, other: string): Promise<boolean> {
  if (one === other) return true;
  const [first, second] = await Promise.all([one, other].map((path) => disk.realPath(path).catch(() => undefined)));
  return first !== undefined && first === second;
}
