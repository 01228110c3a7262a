import { type Clock, delay } from '../base/clock.ts';
import type { ProcessIdentity, ProcessTable } from '../base/processes.ts';

export interface LeaderWatchPorts {
  readonly clock: Clock;
  readonly processes: Pick<ProcessTable, 'hasPid' | 'isAlive'>;
}

/** Milliseconds between two checks. */
const pidPeriodMs = 100;
/** To tell a process from another one of its number can take a program of the system, as on macOS. */
const identityPeriodMs = 5000;

/**
 * Aborts the returned signal once a process that is not a child of this one is gone, as the `exit` event tells of a
 * child. If no process has its pid any more, that shows at once; if another process has it, or it is a zombie, within
 * seconds.
 */
export function watchLeader(ports: LeaderWatchPorts, leader: ProcessIdentity, stop: AbortSignal): AbortSignal {
  const gone = new AbortController();
  void watch(ports, leader, stop).then(
    () => gone.abort(),
    // The caller stopped watching.
    () => undefined,
  );
  return gone.signal;
}

async function watch({ clock, processes }: LeaderWatchPorts, leader: ProcessIdentity, stop: AbortSignal) {
  let isAlive = true;
  let isAsking = false;
  let askedMs = clock.monotonicMs();
  // Not awaited: a program that hangs must not keep the watch from seeing that the number is free.
  const ask = async () => {
    isAsking = true;
    // What cannot be looked up now says nothing, and is asked again: a session is not ended because a table is full.
    isAlive = await processes.isAlive(leader).catch(() => true);
    isAsking = false;
    askedMs = clock.monotonicMs();
  };
  while (isAlive && processes.hasPid(leader.pid)) {
    if (!isAsking && clock.monotonicMs() - askedMs >= identityPeriodMs) void ask();
    await delay(clock, pidPeriodMs, stop);
  }
}
