import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Processes } from '../base/processes.ts';
import { VaultLayout } from './layout.ts';
import { readHolder } from './lock.ts';

/** The process that owns the vault, if one does and lives. What only asks it loads this file, and no core. */
export async function findOwner(options: {
  readonly vault: string;
  readonly disk: Disk;
  readonly processes: Processes;
  readonly clock: Clock;
  readonly answers?: (socketPath: string) => Promise<boolean>;
}): Promise<{ readonly socketPath: string; readonly pid: number } | undefined> {
  const { ownerLock } = new VaultLayout(options.vault);
  const holder = await readHolder({ ...options, path: ownerLock });
  const socketPath = holder?.info['socket'];
  return holder === undefined || socketPath === undefined ? undefined : { socketPath, pid: holder.pid };
}
