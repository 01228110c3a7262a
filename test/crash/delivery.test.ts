import { expect, test } from 'vitest';
import { stringify } from 'yaml';
import { Supervisor } from '../../src/actors/supervisor.ts';
import { createDeferred } from '../../src/base/async.ts';
import type { Disk } from '../../src/base/disk.ts';
import { ensureDirectory } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { backlogSchema } from '../../src/model/backlog.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { deliverMessages } from '../../src/plans/messages/dispatches.ts';
import { tellOutcomes } from '../../src/plans/messages/outcomes.ts';
import { createPlanActor } from '../../src/plans/messages/planActor.ts';
import type { MessagePost } from '../../src/plans/messages/post.ts';
import { changePlanFiles } from '../../src/plans/proposals/planWriter.ts';
import type { PlanServices } from '../../src/plans/services.ts';
import { applyVerb } from '../../src/plans/verbs/applyVerb.ts';
import { loadCrashTimes, saveCrashTimes } from '../../src/vault/crashTimes.ts';
import { readYaml } from '../../src/vault/yaml.ts';
import { removeLocks } from '../support/locks.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makePlanWorld, type PlanWorld } from '../support/planServices.ts';
import { diskChanges, traceDisk } from '../support/tracingDisk.ts';

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

/**
 * What an owner does: it goes on with its mailboxes, sends what the plan left, lets the receiver take it in and a person
 * make a task of it, and tells the sender.
 */
async function deliver(world: PlanWorld, disk: Disk): Promise<Supervisor> {
  const { layout } = world;
  const services = { ...world.services, disk };
  const ignore = () => undefined;
  await ensureDirectory(disk, layout.plans);
  const supervisor = new Supervisor({
    disk,
    clock: services.clock,
    mailboxes: layout.mailboxes,
    deadLetters: layout.deadLetters,
    limits: { activeMax: 5, idleMs: 1000, crashes: 3, crashWindowMs: 1000 },
    crashTimes: {
      load: (actor) => loadCrashTimes(disk, layout, actor),
      save: (actor, wallMs) => saveCrashTimes(disk, layout, actor, wallMs),
    },
    spawn: async (actor) =>
      createPlanActor({ services, live: noSessions, answers: { take: async () => undefined } }, actor),
    events: { changed: ignore, handled: ignore, dead: ignore, diagnostic: ignore },
  });
  await supervisor.start();
  await deliverMessages({ services, post: directly(supervisor) }, from);
  await supervisor.quiet(child);
  await promote(services);
  await tellOutcomes({ services, actors: supervisor, noteResult: async () => undefined }, child);
  await supervisor.quiet(from);
  return supervisor;
}

function directly(supervisor: Supervisor): MessagePost {
  return {
    async post({ id, reason, body }) {
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

/** Resolves with whether the owner came to the end before it died at the n-th change of the disk. */
async function deliverUntil(
  world: PlanWorld,
  cut: number,
): Promise<{ readonly ended: boolean; readonly changes: number }> {
  const died = createDeferred<false>();
  let changes = 0;
  const disk = traceDisk(nodeDisk, async (_n, name) => {
    if (diskChanges.has(name)) changes++;
    if (changes < cut) return;
    died.resolve(false);
    // Nobody hears of a process that is gone.
    await new Promise(() => undefined);
  });
  const delivered = deliver(world, disk).then(async (supervisor) => {
    await supervisor.stop();
    return true;
  });
  return { ended: await Promise.race([delivered, died.promise]), changes };
}

function listOf(world: PlanWorld, folder: string, list: 'received' | 'dispatched') {
  const text = world.read(`${folder}/backlog.yaml`);
  return readYaml(backlogSchema, text, { file: folder, subject: '' }).value?.[list] ?? [];
}

test('an owner that dies at any change of the disk leaves a message that arrives once, and is answered for once', {
  timeout: 240_000,
}, async () => {
  let tried = 0;
  for (let cut = 1; ; cut++) {
    const world = await makeWorld();
    const { ended, changes } = await deliverUntil(world, cut);
    if (!ended) tried++;
    // The next owner is another process; this one's lock would be taken for held.
    await removeLocks(world.layout);
    await (await deliver(world, nodeDisk)).stop();
    const [sent, ...more] = listOf(world, 'Demo/ravel/project-root', 'dispatched');
    expect(more, `cut ${cut}`).toEqual([]);
    expect(sent, `cut ${cut}`).toMatchObject({
      to: child,
      body: message.body,
      outcome: `promoted as greet-the-cat of ${child}`,
    });
    const received = listOf(world, 'Demo/ravel/project-root/child', 'received');
    expect(received, `cut ${cut}`).toMatchObject([{ id: sent?.id, from, body: message.body, task: 'greet-the-cat' }]);
    expect(world.planText('dispatches.yaml'), `cut ${cut}`).toBeUndefined();
    const names = await nodeDisk.readDirectory(world.layout.plan(child));
    const leftovers = names.filter(({ name }) => name.endsWith(`.${sent?.id.toLowerCase()}.tmp`));
    expect(leftovers, `cut ${cut}`).toEqual([]);
    if (!ended) continue;
    // The whole delivery has just as many changes as were tried.
    expect(tried).toBe(changes);
    break;
  }
  expect(tried).toBeGreaterThan(30);
});
