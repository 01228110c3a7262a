import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ensureDirectory } from '../../../src/base/files.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { type Backlog, backlogSchema } from '../../../src/model/backlog.ts';
import { type Code, failure } from '../../../src/model/codes.ts';
import { isUlid, toQualifiedId } from '../../../src/model/id.ts';
import { type DeliveryParts, deliverMessages } from '../../../src/plans/messages/dispatches.ts';
import { readYaml } from '../../../src/vault/yaml.ts';
import { FakeActors } from '../../support/fakeDelivery.ts';
import { ManualClock } from '../../support/manualClock.ts';
import { makePlanWorld, type PlanWorld, type PlanWorldOptions } from '../../support/planServices.ts';
import { diskChanges, traceDisk } from '../../support/tracingDisk.ts';

const from = toQualifiedId('Demo/project-root');
const child = toQualifiedId('Demo/project-root/child');
const foreign = toQualifiedId('Other/project-root');
const plans = [from, child, foreign];

const firstId = '01M00000000000000000000001';
const secondId = '01M00000000000000000000002';
const entry = { id: firstId, reason: 'It is theirs', body: 'Greet the cat.' };
const toChild = { ...entry, 'target-plan': child };

interface SendingWorld extends PlanWorld {
  readonly actors: FakeActors;
}

async function makeWorld(options: PlanWorldOptions = {}): Promise<SendingWorld> {
  const world = await makePlanWorld({ clock: new ManualClock(), projects: ['Other'], children: [child], ...options });
  return { ...world, actors: new FakeActors() };
}

const deliver = ({ services, actors }: DeliveryParts) => deliverMessages({ services, actors }, from, plans);

function leave(world: PlanWorld, file: 'dispatches' | 'queries', entries: readonly object[]): void {
  world.writePlan(`${file}.yaml`, stringify({ [file]: entries }));
}

function backlog(world: PlanWorld, path: string): Backlog {
  const text = world.read(`${path}/backlog.yaml`);
  return readYaml(backlogSchema, text, { file: path, subject: '' }).value ?? {};
}
const sent = (world: PlanWorld) => backlog(world, 'Demo/ravel/project-root').dispatched ?? [];
const mailbox = ({ actors }: SendingWorld) => actors.sent.map(({ id }) => id as string);

test('a message is in the mailbox of its plan, noted by its sender, and no longer waits', async () => {
  const world = await makeWorld();
  leave(world, 'dispatches', [toChild]);
  await deliver(world);
  const at = '2026-01-02T03:04:05Z';
  expect(world.actors.sent).toEqual([{ ...entry, type: 'dispatch', from, to: child }]);
  expect(sent(world)).toEqual([{ ...entry, to: child, at, outcome: 'accepted' }]);
  expect(world.planText('dispatches.yaml')).toBeUndefined();
  expect(world.events).toEqual([]);
});

