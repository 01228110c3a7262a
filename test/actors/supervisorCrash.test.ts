import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Delivery } from '../../src/actors/behaviour.ts';
import { mailboxPaths } from '../../src/actors/mailbox.ts';
import { Supervisor } from '../../src/actors/supervisor.ts';
import { createDeferred } from '../../src/base/async.ts';
import type { Disk } from '../../src/base/disk.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Message, MessageOutcome } from '../../src/model/message.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { diskChanges, traceDisk } from '../support/tracingDisk.ts';
import { WatchedClock } from '../support/watchedClock.ts';
import { fillProcessed } from './mailboxPlace.ts';
import { idOf, newMessage, numberOf, plan } from './messages.ts';
import { withoutPauses } from './withoutPauses.ts';

/** Messages handled before, chosen so that the second new message makes a compaction due. */
const processed = 998;
const first = processed + 1;

/** What is known outside of one mailbox, whatever happens to the processes that serve it. */
class World {
  readonly directory: string;
  readonly sent = new Set<number>();
  readonly accepted: number[] = [];
  readonly told: number[] = [];
  readonly deliveries: number[] = [];
  readonly recorded = new Set<number>();
  readonly isPoison: (n: number) => boolean;

  constructor(directory: string, isPoison: (n: number) => boolean) {
    this.directory = directory;
    this.isPoison = isPoison;
  }

  async start(disk: Disk, clock: ManualClock): Promise<Supervisor> {
    const supervisor = new Supervisor({
      disk,
      clock: withoutPauses(clock),
      mailboxes: join(this.directory, 'mailboxes'),
      deadLetters: join(this.directory, 'dead-letters'),
      limits: { activeMax: 1, idleMs: 300_000, crashes: 1000, crashWindowMs: 1 },
      crashTimes: { load: async () => [], save: async () => undefined },
      spawn: async () => ({
        handle: (message, delivery) => this.handle(message, delivery),
        stop: async () => undefined,
      }),
      events: {
        changed: () => undefined,
        handled: ({ id }) => void this.told.push(numberOf(id)),
        dead: ({ id }) => void this.told.push(numberOf(id)),
        diagnostic: ({ code }) => expect(['message/crashed', 'mailbox/tornTail']).toContain(code),
      },
    });
    await supervisor.start();
    await supervisor.scanned();
    return supervisor;
  }

  async handle({ id }: Message, { done, record }: Delivery): Promise<MessageOutcome> {
    const n = numberOf(id);
    expect(this.sent).toContain(n);
    this.deliveries.push(n);
    if (done(0) === undefined) {
      // A recorded effect is found again and not made twice.
      expect(this.recorded).not.toContain(n);
      await record(0, 'made');
      this.recorded.add(n);
    } else expect(done(0)).toBe('made');
    if (this.isPoison(n)) throw new Error('poison');
    return { kind: 'done', summary: 'done' };
  }

  /** Sends like a sender that does not know whether its message arrived. */
  async send(supervisor: Supervisor, n: number): Promise<void> {
    const isRepeat = this.sent.has(n);
    this.sent.add(n);
    await supervisor.send(newMessage(n), { isRepeat });
    this.accepted.push(n);
  }

  /** After the last process: every accepted message is handled, in order, and no other. */
  async check(): Promise<void> {
    const supervisor = await this.start(nodeDisk, new ManualClock());
    await supervisor.whenIdle(plan);
    const letters = (await supervisor.deadLetters(plan)).map(({ id }) => numberOf(id));
    await supervisor.stop();
    const firstDeliveries = [...new Set(this.deliveries)];
    expect(firstDeliveries).toEqual([...firstDeliveries].sort((a, b) => a - b));
    expect(firstDeliveries).toEqual(expect.arrayContaining(this.accepted));
    const told = this.told.filter((n) => !this.isPoison(n));
    expect(new Set(told).size).toBe(told.length);
    for (const n of this.accepted) expect([n, letters.includes(n)]).toEqual([n, this.isPoison(n)]);
  }
}

async function makeWorld(isPoison: (n: number) => boolean): Promise<World> {
  const directory = await makeTemporaryDirectory();
  await mkdir(join(directory, 'mailboxes'));
  await fillProcessed(mailboxPaths(join(directory, 'mailboxes'), plan), processed);
  return new World(directory, isPoison);
}

interface Dying {
  readonly disk: Disk;
  readonly died: Promise<'died'>;
  readonly changes: () => number;
}

/** A disk on which the process ends before the n-th change. */
function dyingDisk(at: number): Dying {
  const died = createDeferred<'died'>();
  let changes = 0;
  const disk = traceDisk(nodeDisk, async (_n, name) => {
    if (!diskChanges.has(name)) return;
    if (++changes < at) return;
    died.resolve('died');
    await new Promise(() => undefined);
  });
  return { disk, died: died.promise, changes: () => changes };
}

/** Sends and handles four messages, one of them poison, each handled before the next is sent. */
async function scenario(world: World, disk: Disk): Promise<void> {
  const clock = new WatchedClock();
  /** An actor that is done, compaction included, schedules its rest. */
  const untilDone = async (work: () => Promise<unknown>) => {
    const idle = clock.nextSchedule();
    await work();
    await idle;
  };
  const supervisor = await world.start(disk, clock);
  for (const n of [first, first + 1, first + 2, first + 3]) {
    await untilDone(() => world.send(supervisor, n));
  }
  await untilDone(() => supervisor.redeliver(idOf(first + 2)));
  await supervisor.stop();
}

test('every accepted message is handled once and in order if the process ends before any disk change', async () => {
  const isPoison = (n: number) => n === first + 2;
  const whole = await makeWorld(isPoison);
  const counting = dyingDisk(Number.POSITIVE_INFINITY);
  await scenario(whole, counting.disk);
  const { mailbox } = mailboxPaths(join(whole.directory, 'mailboxes'), plan);
  expect(await readFile(mailbox, 'utf8')).toMatch(/^\{"compacted":1000,/);
  expect(counting.changes()).toBeGreaterThan(60);
  let tried = 0;
  for (let at = 1; at <= counting.changes(); at++) {
    const world = await makeWorld(isPoison);
    const { disk, died } = dyingDisk(at);
    expect(await Promise.race([scenario(world, disk).then(() => 'ended'), died])).toBe('died');
    await world.check();
    tried++;
  }
  expect(tried).toBe(counting.changes());
});

test('every accepted message is handled once and in order if processes end repeatedly at random changes', async () => {
  const life = fc.record({ sends: fc.integer({ min: 0, max: 4 }), at: fc.integer({ min: 1, max: 60 }) });
  const lives = fc.array(life, { minLength: 1, maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(lives, fc.integer({ min: 2, max: 9 }), async (planned, poison) => {
      const world = await makeWorld((n) => n % poison === 0);
      let next = first;
      for (const { sends, at } of planned) {
        const { disk, died } = dyingDisk(at);
        const live = async () => {
          const supervisor = await world.start(disk, new ManualClock());
          const last = next + sends;
          while (next < last) {
            await world.send(supervisor, next);
            next++;
          }
          await supervisor.whenIdle(plan);
          await supervisor.stop();
          return 'ended';
        };
        await Promise.race([live(), died]);
      }
      await world.check();
    }),
    { numRuns: 25 },
  );
});
