import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { type Backlog, backlogSchema } from '../../../src/model/backlog.ts';
import { failure } from '../../../src/model/codes.ts';
import { isUlid, toQualifiedId, type Ulid } from '../../../src/model/id.ts';
import { messageBytesMax } from '../../../src/model/message.ts';
import { deliverMessages } from '../../../src/plans/messages/dispatches.ts';
import { readYaml } from '../../../src/yaml/yaml.ts';
import { FakePost } from '../../support/fakePost.ts';
import { removeLocks } from '../../support/locks.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { makePlanWorld, type PlanWorld, type PlanWorldOptions } from '../../support/planServices.ts';
import { diskChanges, traceDisk } from '../../support/tracingDisk.ts';

const from = toQualifiedId('Demo/project-root');
const child = toQualifiedId('Demo/project-root/child');

const firstId = '01M00000000000000000000001';
const secondId = '01M00000000000000000000002';
const entry = { id: firstId, reason: 'It is theirs', body: 'Greet the cat.' };
const toChild = { ...entry, 'target-plan': child };

interface SendingWorld extends PlanWorld {
  readonly post: FakePost;
}

async function makeWorld(options: PlanWorldOptions = {}): Promise<SendingWorld> {
  const world = await makePlanWorld({ clock: new ManualClock(), projects: ['Other'], children: [child], ...options });
  return { ...world, post: new FakePost() };
}

const deliver = ({ services, post }: SendingWorld) => deliverMessages({ services, post }, from);

function leave(world: PlanWorld, file: 'dispatches' | 'queries', entries: readonly object[]): void {
  world.writePlan(`${file}.yaml`, stringify({ [file]: entries }));
}

function backlog(world: PlanWorld, path: string): Backlog {
  const text = world.read(`${path}/backlog.yaml`);
  return readYaml(backlogSchema, text, { file: path, subject: '' }).value ?? {};
}
const sent = (world: PlanWorld) => backlog(world, 'Demo/ravel/project-root').dispatched ?? [];
const posted = ({ post }: SendingWorld) => post.posted.map(({ id }) => id as string);

test('a message left for after the phase is posted, recorded with its outcome and removed from its file', async () => {
  const world = await makeWorld();
  leave(world, 'dispatches', [toChild]);
  await deliver(world);
  const at = '2026-01-02T03:04:05Z';
  const target = { kind: 'plan', name: child };
  expect(world.post.posted).toEqual([{ ...entry, type: 'dispatch', from, target, depth: 0, origin: firstId }]);
  expect(sent(world)).toEqual([{ ...entry, to: child, at, outcome: `accepted by ${child}` }]);
  expect(world.planText('dispatches.yaml')).toBeUndefined();
  expect(world.events).toEqual([]);
});

