import { type Clock, delay } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import { systemCode } from '../base/errors.ts';
import type { ProcessIdentity, ProcessTable } from '../base/processes.ts';
import { failure } from '../model/codes.ts';

export interface TerminatePorts {
  readonly clock: Clock;
  readonly processes: ProcessTable;
}

/** A session's processes: its group, and whatever carries the session in its environment. */
export interface SessionGroup {
  /** Pid of the group's leader, which is the group's id. */
  readonly pid: number;
  readonly session: string;
  /** The variable that its members carry in their environment; a session's own if it is not told. */
  readonly variable?: string;
  /** The leader; without it only members that carry the session prove that the group is still the session's. */
  readonly leader?: ProcessIdentity;
}

const sessionVariable = 'RAVEL_SESSION';
/** Milliseconds that a session has to end after SIGTERM, before SIGKILL. */
const termGraceMs = 500;
/** Milliseconds in which SIGKILL is repeated for processes that were started meanwhile. */
const killDeadlineMs = 5000;
/** The end of a process that is not our child raises no event, so it is looked for: 25 times in the grace. */
const pollMs = 20;

/**
 * Ends a session's processes: SIGTERM, 500 ms, SIGKILL, also those that left the group with `setsid`. Resolves once all
 * are gone; rejects with `harness/failed` when some outlive SIGKILL by five seconds. Never signals a process that is not
 * the session's: a group counts as ours while its leader is who it was, or while a member carries the session. A caller
 * that is a member itself is spared, and ends by itself.
 */
export async function terminateSession(ports: TerminatePorts, group: SessionGroup): Promise<void> {
  let members = await listMembers(ports, group);
  if (members.length === 0) return;
  signalAll(ports, members, 'SIGTERM');
  members = await waitUntilGone(ports, group, termGraceMs);
  for (let waitedMs = 0; members.length > 0 && waitedMs < killDeadlineMs; waitedMs += 10 * pollMs) {
    // Again and again: a member may have forked between the listing and the signal.
    signalAll(ports, members, 'SIGKILL');
    members = await waitUntilGone(ports, group, 10 * pollMs);
  }
  if (members.length > 0) {
    throw failure('harness/failed', group.session, `The processes ${members.join(', ')} cannot be ended.`);
  }
}

/** Pids of the session's processes that are alive, without this process. */
export async function listMembers(ports: TerminatePorts, group: SessionGroup): Promise<number[]> {
  const { pid, session, leader, variable = sessionVariable } = group;
  const since = defined({ since: leader?.startTime });
  const rows = await ports.processes.list({ session, variable, ...since });
  const carried = rows.some((row) => row.group === pid && row.carriesSession);
  const isOurs = carried || (leader !== undefined && (await ports.processes.isAlive(leader)));
  return rows
    .filter((row) => row.pid !== process.pid && (row.carriesSession || (isOurs && row.group === pid)))
    .map((row) => row.pid);
}

async function waitUntilGone(ports: TerminatePorts, group: SessionGroup, timeoutMs: number): Promise<number[]> {
  const deadline = ports.clock.monotonicMs() + timeoutMs;
  for (;;) {
    const members = await listMembers(ports, group);
    if (members.length === 0 || ports.clock.monotonicMs() >= deadline) return members;
    await delay(ports.clock, pollMs);
  }
}

function signalAll({ processes }: TerminatePorts, pids: readonly number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      processes.signal(pid, signal);
    } catch (error) {
      // Gone already, or not ours to signal, which shows when it is still there at the end.
      if (systemCode(error) !== 'ESRCH' && systemCode(error) !== 'EPERM') throw error;
    }
  }
}
