import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type Backlog, backlogSchema } from '../../src/model/backlog.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { deliverMessages } from '../../src/plans/dispatches.ts';
import { readYaml } from '../../src/vault/yaml.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makePlanWorld, type PlanWorld, type PlanWorldOptions } from '../support/planServices.ts';
import { traceDisk } from '../support/tracingDisk.ts';

const from = toQualifiedId('Demo/project-root');
const child = toQualifiedId('Demo/project-root/child');
const foreign = toQualifiedId('Other/project-root');
const plans = [from, child, foreign];

const entry = { id: 'M1', reason: 'It is theirs', body: 'Greet the cat.' };
const toChild = { ...entry, 'target-plan': child };

const makeWorld = (options: PlanWorldOptions = {}) =>
  makePlanWorld({ clock: new ManualClock(), projects: ['Other'], children: [child], ...options });

function leave(world: PlanWorld, file: 'dispatches' | 'queries', entries: readonly object[]): void {
  world.writePlan(`${file}.yaml`, stringify({ [file]: entries }));
}

function backlog(world: PlanWorld, path: string): Backlog {
  const text = world.read(`${path}/backlog.yaml`);
  return readYaml(backlogSchema, text, { file: path, subject: '' }).value ?? {};
}
const sent = (world: PlanWorld) => backlog(world, 'Demo/ravel/project-root').dispatched ?? [];
const received = (world: PlanWorld) => backlog(world, 'Demo/ravel/project-root/child').received ?? [];

test('a message is received, noted by its sender, and no longer waits', async () => {
  const world = await makeWorld();
  leave(world, 'dispatches', [toChild]);
  await deliverMessages(world.services, from, plans);
  const at = '2026-01-02T03:04:05Z';
  expect(received(world)).toEqual([{ ...entry, from, at, state: 'new' }]);
  expect(sent(world)).toEqual([{ ...entry, to: child, at, outcome: 'received' }]);
  expect(world.planText('dispatches.yaml')).toBeUndefined();
  expect(world.events).toEqual([]);
});

