import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { RavelError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Caller } from '../base/processes.ts';
import type { Api } from '../model/protocol.ts';

/** `owner` takes the vault's lock, `local` takes none and serves single requests. */
export type CoreRole = 'owner' | 'local';

export interface RunningCore {
  readonly api: Api;
  readonly socketPath: string;
  readonly sessionSocketPath: string;
  /** Another process has taken the vault. */
  readonly lost?: Promise<RavelError>;
  stop(): Promise<void>;
}

/** The core as the command line and the editor reach it; its code is loaded only when it is used. */
export interface CorePort {
  findVault(flag: string | undefined): Promise<string>;
  /** The owner that lives, if any. */
  findOwner(vault: string): Promise<{ readonly socketPath: string; readonly pid: number } | undefined>;
  /** Rejects with `vault/owned` when `role` is `owner` and another owner lives. */
  open(vault: string, role: CoreRole): Promise<RunningCore>;
  /** A session of this vault that this process runs below, as far as that shows. */
  sessionAround(vault: string): Promise<string | undefined>;
  /** Who made a connection to this process, by the descriptor of its end; undefined for one that is closed. */
  identify(vault: string, descriptor: number | undefined): Promise<Caller>;
  /** Makes nothing, and throws `expert/unknown`, unless an expert of each of these ids comes with Ravel. */
  createVault(root: string, name: string, experts?: readonly string[]): Promise<void>;
  /** Runs git in a folder and gives its standard output. */
  git(directory: string, args: readonly string[]): Promise<string>;
}

/** What opening a vault needs of the outside world. */
export interface AccessPorts {
  readonly clock: Clock;
  readonly disk: Disk;
  readonly log: Logger;
  readonly core: CorePort;
}
