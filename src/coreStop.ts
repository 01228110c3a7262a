// The order in which the parts of a core stop.

import { createDeferred, settleInOrder } from './base/async.ts';
import type { Clock } from './base/clock.ts';
import type { HeldLock } from './vault/lock.ts';
import type { Ownership } from './vault/ownership.ts';

type Step = () => Promise<unknown> | undefined;

/** What stops, in this order: first what begins new work, last what keeps records. */
export interface StopSteps {
  /** What looks at the vault for changes by others. */
  readonly outside: Step;
  readonly background: readonly Step[];
  /** Releases phases; their sessions go on without this process. */
  readonly phases: () => Promise<unknown>;
  readonly messages: Step;
  readonly actors: readonly Step[];
  readonly cache: Step;
  readonly records: readonly Step[];
  /** Releases the processes of sessions, which are the next owner's. */
  readonly sessions: Step;
}

export interface StopPorts {
  readonly clock: Clock;
  /** How long each step that may hang is waited for. */
  readonly drainMs: number;
  /** Absent if the process does not own the vault. */
  readonly lock?: HeldLock;
  readonly ownership?: Ownership;
}

/**
 * Stops everything in order and releases the vault. A step that fails does not keep those after it from running. The
 * vault stays locked if phases did not come to rest in time: this process may still write, and the lock is free once
 * the process is gone. If the vault was lost to another owner, what could not be written is not an error.
 */
export async function stopInOrder(ports: StopPorts, steps: StopSteps): Promise<void> {
  const { clock, drainMs, lock, ownership } = ports;
  const inTime = (work: Promise<unknown> | undefined) => settlesWithin(clock, drainMs, work ?? Promise.resolve());
  let isQuiet = false;
  const stopPhases = async (): Promise<void> => {
    const ended = steps.phases();
    isQuiet = await inTime(ended.catch(() => undefined));
    if (isQuiet) await ended;
  };
  const all = settleInOrder([
    () => steps.outside(),
    ...steps.background.map((step) => () => inTime(step())),
    stopPhases,
    () => inTime(steps.messages()),
    ...steps.actors,
    () => inTime(steps.cache()),
    ...steps.records,
    // A process can outlive its vault, as an editor does.
    () => (isQuiet ? inTime(steps.sessions()) : undefined),
    () => {
      ownership?.stop();
      return isQuiet && ownership?.isLost === false ? lock?.release() : undefined;
    },
  ]);
  await all.catch((error: unknown) => {
    if (ownership?.isLost !== true) throw error;
  });
}

async function settlesWithin(clock: Clock, timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  const late = createDeferred<boolean>();
  const timer = clock.schedule(timeoutMs, () => late.resolve(false));
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    timer.dispose();
  }
}