test('the sender’s record of a message that is too long keeps its beginning, and resending it adds no record', async () => {
  const world = await makeWorld();
  const body = 'x'.repeat(messageBytesMax);
  const long = { ...toChild, body };
  world.post.outcome = () => ({ kind: 'refused', code: 'message/tooLong', reason: 'it is too long' });
  leave(world, 'dispatches', [long]);
  await deliver(world);
  expect(world.post.posted[0]?.body).toBe(body);
  const [record] = sent(world);
  expect(record).toMatchObject({ id: firstId, to: child, outcome: 'refused: it is too long' });
  expect(record?.body).toMatch(/^x{999}… \(1048576 bytes; /);
  expect(world.events).toMatchObject([
    {
      type: 'diagnostic',
      diagnostic: { code: 'message/tooLong', help: expect.stringContaining('Its beginning is kept') },
    },
  ]);
  leave(world, 'dispatches', [long]);
  await deliver(world);
  expect(sent(world)).toHaveLength(1);
});

test('the sender’s record names the session that wrote the message', async () => {
  const world = await makeWorld();
  const session = '01M00000000000000000000009';
  leave(world, 'dispatches', [{ ...toChild, session }]);
  await deliver(world);
  expect(sent(world)).toMatchObject([{ id: firstId, session, outcome: `accepted by ${child}` }]);
});

test('messages keep their order, and the rest of the backlog keeps its text', async () => {
  const world = await makeWorld({ plan: { 'backlog.yaml': '# Kept by Ada\ntasks: []\n' } });
  leave(world, 'dispatches', [toChild, { ...toChild, id: secondId }]);
  await deliver(world);
  expect(posted(world)).toEqual([firstId, secondId]);
  expect(world.planText('backlog.yaml')).toMatch(/^# Kept by Ada\n/);
});

test('messages without ids get one each before anything is sent', async () => {
  const world = await makeWorld();
  const unnamed = { ...toChild, id: undefined };
  leave(world, 'dispatches', [unnamed, { ...unnamed }]);
  world.post.failure = new Error('the power is cut');
  await expect(deliver(world)).rejects.toThrow('the power is cut');
  const ids = [...(world.planText('dispatches.yaml') ?? '').matchAll(/id: (\w{26})/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(2);
  world.post.failure = undefined;
  await deliver(world);
  expect(posted(world)).toEqual(ids);
  expect(sent(world).map(({ id }) => id)).toEqual(ids);
});

test('a message with an id that a person made up is sent once for each text', async () => {
  const world = await makeWorld();
  for (const body of ['Greet the cat.', 'Greet the cat.', 'Greet the dog.']) {
    leave(world, 'dispatches', [{ ...toChild, id: 'mine', body }]);
    await deliver(world);
  }
  expect(world.post.posted.map(({ body }) => body)).toEqual(['Greet the cat.', 'Greet the dog.']);
  for (const id of posted(world)) expect(isUlid(id)).toBe(true);
});

test('a copied entry with the same id and another text is sent as its own message', async () => {
  const world = await makeWorld();
  const copied = { ...toChild, body: 'Greet the dog.' };
  leave(world, 'dispatches', [toChild, copied]);
  await deliver(world);
  const [, own = ''] = posted(world);
  expect(posted(world)).toEqual([firstId, own]);
  expect(isUlid(own) && own !== firstId).toBe(true);
  expect(sent(world).map(({ id, body }) => [id, body])).toEqual([
    [firstId, 'Greet the cat.'],
    [own, 'Greet the dog.'],
  ]);
  // Left again, as after a crash or by another copy, both keep their ids.
  leave(world, 'dispatches', [copied, toChild]);
  await deliver(world);
  expect(posted(world)).toEqual([firstId, own]);
  expect(sent(world)).toHaveLength(2);
});

test('a refused message stays in the sender’s record, and a warning gives the reason and the remedy', async () => {
  const world = await makeWorld();
  const refusal = { code: 'message/unknownPlan', reason: 'there is no plan Demo/x', help: 'Perhaps Demo/y.' } as const;
  world.post.outcome = () => ({ kind: 'refused', ...refusal });
  leave(world, 'dispatches', [toChild]);
  await deliver(world);
  expect(sent(world)).toMatchObject([{ ...entry, outcome: 'refused: there is no plan Demo/x' }]);
  const diagnostic = { code: 'message/unknownPlan', subject: from, severity: 'warning' };
  expect(world.events).toMatchObject([{ type: 'diagnostic', diagnostic }]);
  expect(JSON.stringify(world.events)).toContain('Perhaps Demo/y. The text is kept');
  expect(world.planText('dispatches.yaml')).toBeUndefined();
});

test('a question is posted as a query and recorded as one', async () => {
  const world = await makeWorld();
  leave(world, 'queries', [toChild]);
  await deliver(world);
  expect(world.post.posted).toMatchObject([{ id: firstId, type: 'query', body: entry.body }]);
  expect(sent(world)).toMatchObject([{ id: firstId, kind: 'query' }]);
  expect(world.planText('queries.yaml')).toBeUndefined();
});

test('a message that is being routed is recorded as on its way, and one for a person as waiting', async () => {
  const world = await makeWorld();
  const waiting = { kind: 'waiting', approval: secondId as Ulid, reason: 'nobody fits' } as const;
  world.post.outcome = ({ id }) => (id === firstId ? 'routing' : waiting);
  leave(world, 'dispatches', [toChild, { ...toChild, id: secondId }]);
  await deliver(world);
  expect(sent(world).map(({ outcome }) => outcome)).toEqual(['on its way', 'waits for a person: nobody fits']);
});

test('a newer outcome is not overwritten by an older one', async () => {
  const world = await makeWorld();
  world.post.outcome = ({ target }) => {
    const text = world.planText('backlog.yaml') ?? '';
    world.writePlan('backlog.yaml', text.replace('on its way', 'promoted as a task'));
    return { kind: 'routed', to: toQualifiedId(target.kind === 'plan' ? target.name : '') };
  };
  leave(world, 'dispatches', [toChild]);
  await deliver(world);
  expect(sent(world)).toMatchObject([{ outcome: 'promoted as a task' }]);
});

test('a message that cannot be posted because Ravel stops is sent after the next start', async () => {
  const world = await makeWorld();
  world.post.failure = failure('actor/stopping', child, 'no more messages are taken');
  leave(world, 'dispatches', [toChild]);
  await expect(deliver(world)).rejects.toThrow('no more messages');
  expect(world.planText('dispatches.yaml')).toContain('Greet the cat');
  expect(sent(world)).toMatchObject([{ id: firstId, outcome: 'on its way' }]);
  world.post.failure = undefined;
  await deliver(world);
  expect(sent(world)).toMatchObject([{ id: firstId, outcome: `accepted by ${child}` }]);
});

describe('a message that follows from a received message', () => {
  const received = { from: child, at: '2026-01-01', reason: 'r', body: 'b', state: 'promoted' };
  const chains = [
    { name: 'that started its chain', record: { id: secondId }, expected: { depth: 1, origin: secondId } },
    {
      name: 'in the middle of a chain',
      record: { id: secondId, depth: 4, origin: firstId },
      expected: { depth: 5, origin: firstId },
    },
    { name: 'that is unknown', record: { id: 'other' }, expected: { depth: 0, origin: entry.id } },
  ];
  test.each(chains)('$name has depth $expected.depth', async ({ record, expected }) => {
    const backlog = stringify({ tasks: [], received: [{ ...received, ...record }] });
    const world = await makeWorld({ plan: { 'backlog.yaml': backlog } });
    leave(world, 'dispatches', [{ ...toChild, cause: secondId }]);
    await deliver(world);
    expect(world.post.posted).toMatchObject([expected]);
  });
});

test('an unreadable file of messages stays and is reported, and the other file is still sent', async () => {
  const world = await makeWorld();
  world.writePlan('queries.yaml', 'queries: [\n');
  leave(world, 'dispatches', [toChild]);
  await deliver(world);
  expect(world.planText('queries.yaml')).toBe('queries: [\n');
  expect(world.events).toMatchObject([{ type: 'diagnostic', diagnostic: { code: 'yaml/syntax', subject: from } }]);
  expect(posted(world)).toEqual([firstId]);
});

test('without messages nothing is written', async () => {
  const world = await makeWorld();
  const before = world.planText('backlog.yaml');
  await deliver(world);
  expect(world.planText('backlog.yaml')).toBe(before);
});

test('a message written during a delivery waits for the next one', async () => {
  for (const file of ['dispatches', 'queries'] as const) {
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      const written = name === 'rename' && path.includes('/.backlog.yaml.') && world.planText(`${file}.yaml`);
      if (written) leave(world, file, [{ ...toChild, id: secondId, body: 'later' }]);
    });
    const world = await makeWorld();
    leave(world, file, [toChild]);
    await deliver({ ...world, services: { ...world.services, disk } });
    expect(world.planText(`${file}.yaml`), file).toContain('later');
    await deliver(world);
    expect(world.planText(`${file}.yaml`), file).toBeUndefined();
    expect(sent(world).map(({ id }) => id)).toEqual([firstId, secondId]);
  }
});

test('after a crash at any write, the next delivery sends every message once', async () => {
  let finished = false;
  let cuts = 0;
  for (let cut = 1; !finished; cut++) {
    let count = 0;
    const disk = traceDisk(nodeDisk, (_n, name) => {
      if (diskChanges.has(name) && ++count >= cut) throw new Error('the power is cut');
    });
    const world = await makeWorld();
    leave(world, 'dispatches', [
      { ...toChild, id: undefined },
      { ...entry, id: secondId, target: 'auto' },
    ]);
    finished = await deliver({ ...world, services: { ...world.services, disk } }).then(
      () => true,
      () => false,
    );
    if (!finished) cuts++;
    // The next owner is another process; a lock of this process would look held.
    await removeLocks(world.layout);
    await deliver(world);
    const ids = posted(world);
    expect(ids, `cut ${cut}`).toEqual([expect.any(String), secondId]);
    const outcomes = sent(world).map(({ id, outcome }) => [id, outcome]);
    expect(outcomes, `cut ${cut}`).toEqual([
      [ids[0], `accepted by ${child}`],
      [secondId, 'refused: it names no target'],
    ]);
    expect(world.planText('dispatches.yaml')).toBeUndefined();
  }
  expect(cuts).toBeGreaterThan(3);
});
