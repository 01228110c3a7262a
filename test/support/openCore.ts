import { join, resolve } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessTable, Spawn } from '../../src/base/processes.ts';
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
  /**
   * Whether sessions of the scripted harness are played inside this process, which is much faster (unless told), or are
   * processes of their own, for tests that are about processes and for programs that are bundled with this file.
   */
  readonly sessions?: 'processes' | 'inProcess';
  readonly spawn?: Spawn;
  readonly processes?: ProcessTable;
  /** Nothing is watched without it. */
  readonly watchTree?: WatchTree;
  /** What an owner lets go before its watching. */
  readonly firstLook?: Promise<unknown>;
  /** An owner does not verify the vault at its start. */
  readonly verifiesItself?: boolean;
}

/** A core over a vault, in this process; sessions start the built command line, unless they are played in this process. */
export async function openCore(
  place: { readonly vault: string; readonly environment: Readonly<Record<string, string>> },
  options: OpenOptions = {},
): Promise<Core> {
  const disk = options.disk ?? nodeDisk;
  const packageRoot = options.packageRoot ?? resolve(import.meta.dirname, '../..');
  const { entry = join(packageRoot, 'dist/ravel.mjs') } = options;
  const played = options.sessions === 'processes' ? undefined : await loadSessions();
  const { spawn = played?.spawn, processes = played?.processes.table() ?? createProcesses(nodeDisk) } = options;
  const core = await createCore({
    vault: place.vault,
    role: options.role ?? 'owner',
    disk,
    clock: options.clock ?? systemClock,
    processes,
    ...(spawn !== undefined && { spawn }),
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
  if (played === undefined) return core;
  const door = played.openDoor(core.socketPath, core.api);
  return {
    ...core,
    async stop() {
      door.close('goodbye');
      await core.stop();
    },
  };
}

/** Programs that are bundled with this file do without it. */
async function loadSessions() {
  return (await import('./inProcessSessions.ts')).inProcessSessions;
}
