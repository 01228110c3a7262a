import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { ensureDirectory } from '../../../src/base/files.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { backlogSchema } from '../../../src/model/backlog.ts';
import { failure } from '../../../src/model/codes.ts';
import { toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import { toFields } from '../../../src/model/namedTarget.ts';
import { type Outgoing, resendPending, sendAtOnce, unreadableOutgoing } from '../../../src/plans/messages/sending.ts';
import { LockQueues } from '../../../src/vault/lockQueues.ts';
import { recordRename } from '../../../src/vault/planRenames.ts';
import { readYaml } from '../../../src/yaml/yaml.ts';
import { failureOf } from '../../support/failureOf.ts';
import { FakePost } from '../../support/fakePost.ts';
import { removeLocks } from '../../support/locks.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { makePlanWorld, type PlanWorld } from '../../support/planServices.ts';
import { diskChanges, failingDisk, traceDisk } from '../../support/tracingDisk.ts';

const from = toQualifiedId('Demo/project-root');
const child = toQualifiedId('Demo/project-root/child');
const id = '01M00000000000000000000001' as Ulid;
const other = '01M00000000000000000000002' as Ulid;
const message: Outgoing = {
  ...{
    id,
    from,
    list: 'dispatches',
    target: { kind: 'plan', name: child },
    reason: 'It is theirs',
    body: 'Greet the cat.',
  },
};
const routed = { kind: 'routed', to: child } as const;
const never = new AbortController().signal;

interface SendingWorld extends PlanWorld {
  readonly post: FakePost;
}

async function makeWorld(): Promise<SendingWorld> {
  const tasks = 'tasks:\n  - {id: greet, title: Greet, category: cats, status: not_started, dependencies: []}\n';
  const received = `received:\n  - {id: ${other}, from: person, at: a, reason: r, body: b, state: promoted, task: greet}\n`;
  const world = await makePlanWorld({
    ...{ clock: new ManualClock(), children: [child], plan: { 'backlog.yaml': `${tasks}${received}` } },
  });
  await ensureDirectory(nodeDisk, world.layout.plans);
  return { ...world, post: new FakePost() };
}

const sent = (world: PlanWorld, folder = 'Demo/ravel/project-root') =>
  readYaml(backlogSchema, world.read(`${folder}/backlog.yaml`), { file: '', subject: '' }).value?.dispatched ?? [];
const left = ({ layout }: PlanWorld) => (existsSync(layout.sending) ? readdirSync(layout.sending) : []);

test('a message sent at once is recorded, posted and updated with its outcome', async () => {
  const world = await makeWorld();
  expect(await sendAtOnce(world, message)).toEqual(routed);
  expect(world.post.posted).toMatchObject([{ id, type: 'dispatch', from, depth: 0, origin: id }]);
  expect(sent(world)).toMatchObject([{ id, to: child, outcome: `accepted by ${child}` }]);
  expect(left(world)).toEqual([]);
});

test('a message passes on the chain of the received message behind its task or cause', async () => {
  const world = await makeWorld();
  await sendAtOnce(world, { ...message, task: 'greet' });
  await sendAtOnce(world, { ...message, id: '01M00000000000000000000003' as Ulid, list: 'queries', cause: other });
  expect(world.post.posted).toMatchObject([
    { type: 'dispatch', depth: 1, origin: other },
    { type: 'query', depth: 1, origin: other },
  ]);
  expect(sent(world)).toMatchObject([{ task: 'greet' }, { kind: 'query' }]);
});

test('a task that is handed on is not done here as well, and one that is asked about continues', async () => {
  const tasks = (world: PlanWorld) =>
    readYaml(backlogSchema, world.planText('backlog.yaml') ?? '', { file: '', subject: '' }).value?.tasks;
  const world = await makeWorld();
  await sendAtOnce(world, { ...message, id: other, list: 'queries', task: 'greet' });
  expect(tasks(world)).toMatchObject([{ status: 'not_started' }]);
  await sendAtOnce(world, { ...message, task: 'greet' });
  expect(tasks(world)).toMatchObject([{ status: 'blocked', blocked_reason: `sent to ${child}`, sent: id }]);
  // Sent again, as after a crash, it changes nothing that a person changed since.
  world.writePlan(
    'backlog.yaml',
    (world.planText('backlog.yaml') ?? '').replace('status: blocked', 'status: not_started'),
  );
  await sendAtOnce(world, { ...message, task: 'greet' });
  expect(tasks(world)).toMatchObject([{ status: 'not_started' }]);
});

test('a task that its receiver refuses is to be done here again', async () => {
  const world = await makeWorld();
  world.post.outcome = () => ({ kind: 'refused', code: 'message/unknownPlan', reason: 'there is none' });
  await sendAtOnce(world, { ...message, task: 'greet' });
  const { tasks } =
    readYaml(backlogSchema, world.planText('backlog.yaml') ?? '', { file: '', subject: '' }).value ?? {};
  expect(tasks).toMatchObject([{ status: 'not_started' }]);
  expect(tasks?.[0]).not.toHaveProperty('sent');
});

test('a message that is being routed is recorded as on its way', async () => {
  const world = await makeWorld();
  world.post.outcome = () => 'routing';
  expect(await sendAtOnce(world, message)).toBe('routing');
  expect(sent(world)).toMatchObject([{ outcome: 'on its way' }]);
  expect(left(world)).toEqual([]);
});

test('a message about an unknown task is not sent', async () => {
  const world = await makeWorld();
  expect(await failureOf(() => sendAtOnce(world, { ...message, task: 'gret' }))).toMatchObject({
    code: 'state/unknownRecord',
  });
  expect(left(world)).toEqual([]);
  expect([sent(world), world.post.posted]).toEqual([[], []]);
});

test('a message whose task is gone is still sent again', async () => {
  const world = await makeWorld();
  await sendAtOnce(world, { ...message, task: 'greet' });
  world.writePlan('backlog.yaml', (world.planText('backlog.yaml') ?? '').replace('id: greet', 'id: greeted'));
  expect(await sendAtOnce(world, { ...message, task: 'greet' })).toEqual(routed);
});

test('a refused duplicate id does not change the record of the message that has it', async () => {
  const world = await makeWorld();
  world.post.outcome = () => 'routing';
  await sendAtOnce(world, message);
  world.post.outcome = () => ({ kind: 'refused', code: 'message/idTaken', reason: 'it belongs to another message' });
  await sendAtOnce(world, { ...message, body: 'Greet the dog.' });
  expect(sent(world)).toMatchObject([{ body: 'Greet the cat.', outcome: 'on its way' }]);
  expect(left(world)).toEqual([]);
});

test('a message whose record does not fit on the disk is not sent', async () => {
  const world = await makeWorld();
  const isBacklog = (_name: string, path: string) => path.includes('backlog.yaml');
  const disk = failingDisk(nodeDisk, {
    code: 'ENOSPC',
    at: 1,
    matches: (name, path) => name === 'file.write' && isBacklog(name, path),
  });
  const parts = { services: { ...world.services, disk }, post: world.post };
  expect(await failureOf(() => sendAtOnce(parts, message))).toMatchObject({ code: 'disk/full' });
  expect([left(world), sent(world), world.post.posted]).toEqual([[], [], []]);
});

describe('a message whose owner stopped before posting it', () => {
  /** A world with a message that is recorded but not posted, because its owner stopped. */
  async function leave(): Promise<SendingWorld> {
    const world = await makeWorld();
    world.post.failure = failure('run/stopped', id, 'Ravel stops.');
    expect(await failureOf(() => sendAtOnce(world, message))).toMatchObject({ code: 'run/stopped' });
    expect([left(world), sent(world)]).toMatchObject([[`${id}.json`], [{ outcome: 'on its way' }]]);
    return world;
  }

  test('is sent by the next owner', async () => {
    const world = await leave();
    world.post.failure = undefined;
    await resendPending(world, never);
    expect(world.post.posted).toMatchObject([{ id, body: 'Greet the cat.' }]);
    expect([left(world), sent(world)]).toMatchObject([[], [{ id, outcome: `accepted by ${child}` }]]);
  });

  test('waits again when the next owner stops as well', async () => {
    const world = await leave();
    await resendPending(world, never);
    expect(left(world)).toEqual([`${id}.json`]);
    expect(world.events).toEqual([]);
    world.post.failure = undefined;
    await resendPending(world, AbortSignal.abort());
    expect(left(world)).toEqual([`${id}.json`]);
  });

  test('is recorded under the current name of its sender, and dropped when the sender is removed', async () => {
    const world = await leave();
    const file = world.layout.sendingOf(id);
    await recordRename(world.services, { from: toQualifiedId('Demo/project-root/was'), to: child });
    writeFileSync(file, JSON.stringify({ ...toFields(message), from: 'Demo/project-root/was' }));
    world.post.failure = undefined;
    world.post.outcome = () => 'routing';
    await resendPending(world, never);
    expect(world.post.posted).toMatchObject([{ id, from: child }]);
    expect(sent(world, 'Demo/ravel/project-root/child')).toMatchObject([{ id }]);
    writeFileSync(file, JSON.stringify({ ...toFields(message), from: 'Demo/project-root/nobody' }));
    await resendPending(world, never);
    expect(world.post.posted).toHaveLength(1);
    expect(left(world)).toEqual([]);
  });

  test('is sent while a damaged one beside it is reported and kept', async () => {
    const world = await leave();
    world.post.failure = undefined;
    const damaged = '01M00000000000000000000000' as Ulid;
    mkdirSync(world.layout.sending, { recursive: true });
    writeFileSync(world.layout.sendingOf(damaged), '{"id":');
    await resendPending(world, never);
    expect(left(world)).toEqual([`${damaged}.json`]);
    const file = world.layout.sendingOf(damaged);
    const problem = { code: 'message/unreadable', subject: damaged, file };
    expect(world.events).toMatchObject([{ type: 'diagnostic', diagnostic: problem }]);
    expect(await unreadableOutgoing(world.services)).toMatchObject([problem]);
  });
});

test('after a crash at any change of the disk, record and mailbox agree', { timeout: 120_000 }, async () => {
  let tried = 0;
  for (let cut = 1, isOver = false; !isOver; cut++) {
    const world = await makeWorld();
    const died = createDeferred<false>();
    let changes = 0;
    const disk = traceDisk(nodeDisk, async (_n, name) => {
      if (diskChanges.has(name)) changes++;
      if (changes < cut) return;
      died.resolve(false);
      await new Promise(() => undefined);
    });
    const dying = { ...world.services, disk, lockQueues: new LockQueues() };
    const sending = sendAtOnce({ services: dying, post: world.post }, message);
    isOver = await Promise.race([sending.then(() => true), died.promise]);
    if (!isOver) tried++;
    // The next owner is another process; a lock of this process would look held.
    await removeLocks(world.layout);
    await resendPending(world, never);
    expect(
      left(world).filter((name) => !name.endsWith('.tmp')),
      `cut ${cut}`,
    ).toEqual([]);
    const outcomes = sent(world).map(({ outcome }) => outcome);
    const isSent = world.post.posted.length > 0;
    expect(outcomes, `cut ${cut}`).toEqual(isSent ? [`accepted by ${child}`] : []);
    // Before its file is whole the message may be dropped; from then on it is sent.
    expect(isSent || tried < 6, `cut ${cut}`).toBe(true);
  }
  expect(tried).toBeGreaterThan(10);
});
