import { execFile } from 'node:child_process';
import { type Clock, delay } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { systemCode } from '../base/errors.ts';
import type { Processes, ProcessIdentity } from '../base/processes.ts';
import { failure } from '../model/codes.ts';

export interface TerminatePorts {
  readonly disk: Disk;
  readonly clock: Clock;
  readonly processes: Processes;
}

/** A session's processes: its group, and whatever carries the session in its environment. */
export interface SessionGroup {
  /** Pid of the group's leader, which is the group's id. */
  readonly pid: number;
  readonly session: string;
  /** The variable that its members carry in their environment; a session's own where it is not told. */
  readonly variable?: string;
  /** Who the leader was; without it only members that carry the session prove that the group is still the session's. */
  readonly leader?: ProcessIdentity;
}

/** One row of the process table; zombies are left out. */
export interface ProcessRow {
  readonly pid: number;
  readonly group: number;
  readonly carriesSession: boolean;
}

const sessionVariable = 'RAVEL_SESSION';
const termGraceMs = 500;
const killDeadlineMs = 5000;
const pollMs = 20;
const batchSize = 32;
/** Field 22 of a process's line, counted behind its name, which is the second. */
const startTimeField = 22 - 3;

/**
 * Ends a session's processes: SIGTERM, 500 ms, SIGKILL, also those that left the group with `setsid`. Resolves once all
 * are gone; rejects with `harness/failed` when some outlive SIGKILL by five seconds. Never signals a process that is not
 * the session's: a group counts as ours while its leader is who it was, or while a member carries the session. A caller
 * that is a member itself is spared, and ends by itself.
 */
export async function terminateSession(ports: TerminatePorts, group: SessionGroup): Promise<void> {
  let members = await listMembers(ports, group);
  if (members.length === 0) return;
  signalAll(members, 'SIGTERM');
  members = await waitUntilGone(ports, group, termGraceMs);
  for (let waitedMs = 0; members.length > 0 && waitedMs < killDeadlineMs; waitedMs += 10 * pollMs) {
    // Again and again: a member may have forked between the listing and the signal.
    signalAll(members, 'SIGKILL');
    members = await waitUntilGone(ports, group, 10 * pollMs);
  }
  if (members.length > 0) {
    throw failure('harness/failed', group.session, `The processes ${members.join(', ')} cannot be ended.`);
  }
}

/** Pids of the session's processes that are alive, without this process. */
export async function listMembers(ports: TerminatePorts, group: SessionGroup): Promise<number[]> {
  const { pid, session, leader, variable } = group;
  const rows =
    process.platform === 'linux'
      ? await listFromProc(ports.disk, session, { since: leader?.startTime, variable })
      : await listFromPs(session, variable);
  const carried = rows.some((row) => row.group === pid && row.carriesSession);
  const isOurs = carried || (leader !== undefined && (await ports.processes.isAlive(leader)));
  return rows
    .filter((row) => row.pid !== process.pid && (row.carriesSession || (isOurs && row.group === pid)))
    .map((row) => row.pid);
}

/** `since` is the start of the session's first process, in clock ticks: what is older than it carries no session. */
export async function listFromProc(
  disk: Disk,
  session: string,
  options: { readonly since?: string | undefined; readonly variable?: string | undefined } = {},
): Promise<ProcessRow[]> {
  const { since = '', variable = sessionVariable } = options;
  const mark = `${variable}=${session}`;
  const entries = await disk.readDirectory('/proc');
  const pids = entries.map((entry) => Number(entry.name)).filter((pid) => Number.isInteger(pid));
  const rows: ProcessRow[] = [];
  // In batches: a busy machine has more processes than one process may have files open.
  for (let start = 0; start < pids.length; start += batchSize) {
    const batch = pids.slice(start, start + batchSize).map((pid) => readProcess(disk, pid, mark, Number(since)));
    rows.push(...(await Promise.all(batch)).filter((row) => row !== undefined));
  }
  return rows;
}

/** Where there is no /proc. The environment stands behind the command, for processes of the same user. */
export async function listFromPs(session: string, variable = sessionVariable): Promise<ProcessRow[]> {
  const text = await new Promise<string>((resolve, reject) => {
    const options = { maxBuffer: 64 * 1024 * 1024, env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } };
    execFile('ps', ['axeww', '-o', 'pid=,pgid=,stat=,command='], options, (error, stdout) => {
      if (error === null) resolve(stdout);
      else reject(failure('harness/failed', session, 'The processes cannot be listed with ps.', { cause: error }));
    });
  });
  const rows: ProcessRow[] = [];
  for (const line of text.split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s(.*)$/.exec(line);
    if (match === null || match[3]?.startsWith('Z') === true) continue;
    const carriesSession = ` ${match[4]} `.includes(` ${variable}=${session} `);
    rows.push({ pid: Number(match[1]), group: Number(match[2]), carriesSession });
  }
  return rows;
}

async function readProcess(disk: Disk, pid: number, mark: string, since: number): Promise<ProcessRow | undefined> {
  const stat = await readIfThere(disk, `/proc/${pid}/stat`);
  // The command's name stands in brackets and may hold anything, brackets too.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, , group] = fields;
  if (state === undefined || state === '' || state === 'Z') return undefined;
  if (Number(fields[startTimeField]) < since) return { pid, group: Number(group), carriesSession: false };
  const environment = await readIfThere(disk, `/proc/${pid}/environ`);
  const carriesSession = `\0${environment}`.includes(`\0${mark}\0`);
  return { pid, group: Number(group), carriesSession };
}

/** Empty for a process that ended meanwhile, and for one of another user. */
async function readIfThere(disk: Disk, path: string): Promise<string> {
  try {
    return (await disk.readFile(path)).toString('latin1');
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ENOENT' || code === 'ESRCH' || code === 'EACCES' || code === 'EPERM') return '';
    throw error;
  }
}

async function waitUntilGone(ports: TerminatePorts, group: SessionGroup, timeoutMs: number): Promise<number[]> {
  const deadline = ports.clock.monotonicMs() + timeoutMs;
  for (;;) {
    const members = await listMembers(ports, group);
    if (members.length === 0 || ports.clock.monotonicMs() >= deadline) return members;
    await delay(ports.clock, pollMs);
  }
}

function signalAll(pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch (error) {
      // Gone already, or not ours to signal, which shows when it is still there at the end.
      if (systemCode(error) !== 'ESRCH' && systemCode(error) !== 'EPERM') throw error;
    }
  }
}
