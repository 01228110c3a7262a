import { join } from 'node:path';
import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Supervisor } from '../../src/actors/supervisor.ts';
import { systemClock } from '../../src/base/clock.ts';
import { ensureDirectory } from '../../src/base/files.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { backlogSchema } from '../../src/model/backlog.ts';
import { type QualifiedId, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import { deliverMessages } from '../../src/plans/messages/dispatches.ts';
import type { MessageRouter } from '../../src/plans/messages/messageRouter.ts';
import { replyOutcomes } from '../../src/plans/messages/outcomes.ts';
import { createPlanActor } from '../../src/plans/messages/planActor.ts';
import { changePlanFiles } from '../../src/plans/proposals/planWriter.ts';
import type { PlanServices } from '../../src/plans/services.ts';
import { applyVerb } from '../../src/plans/verbs/applyVerb.ts';
import { loadCrashTimes, saveCrashTimes } from '../../src/vault/crashTimes.ts';
import { LockQueues } from '../../src/vault/lockQueues.ts';
import { readYaml } from '../../src/yaml/yaml.ts';
import { type CrashScene, everyCrashPoint } from '../support/crashPoints.ts';
import { ManualClock } from '../support/manualClock.ts';
import { MemoryDisk } from '../support/memoryDisk.ts';
import { makePlanWorld, type PlanWorld } from '../support/planServices.ts';
import { PretendProcesses } from '../support/pretendProcesses.ts';

const from = toQualifiedId('Demo/project-root');
const child = toQualifiedId('Demo/project-root/child');
const message = { 'target-plan': child, reason: 'It is theirs', body: 'Greet the cat.' };
const noSessions = { isStopped: false, of: () => undefined, note: async () => false };

const makeWorld = () =>
  makePlanWorld({
    clock: new ManualClock(),
    children: [child],
    plan: { 'dispatches.yaml': stringify({ dispatches: [message] }) },
  });

type OwnerPorts = Pick<PlanServices, 'disk' | 'clock' | 'processes'>;

async function makeSupervisor(world: PlanWorld, ports: OwnerPorts) {
  const { layout } = world;
  const { disk } = ports;
  const services = { ...world.services, ...ports, lockQueues: new LockQueues() };
  const ignore = () => undefined;
  await ensureDirectory(disk, layout.plans);
  const supervisor = new Supervisor({
    disk,
    clock: services.clock,
    mailboxes: layout.mailboxes,
    deadLetters: layout.deadLetters,
    limits: { activeMax: 5, idleMs: 1000, crashes: 3, crashWindowMs: 1000 },
    crashTimes: {
      load: (actor) => loadCrashTimes({ disk, layout }, actor),
      save: (actor, wallMs) => saveCrashTimes({ disk, layout }, actor, wallMs),
    },
    spawn: async (actor) =>
      createPlanActor({ services, live: noSessions, answers: { take: async () => undefined } }, actor),
    events: { changed: ignore, handled: ignore, dead: ignore, diagnostic: ignore },
  });
  return { services, supervisor };
}

/**
 * What an owner does: it goes on with its mailboxes, sends what the plan left, lets the receiver take it in and a person
 * make a task of it, and tells the sender.
 */
async function deliver(world: PlanWorld, ports: OwnerPorts): Promise<void> {
  const { services, supervisor } = await makeSupervisor(world, ports);
  await supervisor.start();
  await supervisor.scanned();
  await deliverMessages({ services, post: directly(supervisor) }, from);
  await supervisor.whenIdle(child);
  await promote(services);
  await replyOutcomes({ services, actors: supervisor, recordResult: async () => undefined }, child);
  await supervisor.whenIdle(from);
  await supervisor.stop();
}

function directly(supervisor: Supervisor): MessageRouter {
  return {
    async route({ id, reason, body }) {
      await supervisor.send({ id, type: 'dispatch', from, to: child, reason, body }, { isRepeat: true });
      return { kind: 'routed', to: child };
    },
  };
}

async function promote(services: PlanServices): Promise<void> {
  await changePlanFiles(services, child, (texts) => {
    const context = { texts, subject: child, now: '', newUlid: services.newUlid, dreamMap: {} };
    const { messages } = applyVerb('received/list', {}, context).result as { messages: readonly { id: string }[] };
    const id = messages[0]?.id;
    if (id === undefined) return { edits: new Map(), result: undefined };
    const args = { id, title: 'Greet the cat', category: 'cats' };
    return { edits: applyVerb('received/promote', args, context).edits, result: undefined };
  });
}

interface Place {
  readonly disk: MemoryDisk;
  /** The disk as it was when the power went. */
  readonly madeFrom?: MemoryDisk;
}

function listOf({ layout }: PlanWorld, { disk }: Place, plan: QualifiedId, list: 'received' | 'dispatched') {
  const text = disk.textOf(join(layout.plan(plan), 'backlog.yaml')) ?? '';
  return readYaml(backlogSchema, text, { file: plan, subject: '' }).value?.[list] ?? [];
}

/** A delivery of a message that its sender's plan has left, on a disk in memory. */
async function makeScene(
  what: string,
  lookMore: (world: PlanWorld, place: Place, id: string) => Promise<void> = async () => undefined,
): Promise<CrashScene<Place>> {
  const world = await makeWorld();
  const { layout } = world;
  const owners = new PretendProcesses();
  return {
    what,
    make: async () => ({ disk: MemoryDisk.copyOf(world.folder) }),
    async run({ disk }, { life, begin }) {
      const owner = owners.addOwner();
      life.onEnd(() => owner.end());
      begin();
      const [clock, processes] = [life.clock(new ManualClock()), life.processes(owner.table)];
      await deliver(world, { disk: life.disk(disk), clock, processes });
      owner.end();
    },
    async look(place) {
      const owner = owners.addOwner();
      // It waits for a moment where it removes two locks of the dead owner at once.
      await deliver(world, { disk: place.disk, clock: systemClock, processes: owner.table });
      owner.end();
      const sent = listOf(world, place, from, 'dispatched');
      const received = listOf(world, place, child, 'received');
      expect(sent).toMatchObject([{ to: child, body: message.body, outcome: `promoted as greet-the-cat of ${child}` }]);
      expect(received).toMatchObject([{ id: sent[0]?.id, from, body: message.body, task: 'greet-the-cat' }]);
      expect(place.disk.textOf(join(layout.plan(from), 'dispatches.yaml'))).toBeUndefined();
      await lookMore(world, place, sent[0]?.id ?? '');
      return { end: 'delivered', times: received.length, isOwed: true };
    },
  };
}

test('a message whose owner dies at any moment of its delivery arrives once and is answered for once', async () => {
  const scene = await makeScene('a delivery', async ({ layout }, { disk }, id) => {
    const names = await disk.readDirectory(layout.plan(child));
    expect(names.filter(({ name }) => name.endsWith(`.${id.toLowerCase()}.tmp`))).toEqual([]);
  });
  const { tried } = await everyCrashPoint(scene);
  expect(tried).toBeGreaterThan(40);
});

test('a message whose delivery is cut short by the power arrives once and is answered for once', {
  timeout: 240_000,
}, async () => {
  const scene = await makeScene('a delivery, by the power');
  const { tried } = await everyCrashPoint({
    ...scene,
    afterPowerCut: ({ disk }, seed) => ({ disk: disk.afterPowerCut(seed) }),
  });
  expect(tried).toBeGreaterThan(200);
});

/** Sends messages one after the other; what an owner acknowledged must arrive, whatever happens to it. */
async function makeSendingScene(what: string): Promise<CrashScene<Place>> {
  const world = await makeWorld();
  const owners = new PretendProcesses();
  const newUlid = createUlids(systemClock);
  const ids = ['One', 'Two', 'Three'].map((body) => ({ id: newUlid() as Ulid, body }));
  const acknowledged = new Map<MemoryDisk, Ulid[]>();
  return {
    what,
    make: async () => ({ disk: MemoryDisk.copyOf(world.folder) }),
    async run({ disk }, { life, begin }) {
      const owner = owners.addOwner();
      life.onEnd(() => owner.end());
      begin();
      const [clock, processes] = [life.clock(new ManualClock()), life.processes(owner.table)];
      const { supervisor } = await makeSupervisor(world, { disk: life.disk(disk), clock, processes });
      await supervisor.start();
      await supervisor.scanned();
      for (const { id, body } of ids) {
        await supervisor.send({ id, type: 'dispatch', from, to: child, reason: 'Theirs', body });
        acknowledged.set(disk, [...(acknowledged.get(disk) ?? []), id]);
      }
      await supervisor.whenIdle(child);
      await supervisor.stop();
      owner.end();
    },
    async look(place) {
      const owner = owners.addOwner();
      const ports = { disk: place.disk, clock: systemClock, processes: owner.table };
      const { supervisor } = await makeSupervisor(world, ports);
      await supervisor.start();
      await supervisor.scanned();
      await supervisor.whenIdle(child);
      await supervisor.stop();
      owner.end();
      const received = listOf(world, place, child, 'received').map(({ id }) => id);
      const owed = acknowledged.get(place.madeFrom ?? place.disk) ?? [];
      const missing = owed.filter((id) => !received.includes(id));
      const most = Math.max(0, ...ids.map(({ id }) => received.filter((one) => one === id).length));
      return { end: `${received.length}`, times: missing.length > 0 ? 0 : most, isOwed: owed.length > 0 };
    },
    afterPowerCut: ({ disk }, seed) => ({ disk: disk.afterPowerCut(seed), madeFrom: disk }),
  };
}

test('each message that an owner acknowledged arrives once, though it dies or loses power at any moment', {
  timeout: 240_000,
}, async () => {
  const { afterPowerCut: _cut, ...scene } = await makeSendingScene('three messages');
  expect((await everyCrashPoint(scene)).tried).toBeGreaterThan(20);
  expect((await everyCrashPoint(await makeSendingScene('three messages, by the power'))).tried).toBeGreaterThan(80);
});
