import { spawn as systemSpawn } from 'node:child_process';
import { join, resolve } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Disk } from '../../src/base/disk.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessTable, Spawn } from '../../src/base/processes.ts';
import { type Core, createCore } from '../../src/core.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import type { ProgramStart } from '../../src/model/programStart.ts';
import { sessionApi } from '../../src/server/sessionApi.ts';
import type { WatchTree } from '../../src/vault/watcher.ts';
import type { Life } from './life.ts';
import { missingConfiner, noConfiner } from './noConfiner.ts';

export interface OpenOptions {
  /** The folder of this package; found by itself unless this code was bundled elsewhere. */
  readonly packageRoot?: string;
  /** The program that sessions start for their tools; the built command line unless told. */
  readonly entry?: string | ProgramStart;
  readonly role?: 'owner' | 'local';
  readonly disk?: Disk;
  readonly clock?: Clock;
  /**
   * Whether sessions of the scripted harness are played inside this process, which is much faster (unless told), or are
   * processes of their own, for tests that are about processes and for programs that are bundled with this file.
   */
  readonly sessions?: 'processes' | 'inProcess';
  /** Owns the vault only as long as this lasts, as a process of its own that can be killed; its sessions are played here. */
  readonly life?: Life;
  readonly spawn?: Spawn;
  /** Whether what sessions run is in the sandbox of this machine, which may have none; without it it is in none. */
  readonly sandbox?: true | 'missing';
  readonly processes?: ProcessTable;
  /** Nothing is watched without it. */
  readonly watchTree?: WatchTree;
  /** What an owner lets go before its watching. */
  readonly backgroundAfter?: Promise<unknown>;
  readonly random?: (count: number) => Uint8Array;
  /** The core is given back while its owner still settles what an earlier one left. */
  readonly isEarly?: true;
  /** An owner does not verify the vault at its start. */
  readonly verifiesItself?: boolean;
}

/** A core over a vault, in this process; sessions start the built command line, unless they are played in this process. */
export async function openCore(
  place: { readonly vault: string; readonly environment: Readonly<Record<string, string>> },
  options: OpenOptions = {},
): Promise<Core> {
  const { life } = options;
  const played = options.sessions === 'processes' ? undefined : await loadSessions();
  // An owner with a life of its own is a process of its own to the others; any other is the test's process, so that
  // programs which the test starts see that it lives.
  const owner = life === undefined ? undefined : played?.processes.addOwner();
  const ports = portsOf({ spawn: played?.spawn, processes: owner?.table ?? played?.processes.table(), ...options });
  const packageRoot = options.packageRoot ?? resolve(import.meta.dirname, '../..');
  const { entry = join(packageRoot, 'dist/ravel.mjs') } = options;
  life?.onEnd(() => owner?.end());
  const core = await createCore({
    ...ports,
    vault: place.vault,
    role: options.role ?? 'owner',
    environment: place.environment,
    log: silentLogger,
    version: '0.0.0',
    entry: typeof entry === 'string' ? { program: process.execPath, args: [entry] } : entry,
    packageRoot,
    socketPath: join(place.vault, 'runtime', 'daemon.sock'),
    ...(options.sandbox !== true && { confiner: options.sandbox === 'missing' ? missingConfiner : noConfiner }),
    ...(options.watchTree !== undefined && { watchTree: options.watchTree }),
    ...(options.random !== undefined && { random: options.random }),
    ...(options.backgroundAfter !== undefined && { backgroundAfter: options.backgroundAfter }),
    ...(options.verifiesItself !== undefined && { verifiesItself: options.verifiesItself }),
  });
  if (options.isEarly !== true) await settledStart(core);
  if (played === undefined) return core;
  const door = played.openDoor(core.sessionSocketPath, sessionApi(core.api));
  life?.onEnd(() => door.close('lost'));
  const stop = async (): Promise<void> => {
    door.close('goodbye');
    await core.stop();
    owner?.end();
  };
  let stopped: Promise<void> | undefined;
  return {
    ...core,
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** Tests begin where nothing of an earlier owner is under way any more, unless they are about that. */
async function settledStart(core: Core): Promise<void> {
  try {
    await core.recovered;
  } catch (error) {
    await core.stop();
    throw error;
  }
}

/** What the core touches the world by, bounded by its life where it has one. */
function portsOf({ disk = nodeDisk, clock = systemClock, spawn, processes = createProcesses(nodeDisk), life }: Ports) {
  if (life === undefined) return { disk, clock, processes, ...(spawn !== undefined && { spawn }) };
  return {
    disk: life.disk(disk),
    clock: life.clock(clock),
    processes: life.processes(processes),
    spawn: life.spawn(spawn ?? systemSpawn),
  };
}

interface Ports extends Pick<OpenOptions, 'disk' | 'clock' | 'life'> {
  readonly spawn: Spawn | undefined;
  readonly processes: ProcessTable | undefined;
}

/** Programs that are bundled with this file do without it. */
async function loadSessions() {
  return (await import('./inProcessSessions.ts')).inProcessSessions;
}
