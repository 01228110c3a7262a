import type { ChildProcess, SpawnOptions } from 'node:child_process';

/**
 * Who a process is. A pid alone is recycled; with its start time and the boot it belongs to, it is not.
 * `startTime` is an opaque text of the operating system, and so is `namespace`: which processes there are differs between
 * containers of one machine. Without it, all processes of a boot see each other.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
  readonly namespace?: string;
}

/** The process table as a parameter. */
export interface Processes {
  /** With its namespace, if the system has any. */
  self(): Promise<ProcessIdentity>;
  identify(pid: number): Promise<ProcessIdentity | undefined>;
  isAlive(identity: ProcessIdentity): Promise<boolean>;
}

/** One process that runs; zombies are left out. */
export interface ProcessRow {
  readonly pid: number;
  readonly group: number;
  readonly carriesSession: boolean;
}

/** A session's mark in the environment of its processes. */
export interface SessionMark {
  readonly session: string;
  readonly variable: string;
  /** The start of the session's first process, if it is known: a process that is older carries no session. */
  readonly since?: string;
}

/** A process table that also lists and signals processes. */
export interface ProcessTable extends Processes {
  /** At least the processes that carry the session, and those of their groups. */
  list(mark: SessionMark): Promise<ProcessRow[]>;
  /** Whether any process has this number now, a zombie too. Reads no file and runs no program. */
  hasPid(pid: number): boolean;
  /** Throws what the operating system throws: ESRCH for a process that is gone, EPERM for one of another user. */
  signal(pid: number, signal: NodeJS.Signals): void;
}

/** Starts a program as `spawn` of Node does. */
export type Spawn = (program: string, args: readonly string[], options: SpawnOptions) => ChildProcess;

/** Who a process is to a vault: one below a session of it, one that ended before it could be looked up, or any other. */
export type Caller =
  | { readonly kind: 'session'; readonly session: string }
  | { readonly kind: 'gone' }
  | { readonly kind: 'other' };
