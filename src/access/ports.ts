import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { RavelError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Caller } from '../base/processes.ts';
import type { HarnessName } from '../model/harnesses.ts';
import type { QualifiedId } from '../model/id.ts';
import type { Api } from '../model/protocol.ts';
import type { CopiedPlace, RehearsalCopy, RehearsedSource, StateRecords, Withhold } from '../model/rehearsal.ts';

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

export interface RehearsalRequest {
  /** Absolute path of the vault. */
  readonly vault: string;
  /** The plan as a person names it. */
  readonly plan: string;
  readonly harness: HarnessName;
  readonly bytesMax: number;
  /** The size of what is about to be copied. */
  readonly onCopying?: ((size: { readonly files: number; readonly bytes: number }) => void) | undefined;
}

/** A plan with its project and vault on a copy, which nothing but its `remove` and the plan's own run changes. */
export interface PreparedRehearsal {
  readonly plan: QualifiedId;
  /** Folder of the original project. */
  readonly project: string;
  /** The copied vault, absolute. */
  readonly vault: string;
  readonly places: readonly CopiedPlace[];
  readonly copy: RehearsalCopy;
  /** What the harness writes outside the copy all the same, as a sentence. */
  readonly outside?: string;
  /** Becomes the owner of the copied vault, and sends none of the plan's messages. */
  open(withhold: Withhold): Promise<RunningCore>;
  /** Tasks and entries of the copied plan as they are now; none of a file that cannot be read. */
  records(): Promise<StateRecords>;
  source(): Promise<RehearsedSource>;
  /** Leaves the folder to the person, and tells where it is. */
  keep(): Promise<string>;
  remove(): Promise<void>;
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
  /** Copies a plan's project and vault to a temporary place, after removing what rehearsals that were killed left. */
  prepareRehearsal(request: RehearsalRequest, signal: AbortSignal): Promise<PreparedRehearsal>;
  /** Folders that rehearsals of this user left because they were killed, by their paths. */
  staleRehearsals(): Promise<readonly string[]>;
  /** Removes them, and tells which are gone. */
  removeStaleRehearsals(): Promise<readonly string[]>;
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
