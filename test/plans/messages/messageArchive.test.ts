import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { ensureDirectory, writeAtomic } from '../../../src/base/files.ts';
import { parseJson } from '../../../src/base/json.ts';
import type { Backlog } from '../../../src/model/backlog.ts';
import { receive } from '../../../src/plans/messages/intake.ts';
import { archiveAboveBytes, archiveMessages, loadArchived } from '../../../src/plans/messages/messageArchive.ts';
import { CauseFinder } from '../../../src/requests/causes.ts';
import { LockQueues } from '../../../src/vault/lockQueues.ts';
import { updateRunState } from '../../../src/vault/runState.ts';
import { parseYaml } from '../../../src/yaml/yaml.ts';
import { everyCrashPoint } from '../../support/crashPoints.ts';
import { dyingServices } from '../../support/dyingServices.ts';
import { FakeEffects } from '../../support/fakeDelivery.ts';
import { MemoryDisk } from '../../support/memoryDisk.ts';
import { makePlanWorld, type PlanWorld } from '../../support/planServices.ts';

const idOf = (n: number) => `01M0A9XQYJ6N8K3T5V7W9Y${String(n).padStart(4, '0')}`;
const monthOf = (n: number) => `2026-0${1 + Math.floor(n / 40)}`;
const received = (n: number, more: object = { state: 'declined', declined_reason: 'No' }) => ({
  id: idOf(n),
  ...{ from: 'person', at: `${monthOf(n)}-03T00:00:00Z`, reason: 'Why', body: 'x'.repeat(4000) },
  ...more,
});
const dispatched = (n: number, outcome: string) => ({
  id: idOf(n),
  ...{ to: 'Demo/project-root/a', at: '2026-01-03T00:00:00Z', reason: 'Why', body: 'x'.repeat(4000), outcome },
});

async function make(backlog: object, told: readonly string[] = []): Promise<PlanWorld> {
  const world = await makePlanWorld({ plan: { 'backlog.yaml': `# mine\n${stringify({ tasks: [], ...backlog })}` } });
  const { services, layout, plan } = world;
  await ensureDirectory(services.disk, layout.plans);
  await writeAtomic(services.disk, layout.replied(plan), JSON.stringify(told));
  return world;
}

const many = (count: number) => Array.from({ length: count }, (_, n) => received(n));
const toldOf = (count: number) => Array.from({ length: count }, (_, n) => `${idOf(n)} declined`);
const backlogIn = (text = '') => parseYaml(text, { file: 'a', subject: 'a' }).value as Backlog;
const numbers = (records: readonly { readonly id: string }[] = []) => records.map(({ id }) => Number(id.slice(-4)));
const upTo = (count: number, from = 0) => Array.from({ length: count - from }, (_, n) => from + n);

