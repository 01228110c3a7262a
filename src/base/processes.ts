/**
 * Who a process is. A pid alone is recycled; with its start time and the boot it belongs to, it is not.
 * `startTime` is an opaque text of the operating system.
 */
export interface ProcessIdentity {
  readonly pid: number;
  readonly startTime: string;
  readonly bootId: string;
}

/** The process table as a parameter. */
export interface Processes {
  self(): Promise<ProcessIdentity>;
  identify(pid: number): Promise<ProcessIdentity | undefined>;
  isAlive(identity: ProcessIdentity): Promise<boolean>;
}
