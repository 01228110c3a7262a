import type { Disk } from '../base/disk.ts';
import { exists } from '../base/files.ts';
import { isUlid } from '../model/id.ts';
import { VaultLayout } from '../vault/layout.ts';

/** Whether a vault has a session of that id, running or over; those of another vault do not count. */
export async function isSessionOf(disk: Disk, vault: string, session: string): Promise<boolean> {
  return isUlid(session) && exists(disk, new VaultLayout(vault).session(session));
}