test('several keep their order, and the text of the backlog stands', async () => {
  const world = await makeWorld({ plan: { 'backlog.yaml': '# Kept by Ada\ntasks: []\n' } });
  leave(world, 'dispatches', [toChild, { ...toChild, id: 'M2' }]);
  await deliverMessages(world.services, from, plans);
  expect(received(world).map(({ id }) => id)).toEqual(['M1', 'M2']);
  expect(world.planText('backlog.yaml')).toMatch(/^# Kept by Ada\n/);
});

test('messages without ids are told apart by what they say', async () => {
  const world = await makeWorld();
  const unnamed = { ...toChild, id: undefined };
  leave(world, 'dispatches', [unnamed, { ...unnamed, body: 'Greet the dog.' }]);
  await deliverMessages(world.services, from, plans);
  expect(received(world).map(({ body }) => body)).toEqual(['Greet the cat.', 'Greet the dog.']);
});

describe('a message that cannot be delivered', () => {
  async function check(target: object, expected: string): Promise<void> {
    const world = await makeWorld();
    leave(world, 'dispatches', [{ ...entry, ...target }]);
    await deliverMessages(world.services, from, plans);
    expect(sent(world)).toMatchObject([{ ...entry, outcome: `refused: ${expected}` }]);
    expect(world.events).toMatchObject([
      { type: 'diagnostic', diagnostic: { code: 'message/refused', subject: from } },
    ]);
    expect(JSON.stringify(world.events)).toContain(expected);
    expect(world.planText('dispatches.yaml')).toBeUndefined();
    expect([received(world), backlog(world, 'Other/ravel/project-root').received ?? []]).toEqual([[], []]);
  }

  test('stays with its sender, and a person is told', async () => {
    await check({ 'target-plan': `${from}/missing` }, `there is no plan ${from}/missing`);
    await check({ 'target-plan': from }, 'it names its own plan');
    await check({ 'target-plan': foreign }, `${foreign} belongs to another project`);
    await check({ target: 'auto' }, 'only a plan of the same project can be named so far');
    await check({ 'target-expert': 'expert:cats' }, 'only a plan of the same project can be named so far');
  });

  test('a question is kept as well', async () => {
    const world = await makeWorld();
    leave(world, 'queries', [{ ...entry, 'target-expert': 'expert:cats' }]);
    await deliverMessages(world.services, from, plans);
    expect(sent(world)).toMatchObject([{ ...entry, outcome: 'refused: no expert can be asked yet' }]);
    expect(world.events).toMatchObject([{ diagnostic: { code: 'message/refused' } }]);
    expect(world.planText('queries.yaml')).toBeUndefined();
  });
});

test('a file that cannot be read stays, and is reported; the other is processed', async () => {
  const world = await makeWorld();
  world.writePlan('queries.yaml', 'queries: [\n');
  leave(world, 'dispatches', [toChild]);
  await deliverMessages(world.services, from, plans);
  expect(world.planText('queries.yaml')).toBe('queries: [\n');
  expect(world.events).toMatchObject([{ type: 'diagnostic', diagnostic: { code: 'yaml/syntax', subject: from } }]);
  expect(received(world)).toHaveLength(1);
});

test('nothing left is nothing done', async () => {
  const world = await makeWorld();
  const before = world.planText('backlog.yaml');
  await deliverMessages(world.services, from, plans);
  expect(world.planText('backlog.yaml')).toBe(before);
});

test('what was written while messages were delivered waits for the next time', async () => {
  for (const file of ['dispatches', 'queries'] as const) {
    const disk = traceDisk(nodeDisk, (_n, name, path) => {
      const written = name === 'rename' && path.includes('/.backlog.yaml.') && world.planText(`${file}.yaml`);
      if (written) leave(world, file, [{ ...toChild, id: 'later' }]);
    });
    const world: PlanWorld = await makeWorld();
    leave(world, file, [toChild]);
    await deliverMessages({ ...world.services, disk }, from, plans);
    expect(world.planText(`${file}.yaml`), file).toContain('later');
    await deliverMessages(world.services, from, plans);
    expect(world.planText(`${file}.yaml`), file).toBeUndefined();
    expect(sent(world).map(({ id }) => id)).toEqual(['M1', 'later']);
  }
});

test('a crash at any write is healed by doing it again: everything arrives once', async () => {
  let finished = false;
  let cuts = 0;
  for (let cut = 1; !finished; cut++) {
    let count = 0;
    const disk = traceDisk(nodeDisk, (_n, name) => {
      const changes = name === 'rename' || name === 'unlink';
      if (count >= cut || (changes && ++count === cut)) throw new Error('the power is cut');
    });
    const world = await makeWorld();
    leave(world, 'dispatches', [toChild, { ...entry, id: 'M2', target: 'auto' }]);
    const broken = { ...world.services, disk, clock: world.services.clock };
    finished = await deliverMessages(broken, from, plans).then(
      () => true,
      () => false,
    );
    if (!finished) cuts++;
    // The next owner is another process; this one's lock would be taken for held.
    await removeLocks(world);
    await deliverMessages(world.services, from, plans);
    expect(
      received(world).map(({ id }) => id),
      `cut ${cut}`,
    ).toEqual(['M1']);
    expect(
      sent(world).map(({ id }) => id),
      `cut ${cut}`,
    ).toEqual(['M1', 'M2']);
    expect(world.planText('dispatches.yaml')).toBeUndefined();
  }
  expect(cuts).toBeGreaterThan(3);
});

async function removeLocks({ layout }: PlanWorld): Promise<void> {
  for (const { name } of await nodeDisk.readDirectory(layout.plans)) {
    if (name.includes('.lock')) await nodeDisk.unlink(`${layout.plans}/${name}`);
  }
}

test('a receiver whose backlog is broken does not hold up the sender, who keeps the text', async () => {
  const world = await makeWorld();
  world.write('Demo/ravel/project-root/child/backlog.yaml', 'tasks: [\n');
  leave(world, 'dispatches', [toChild]);
  await deliverMessages(world.services, from, plans);
  expect(sent(world)).toMatchObject([{ id: 'M1', body: entry.body, outcome: expect.stringMatching(/^refused: /) }]);
  expect(world.read('Demo/ravel/project-root/child/backlog.yaml')).toBe('tasks: [\n');
  expect(world.planText('dispatches.yaml')).toBeUndefined();
});