describe('messages that are done with', () => {
  test('stay in a backlog that is small', async () => {
    const world = await make({ received: many(60) }, toldOf(60));
    expect(await archiveMessages(world.services, world.plan)).toBe(0);
  });

  test('leave a large one, the oldest first, into a file for each month, and the rest stays byte for byte', async () => {
    const world = await make({ received: many(100), rest: 'y' }, toldOf(100));
    const before = world.planText('backlog.yaml') ?? '';
    const count = await archiveMessages(world.services, world.plan);
    const after = world.planText('backlog.yaml') ?? '';
    expect(after.length).toBeLessThan(archiveAboveBytes / 2 + 5000);
    expect(numbers(backlogIn(after).received ?? [])).toEqual(upTo(100, count));
    expect(before.endsWith(after.replace('# mine\ntasks: []\nreceived:\n', ''))).toBe(true);
    const archived = await loadArchived(world.services, world.plan);
    expect(archived).toEqual({ received: many(count), dispatched: [] });
    const months = ['2026-01', '2026-02'].map(
      (month) => world.planText(`backlog.${month}.jsonl`)?.trim().split('\n').length,
    );
    expect(months).toEqual([40, count - 40]);
    expect(await loadArchived(world.services, world.plan, idOf(5))).toEqual({
      received: [received(5)],
      dispatched: [],
    });
  });

  test('are added behind a line that an editor left without its end', async () => {
    const world = await make({ received: many(100) }, toldOf(100));
    const path = join(world.layout.plan(world.plan), 'backlog.2026-01.jsonl');
    await writeAtomic(world.services.disk, path, JSON.stringify({ list: 'received', record: received(39) }));
    const count = await archiveMessages(world.services, world.plan);
    const archived = await loadArchived(world.services, world.plan);
    expect(numbers(archived.received).sort((a, b) => a - b)).toEqual(upTo(count));
    const lines = world.planText('backlog.2026-01.jsonl')?.trim().split('\n') ?? [];
    expect(lines).toHaveLength(40);
    expect(JSON.parse(lines[0] ?? '')).toEqual({ list: 'received', record: received(39) });
  });

  test('stay while anything needs them', async () => {
    const world = await make(
      {
        tasks: [
          { id: 'there', title: 'There', category: 'core', status: 'not_started', dependencies: [], description: 'x' },
          {
            ...{ id: 'waits', title: 'Waits', category: 'core', status: 'blocked', dependencies: [], description: 'x' },
            ...{ blocked_reason: `sent as ${idOf(204)}`, sent: idOf(204) },
          },
        ],
        received: [
          received(0, { state: 'new' }),
          received(1, { state: 'promoted', task: 'there' }),
          received(2, { state: 'promoted', task: 'at-work' }),
          received(3, { state: 'promoted', task: 'gone' }),
          ...many(100).slice(4),
        ],
        dispatched: [
          dispatched(200, 'on its way'),
          dispatched(201, 'accepted by Demo/project-root/a'),
          dispatched(202, 'waits for a person: who?'),
          dispatched(203, 'promoted as x of Demo/project-root/a'),
          dispatched(204, 'promoted as y of Demo/project-root/a'),
        ],
      },
      [`${idOf(3)} promoted`, ...toldOf(100).filter((_one, n) => n !== 5)],
    );
    await updateRunState(world.services, world.plan, (state) => ({ ...state, workTask: 'at-work' }));
    await archiveMessages(world.services, world.plan);
    const { received: left, dispatched: sent } = backlogIn(world.planText('backlog.yaml'));
    expect(numbers(left ?? []).slice(0, 5)).toEqual([0, 1, 2, 5, expect.any(Number)]);
    expect(numbers(sent ?? [])).toEqual([200, 201, 202, 204]);
    const archived = await loadArchived(world.services, world.plan);
    expect([numbers(archived.received).slice(0, 2), numbers(archived.dispatched)]).toEqual([[3, 4], [203]]);
  });

  test('are not taken in a second time when they are delivered again', async () => {
    const world = await make({ received: many(100) }, toldOf(100));
    await archiveMessages(world.services, world.plan);
    const before = world.planText('backlog.yaml');
    await receive(world.services, world.plan, { ...received(3), state: 'new' }, new FakeEffects().delivery());
    expect(world.planText('backlog.yaml')).toBe(before);
    await receive(world.services, world.plan, { ...received(300), state: 'new' }, new FakeEffects().delivery());
    expect(numbers(backlogIn(world.planText('backlog.yaml')).received ?? []).at(-1)).toBe(300);
  });

  test('make room for new ones, long before a backlog refuses them', async () => {
    const world = await make(
      { received: many(1200).map((one) => ({ ...one, at: '2026-01-01T00:00:00Z' })) },
      toldOf(1200),
    );
    expect((world.planText('backlog.yaml') ?? '').length).toBeGreaterThan(4 * 1024 * 1024);
    const postponed = await receive(
      world.services,
      world.plan,
      { ...received(2000), state: 'new' },
      new FakeEffects().delivery(),
    );
    expect([postponed, (world.planText('backlog.yaml') ?? '').length < archiveAboveBytes]).toEqual([undefined, true]);
  });

  test('are found when a person asks why', async () => {
    const first = received(0, { state: 'promoted', task: 'gone' });
    const world = await make({ received: [first, ...many(100).slice(1)] }, [`${idOf(0)} promoted`, ...toldOf(100)]);
    await archiveMessages(world.services, world.plan);
    const location = { plans: [world.location], diagnostics: [] };
    const finder = new CauseFinder({
      services: world.services,
      directory: { all: async () => location } as never,
      history: { load: async () => [] } as never,
      routes: { find: async () => undefined } as never,
      router: { onItsWay: async () => undefined },
    });
    const signal = new AbortController().signal;
    const expanded = await finder.expand({ kind: 'message', id: idOf(0), plan: world.plan }, signal);
    expect(expanded.node).toMatchObject({ title: expect.stringContaining('message from a person'), plan: world.plan });
    expect(expanded.after).toEqual([{ to: { kind: 'task', id: 'gone', plan: world.plan }, how: 'was promoted to' }]);
  });
});

test('an archiving that is cut short anywhere, by the power too, loses no message and keeps none twice', async () => {
  const world = await make({ received: many(100) }, toldOf(100));
  const folder = join(world.project, 'ravel/project-root');
  for (const cutsPower of [false, true]) {
    const { tried } = await everyCrashPoint<MemoryDisk>({
      what: 'the archiving of messages',
      make: async () => MemoryDisk.copyOf(world.folder),
      async run(disk, { life, begin, tell }) {
        begin();
        await archiveMessages(dyingServices(world.services, disk, life), world.plan);
        tell();
      },
      async look(disk) {
        const services = { ...world.services, disk, lockQueues: new LockQueues() };
        await archiveMessages(services, world.plan);
        const live = backlogIn((await disk.readFile(join(folder, 'backlog.yaml'))).toString()).received ?? [];
        const lines: string[] = [];
        for (const { name } of await disk.readDirectory(folder)) {
          if (!name.endsWith('.jsonl')) continue;
          lines.push(...(await disk.readFile(join(folder, name))).toString().trim().split('\n'));
        }
        const kept = lines.map((line) => (parseJson(line) as { record: { id: string } }).record);
        expect([...numbers(kept), ...numbers(live)].sort((a, b) => a - b)).toEqual(upTo(100));
        return { end: 'whole', times: 1, isOwed: true };
      },
      ...(cutsPower && { afterPowerCut: (disk: MemoryDisk, seed: number) => disk.afterPowerCut(seed) }),
    });
    expect(tried).toBeGreaterThan(5);
  }
  expect(readFileSync(join(folder, 'backlog.yaml'), 'utf8').length).toBeGreaterThan(archiveAboveBytes);
});
