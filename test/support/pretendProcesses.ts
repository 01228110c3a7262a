import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessIdentity, ProcessTable } from '../../src/base/processes.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { systemError } from './tracingDisk.ts';

/** Something in the test's own process that passes for a process of its own. */
export interface PretendProcess {
  readonly isAlive: () => boolean;
  readonly signal: (signal: NodeJS.Signals) => void;
}

/** A session whose leader is a pretended process; `groups` are real process groups that it started. */
export interface PretendSession {
  readonly pid: number;
  readonly groups: () => readonly number[];
}

const real = createProcesses(nodeDisk);
/** Above every number that an operating system gives a process, so a pretended one is never a real one. */
const firstPid = 1_000_000_000;

/**
 * The process table of the machine with pretended processes in it. A signal for one of them reaches what plays it and
 * never the operating system.
 */
export class PretendProcesses {
  readonly #processes = new Map<number, PretendProcess>();
  readonly #sessions = new Map<string, PretendSession>();
  #nextPid = firstPid;

  /** The new process's number. */
  add(process: PretendProcess): number {
    const pid = this.#nextPid++;
    this.#processes.set(pid, process);
    return pid;
  }

  /** An owner of a vault, for what others see of its locks: it lives until its end, and cannot be signalled. */
  addOwner(): { readonly table: ProcessTable; end(): void } {
    let isAlive = true;
    const pid = this.add({ isAlive: () => isAlive, signal: () => undefined });
    return {
      table: this.table(pid),
      end: () => {
        isAlive = false;
      },
    };
  }

  addSession(session: string, members: PretendSession): void {
    this.#sessions.set(session, members);
  }

  async identityOf(pid: number): Promise<ProcessIdentity> {
    const { bootId } = await real.self();
    return { pid, startTime: `${pid}`, bootId };
  }

  /** The table as the pretended process `self` sees it, or else the test's own. */
  table(self?: number): ProcessTable {
    const identify = async (pid: number): Promise<ProcessIdentity | undefined> => {
      if (pid < firstPid) return real.identify(pid);
      return this.#processes.get(pid)?.isAlive() === true ? this.identityOf(pid) : undefined;
    };
    return {
      identify,
      self: () => (self === undefined ? real.self() : this.identityOf(self)),
      isAlive: async (identity) => {
        if (identity.pid < firstPid) return real.isAlive(identity);
        return (await identify(identity.pid))?.startTime === identity.startTime;
      },
      hasPid: (pid) => (pid < firstPid ? real.hasPid(pid) : this.#processes.get(pid)?.isAlive() === true),
      list: async (mark) => {
        const session = this.#sessions.get(mark.session);
        if (session === undefined) return real.list(mark);
        const pids = [session.pid].filter((pid) => this.#processes.get(pid)?.isAlive());
        return [...pids, ...session.groups()].map((pid) => ({ pid, group: session.pid, carriesSession: true }));
      },
      signal: (pid, signal) => {
        if (pid >= firstPid) this.#signal(pid, signal);
        else if (this.#isGroup(pid)) process.kill(-pid, signal);
        else real.signal(pid, signal);
      },
    };
  }

  #signal(pid: number, signal: NodeJS.Signals): void {
    const process = this.#processes.get(pid);
    if (process?.isAlive() !== true) throw systemError('ESRCH');
    process.signal(signal);
  }

  #isGroup(pid: number): boolean {
    return [...this.#sessions.values()].some(({ groups }) => groups().includes(pid));
  }
}
