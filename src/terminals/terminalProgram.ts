import type { Clock } from '../base/clock.ts';
import { formatTimestamp } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import type { Disposable } from '../base/disposable.ts';
import { readText, writeAtomic } from '../base/files.ts';
import type { Processes, ProcessIdentity } from '../base/processes.ts';
import {
  type TerminalExit,
  type TerminalJob,
  type TerminalRecord,
  terminalJobSchema,
  terminalVariable,
} from '../model/terminal.ts';
import { loadPty, type Pty } from './pty.ts';
import { TerminalHost } from './terminalHost.ts';
import { serveTerminal } from './terminalServer.ts';

/** The outside world of the process that holds one terminal. */
export interface TerminalPorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: Processes;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Ends the group that `pid` leads, and whatever carries the terminal in its environment. */
  readonly endGroup: (group: {
    readonly pid: number;
    readonly terminal: string;
    readonly leader: ProcessIdentity | undefined;
  }) => Promise<void>;
  /** Calls back when this process is asked to end. */
  readonly onTerminate: (listener: () => void) => void;
  /** Whether the vault has an owner just now. */
  readonly hasOwner: (vault: string) => Promise<boolean>;
}

/**
 * Holds the pseudo-terminal of one program: the owner of the vault and every window can come and go meanwhile. Resolves
 * with the program's exit code, as a shell counts it.
 */
export async function runTerminal(jobFile: string, ports: TerminalPorts): Promise<number> {
  const { disk, clock, processes } = ports;
  const job = terminalJobSchema.parse(JSON.parse(await readText(disk, jobFile)));
  // That of a work session is kept with the session.
  if (job.kind === 'shell') await removeFile(disk, jobFile);
  const startPty = await loadPty(disk, clock);
  const pty = startPty({ ...job, environment: environmentOf(job, ports.environment) });
  const leader = processes.identify(pty.pid);
  const endAll = async () => {
    pty.hangUp();
    await ports.endGroup({ pid: pty.pid, terminal: job.terminal, leader: await leader });
  };
  // At once: what its program prints before a client listens is lost.
  const host = new TerminalHost({ pty, clock, endAll });
  ports.onTerminate(() => host.hurry());
  try {
    const server = await serveTerminal({ disk, socketPath: job.socketPath }, host);
    await writeRecord(job, ports);
    const watch = endWhenForgotten(job, ports, host);
    const exit = await host.ended;
    watch.dispose();
    await removeFile(disk, job.recordFile);
    await server.stop();
    return exitCodeOf(exit);
  } catch (error) {
    await endAll();
    throw error;
  }
}

/** Whether a pseudo-terminal can be opened on this machine, tried with one; rejects with `terminal/unavailable`. */
export async function tryTerminal(ports: Pick<TerminalPorts, 'disk' | 'clock' | 'environment'>): Promise<void> {
  const start = await loadPty(ports.disk, ports.clock);
  const { PATH = '' } = ports.environment;
  const size = { columns: 80, rows: 24 };
  const pty: Pty = start({ program: '/bin/echo', args: ['ready'], cwd: '/', environment: { PATH }, size });
  await new Promise<void>((resolve) => pty.onExit(() => resolve()));
}

function environmentOf(job: TerminalJob, environment: TerminalPorts['environment']): Record<string, string> {
  const hidden = new Set(job.hidden);
  const result: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !hidden.has(name)) result[name] = value;
  }
  return { ...result, TERM: 'xterm-256color', COLORTERM: 'truecolor', [terminalVariable]: job.terminal };
}

async function writeRecord(job: TerminalJob, { disk, clock, processes }: TerminalPorts): Promise<void> {
  const { terminal, kind, plan, title, socketPath, cwd } = job;
  const startedAt = formatTimestamp(clock.wallMs());
  const record: TerminalRecord = {
    ...{ terminal, kind, plan, title, socketPath, cwd, startedAt },
    host: { ...(await processes.self()) },
  };
  await writeAtomic(disk, job.recordFile, `${JSON.stringify(record, undefined, 2)}\n`, { permissions: 0o600 });
}

/** Ends a terminal after a while if no client looks at it and its vault has no owner. */
function endWhenForgotten(job: TerminalJob, { clock, hasOwner }: TerminalPorts, host: TerminalHost): Disposable {
  let timer: Disposable | undefined;
  let isOver = false;
  const endIfUnused = async () => {
    if (host.clients === 0 && !(await hasOwner(job.vault))) await host.kill();
    wait();
  };
  const wait = () => {
    // A failed check must not end anything; the next one comes.
    if (!isOver) timer = clock.schedule(job.orphanMs, () => void endIfUnused().catch(wait));
  };
  wait();
  return {
    dispose() {
      isOver = true;
      timer?.dispose();
    },
  };
}

async function removeFile(disk: Disk, path: string): Promise<void> {
  // The launcher of the next terminal removes what is left of others.
  await disk.unlink(path).catch(() => undefined);
}

function exitCodeOf({ code, signal }: TerminalExit): number {
  return signal === undefined ? code : 128 + signal;
}