test('several keep their order, and the text of the backlog stands', async () => {
  const world = await makeWorld({ plan: { 'backlog.yaml': '# Kept by Ada\ntasks: []\n' } });
  leave(world, 'dispatches', [toChild, { ...toChild, id: secondId }]);
  await deliver(world);
  expect(mailbox(world)).toEqual([firstId, secondId]);
  expect(world.planText('backlog.yaml')).toMatch(/^# Kept by Ada\n/);
});

test('messages without ids are given one each, before anything is sent', async () => {
  const world = await makeWorld();
  const unnamed = { ...toChild, id: undefined };
  leave(world, 'dispatches', [unnamed, { ...unnamed }]);
  world.actors.refusal = new Error('the power is cut');
  await expect(deliver(world)).rejects.toThrow('the power is cut');
  const ids = [...(world.planText('dispatches.yaml') ?? '').matchAll(/id: (\w{26})/g)].map(([, id]) => id);
  expect(new Set(ids).size).toBe(2);
  world.actors.refusal = undefined;
  await deliver(world);
  expect(mailbox(world)).toEqual(ids);
  expect(sent(world).map(({ id }) => id)).toEqual(ids);
});

test('an id of a person’s own making is the same message every time', async () => {
  const world = await makeWorld();
  for (const body of ['Greet the cat.', 'Greet the cat.', 'Greet the dog.']) {
    leave(world, 'dispatches', [{ ...toChild, id: 'mine', body }]);
    await deliver(world);
  }
  expect(world.actors.sent.map(({ id, ...message }) => ('body' in message ? message.body : id))).toEqual([
    'Greet the cat.',
    'Greet the dog.',
  ]);
  for (const id of mailbox(world)) expect(isUlid(id)).toBe(true);
});

describe('a message that cannot be delivered', () => {
  async function check(target: object, code: Code, expected: string): Promise<void> {
    const world = await makeWorld();
    leave(world, 'dispatches', [{ ...entry, ...target }]);
    await deliver(world);
    expect(sent(world)).toMatchObject([{ ...entry, outcome: `refused: ${expected}` }]);
    expect(world.events).toMatchObject([{ type: 'diagnostic', diagnostic: { code, subject: from } }]);
    expect(JSON.stringify(world.events)).toContain(expected);
    expect(world.planText('dispatches.yaml')).toBeUndefined();
    expect(mailbox(world)).toEqual([]);
  }

  test('stays with its sender, and a person is told', async () => {
    await check({ 'target-plan': from }, 'message/toSelf', 'it names its own plan');
    await check({ target: 'auto' }, 'message/unrouted', 'nothing finds a target by itself yet');
    await check({}, 'message/noTarget', 'it names no target');
  });

  test('a question is kept as well', async () => {
    const world = await makeWorld();
    leave(world, 'queries', [{ ...entry, 'target-expert': 'expert:cats' }]);
    await deliver(world);
    expect(sent(world)).toMatchObject([{ ...entry, outcome: 'refused: no expert can be asked yet' }]);
    expect(world.events).toMatchObject([{ diagnostic: { code: 'expert/notYetImplemented' } }]);
    expect(world.planText('queries.yaml')).toBeUndefined();
  });

  test('because its mailbox takes nothing does not hold up the sender', async () => {
    const world = await makeWorld();
    world.actors.refusal = failure('mailbox/corrupt', child, 'line 3 is damaged');
    leave(world, 'dispatches', [toChild]);
    await deliver(world);
    expect(sent(world)).toMatchObject([{ ...entry, outcome: 'refused: line 3 is damaged' }]);
    expect(world.planText('dispatches.yaml')).toBeUndefined();
  });

  test('because Ravel stops waits for the next start', async () => {
    const world = await makeWorld();
    world.actors.refusal = failure('actor/stopping', child, 'no more messages are taken');
    leave(world, 'dispatches', [toChild]);
    await expect(deliver(world)).rejects.toThrow('no more messages');
    expect([sent(world), world.planText('dispatches.yaml')]).toEqual([[], expect.stringContaining('Greet the cat')]);
  });
});

test('a file that cannot be read stays, and is reported; the other is processed', async () => {
  const world = await makeWorld();
  world.writePlan('queries.yaml', 'queries: [\n');
  leave(world, 'dispatches', [toChild]);
  await deliver(world);
  expect(world.planText('queries.yaml')).toBe('queries: [\n');
  expect(world.events).toMatchObject([{ type: 'diagnostic', diagnostic: { code: 'yaml/syntax', subject: from } }]);
  expect(mailbox(world)).toEqual([firstId]);
});

test('nothing left is nothing done', async () => {
  const world = await makeWorld();
  const before = world.planText('backlog.yaml');
  await deliver(world);
  expect(world.planText('backlog.yaml')).toBe(before);
});

test('what was written while messages were delivered waits for the next time', async () => {
  for (const file of ['dispatches', 'queries'] as const) {
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      const written = name === 'rename' && path.includes('/.backlog.yaml.') && world.planText(`${file}.yaml`);
      if (written) leave(world, file, [{ ...toChild, id: secondId, body: 'later' }]);
    });
    const world: SendingWorld = await makeWorld();
    leave(world, file, [toChild]);
    await deliver({ ...world, services: { ...world.services, disk } });
    expect(world.planText(`${file}.yaml`), file).toContain('later');
    await deliver(world);
    expect(world.planText(`${file}.yaml`), file).toBeUndefined();
    expect(sent(world).map(({ id }) => id)).toEqual([firstId, secondId]);
  }
});

test('a crash at any write is healed by doing it again: everything arrives once', async () => {
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
    // The next owner is another process; this one's lock would be taken for held.
    await removeLocks(world);
    await deliver(world);
    const [id, ...more] = mailbox(world);
    expect(more, `cut ${cut}`).toEqual([]);
    expect(
      sent(world).map((record) => record.id),
      `cut ${cut}`,
    ).toEqual([id, secondId]);
    expect(world.planText('dispatches.yaml')).toBeUndefined();
  }
  expect(cuts).toBeGreaterThan(3);
});

async function removeLocks({ layout }: PlanWorld): Promise<void> {
  await ensureDirectory(nodeDisk, layout.plans);
  for (const { name } of await nodeDisk.readDirectory(layout.plans)) {
    if (name.includes('.lock')) await nodeDisk.unlink(`${layout.plans}/${name}`);
  }
}
