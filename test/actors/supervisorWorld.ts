import { join } from 'node:path';
import type { Behaviour, Delivery, Postponed } from '../../src/actors/behaviour.ts';
import type { ActorStatus } from '../../src/actors/supervision.ts';
import { Supervisor } from '../../src/actors/supervisor.ts';
import { createDeferred } from '../../src/base/async.ts';
import type { Disk } from '../../src/base/disk.ts';
import { Emitter } from '../../src/base/emitter.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { QualifiedId } from '../../src/model/id.ts';
import type { Message, MessageOutcome } from '../../src/model/message.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { numberOf } from './messages.ts';
import { withoutPauses } from './withoutPauses.ts';

export type Handle = (message: Message, delivery: Delivery) => Promise<MessageOutcome | Postponed>;

export const done: MessageOutcome = { kind: 'done', summary: 'done' };
const parts = new WeakMap<Supervisor, { readonly clock: ManualClock; readonly reports: Emitter<void> }>();

export interface WorldOptions {
  readonly handle?: Handle;
  readonly spawn?: (actor: QualifiedId) => Promise<Behaviour>;
  readonly disk?: Disk;
  readonly clock?: ManualClock;
  readonly activeMax?: number;
  /** An actor that crashed is started again when the clock says so, and not at once. */
  readonly pauses?: boolean;
  /** The supervisor is given back while it looks for what waits. */
  readonly isEarly?: true;
}

/** A folder and what outlives a process; a supervisor can be started on it repeatedly. */
export async function makeWorld() {
  const directory = await makeTemporaryDirectory();
  const mailboxes = join(directory, 'mailboxes');
  const crashTimes = new Map<QualifiedId, readonly number[]>();
  const log: string[] = [];
  const start = async (options: WorldOptions = {}) => {
    const { handle = async () => done, disk = nodeDisk, clock = new ManualClock(), activeMax = 20 } = options;
    const reports = new Emitter<void>((error) => {
      throw error;
    });
    const report = (line: string) => {
      log.push(line);
      reports.emit();
    };
    const supervisor = new Supervisor({
      disk,
      clock: options.pauses === true ? clock : withoutPauses(clock),
      mailboxes,
      deadLetters: join(directory, 'dead-letters'),
      limits: { activeMax, idleMs: 300_000, crashes: 3, crashWindowMs: 60_000 },
      crashTimes: {
        load: async (actor) => crashTimes.get(actor) ?? [],
        save: async (actor, times) => void crashTimes.set(actor, times),
      },
      spawn: options.spawn ?? (async () => ({ handle, stop: async () => undefined })),
      events: {
        changed: (actor, { kind }) => report(`${actor} ${kind}`),
        handled: ({ id }, { kind }) => report(`handled ${numberOf(id)} ${kind}`),
        dead: ({ id, reason }) => report(`dead ${numberOf(id)}: ${reason.message}`),
        diagnostic: ({ code, severity, message }) => report(`${severity} ${code} ${message}`),
      },
    });
    parts.set(supervisor, { clock, reports });
    await supervisor.start();
    if (options.isEarly !== true) await supervisor.scanned();
    return supervisor;
  };
  return { directory, mailboxes, crashTimes, log, start };
}

export function describeStatus({ state, waiting, deadLetters }: ActorStatus): string {
  return `${state.kind}, ${waiting} waiting, ${deadLetters} dead`;
}

/** Stops a supervisor whose handlers never end. */
export async function dropped(supervisor: Supervisor): Promise<void> {
  const stopped = supervisor.stop();
  parts.get(supervisor)?.clock.advance(1_000);
  await stopped;
}

/** Resolves once `isSo` holds. It is checked one turn of the event loop after each report, when the actor has settled. */
export async function until(supervisor: Supervisor, isSo: () => boolean): Promise<void> {
  const reached = createDeferred<void>();
  const check = () => {
    if (isSo()) reached.resolve();
  };
  const subscription = parts.get(supervisor)?.reports.event(() => setImmediate(check));
  setImmediate(check);
  await reached.promise;
  subscription?.dispose();
}
