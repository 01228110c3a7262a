import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Behaviour, Delivery } from '../../src/actors/behaviour.ts';
import { mailboxPaths } from '../../src/actors/mailbox.ts';
import { type ActorStatus, Supervisor } from '../../src/actors/supervisor.ts';
import { createDeferred } from '../../src/base/async.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { failure } from '../../src/model/codes.ts';
import { type QualifiedId, toQualifiedId } from '../../src/model/id.ts';
import type { Message, MessageOutcome } from '../../src/model/message.ts';
import { failureOf } from '../support/failureOf.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { shortWritingDisk, systemError, traceDisk } from '../support/tracingDisk.ts';
import { idOf, newMessage, numberOf, otherPlan, plan } from './messages.ts';

type Handle = (message: Message, delivery: Delivery) => Promise<MessageOutcome>;

const done: MessageOutcome = { kind: 'done', summary: 'done' };
const plans = Array.from({ length: 30 }, (_, n) => toQualifiedId(`P${n}/project-root`));

interface WorldOptions {
  readonly handle?: Handle;
  readonly spawn?: (actor: QualifiedId) => Promise<Behaviour>;
  readonly disk?: Disk;
  readonly clock?: ManualClock;
  readonly activeMax?: number;
}

/** A folder and what outlives a process: a supervisor can be started on it again and again. */
async function makeWorld() {
  const directory = await makeTemporaryDirectory();
  const mailboxes = join(directory, 'mailboxes');
  const crashTimes = new Map<QualifiedId, readonly number[]>();
  const log: string[] = [];
  const start = async (options: WorldOptions = {}) => {
    const { handle = async () => done, disk = nodeDisk, clock = new ManualClock(), activeMax = 20 } = options;
    const supervisor = new Supervisor({
      disk,
      clock,
      mailboxes,
      deadLetters: join(directory, 'dead-letters'),
      limits: { activeMax, idleMs: 300_000, crashes: 3, crashWindowMs: 60_000 },
      crashTimes: {
        load: async (actor) => crashTimes.get(actor) ?? [],
        save: async (actor, times) => void crashTimes.set(actor, times),
      },
      spawn: options.spawn ?? (async () => ({ handle, stop: async () => undefined })),
      events: {
        changed: (actor, { kind }) => void log.push(`${actor} ${kind}`),
        handled: ({ id }, { kind }) => void log.push(`handled ${numberOf(id)} ${kind}`),
        dead: ({ id, reason }) => void log.push(`dead ${numberOf(id)}: ${reason.message}`),
        diagnostic: ({ code, severity, message }) => void log.push(`${severity} ${code} ${message}`),
      },
    });
    await supervisor.start();
    return supervisor;
  };
  return { directory, mailboxes, crashTimes, log, start };
}

function describeStatus({ state, waiting, deadLetters }: ActorStatus): string {
  return `${state.kind}, ${waiting} waiting, ${deadLetters} dead`;
}

describe('a supervisor', () => {
  test('gives each actor its messages in order, one at a time', async () => {
    const { start, log } = await makeWorld();
    let active = 0;
    const handled: number[] = [];
    const supervisor = await start({
      handle: async ({ id }) => {
        expect(++active).toBe(1);
        await new Promise((resolve) => setImmediate(resolve));
        handled.push(numberOf(id));
        active--;
        return done;
      },
    });
    const receipts = await Promise.all([1, 2, 3, 4].map((n) => supervisor.send(newMessage(n))));
    expect(receipts).toEqual([1, 2, 3, 4].map((n) => ({ id: idOf(n), seq: n })));
    await supervisor.quiet(plan);
    expect(handled).toEqual([1, 2, 3, 4]);
    expect(log).toEqual([`${plan} spawning`, `${plan} active`, ...[1, 2, 3, 4].map((n) => `handled ${n} done`)]);
    await supervisor.stop();
  });

  test('an idle actor goes dormant and costs nothing, and the next message wakes it', async () => {
    const { start, log } = await makeWorld();
    const clock = new ManualClock();
    const rested = createDeferred<void>();
    const supervisor = await start({
      clock,
      spawn: async () => ({ handle: async () => done, stop: async () => rested.resolve() }),
    });
    await supervisor.send(newMessage(1));
    await supervisor.quiet(plan);
    await untilIdle(clock);
    clock.advance(299_999);
    expect(describeStatus(supervisor.status(plan))).toBe('active, 0 waiting, 0 dead');
    clock.advance(1);
    await rested.promise;
    await until(() => supervisor.statuses().length === 0);
    expect(describeStatus(supervisor.status(plan))).toBe('dormant, 0 waiting, 0 dead');
    await supervisor.send(newMessage(2));
    await supervisor.quiet(plan);
    expect(log.filter((line) => line.startsWith(plan))).toEqual(
      ['spawning', 'active', 'dormant', 'spawning', 'active'].map((state) => `${plan} ${state}`),
    );
    await supervisor.stop();
  });
});

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((resolve) => setImmediate(resolve));
}

/** The idle timer runs. */
async function untilIdle(clock: ManualClock): Promise<void> {
  await until(() => clock.scheduled > 0);
}
void [
  mkdir,
  readdir,
  readFile,
  rm,
  writeFile,
  mailboxPaths,
  failure,
  failureOf,
  shortWritingDisk,
  systemError,
  traceDisk,
  otherPlan,
  plans,
];
