import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Disposable } from '../base/disposable.ts';
import type { RavelError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Caller } from '../base/processes.ts';
import type { Api } from '../model/protocol.ts';

/** Where text goes. `isTty` and `columns` say how it may look there. */
export interface Output {
  write(text: string): void;
  readonly isTty: boolean;
  readonly columns: number;
}

export interface Input {
  readonly isTty: boolean;
  /** All of standard input as text. */
  readAll(): Promise<string>;
  /** One line that a person types after `prompt`; undefined when the input ended. */
  ask(prompt: string): Promise<string | undefined>;
}

export type Interrupt = 'SIGINT' | 'SIGTERM';

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

/** What the command line needs of the core's side; `main.ts` binds it, and loads it only when it is used. */
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
  createVault(root: string, name: string): Promise<void>;
  /** Runs git in a folder and gives its standard output. */
  git(directory: string, args: readonly string[]): Promise<string>;
}

/** The outside world of the command line. */
export interface Ports {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly workingDirectory: string;
  readonly temporaryDirectory: string;
  /** Where the package lies: the folder that holds `demo/` and `dist/`. */
  readonly packageRoot: string;
  readonly version: string;
  /** Of the Node that runs this. */
  readonly nodeVersion: string;
  readonly stdin: Input;
  readonly stdout: Output;
  readonly stderr: Output;
  readonly clock: Clock;
  readonly disk: Disk;
  readonly log: Logger;
  readonly core: CorePort;
  onInterrupt(listener: (signal: Interrupt) => void): Disposable;
  /** Opens files together in the person's editor; resolves with its exit code, or throws `cli/noEditor`. */
  runEditor(files: readonly string[]): Promise<number>;
}
