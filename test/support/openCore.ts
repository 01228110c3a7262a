import { join, resolve } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type Core, createCore } from '../../src/core.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import type { Entry } from '../../src/harness/scripted.ts';
import type { WatchTree } from '../../src/vault/watcher.ts';

export interface OpenOptions {
  /** The folder of this package; found by itself unless this code was bundled elsewhere. */
  readonly packageRoot?: string;
  /** The program that sessions start for their tools; the built command line unless told. */
  readonly entry?: string | Entry;
  readonly role?: 'owner' | 'local';
  readonly disk?: Disk;
  readonly clock?: Clock;
  /** Nothing is watched without it. */
  readonly watchTree?: WatchTree;
  /** What an owner lets go before its watching. */
  readonly firstLook?: Promise<unknown>;
  /** An owner does not verify the vault at its start. */
  readonly verifiesItself?: boolean;
}

/** A core over a vault, in this process; sessions start the built command line. */
export function openCore(
  place: { readonly vault: string; readonly environment: Readonly<Record<string, string>> },
  options: OpenOptions = {},
): Promise<Core> {
  const disk = options.disk ?? nodeDisk;
  const packageRoot = options.packageRoot ?? resolve(import.meta.dirname, '../..');
  const { entry = join(packageRoot, 'dist/ravel.mjs') } = options;
  return createCore({
    vault: place.vault,
    role: options.role ?? 'owner',
    disk,
    clock: options.clock ?? systemClock,
    processes: createProcesses(nodeDisk),
    environment: place.environment,
    log: silentLogger,
    version: '0.0.0',
    entry: typeof entry === 'string' ? { program: process.execPath, args: [entry] } : entry,
    packageRoot,
    socketPath: join(place.vault, 'runtime', 'daemon.sock'),
    ...(options.watchTree !== undefined && { watchTree: options.watchTree }),
    ...(options.firstLook !== undefined && { firstLook: options.firstLook }),
    ...(options.verifiesItself !== undefined && { verifiesItself: options.verifiesItself }),
  });
}
