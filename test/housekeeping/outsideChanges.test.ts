import { describe, expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { OutsideChanges } from '../../src/housekeeping/outsideChanges.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { PlanDirectory } from '../../src/plans/planDirectory.ts';
import { withPlanLock } from '../../src/plans/proposals/planWriter.ts';
import type { PlanChange, VaultChanges } from '../../src/vault/vaultChanges.ts';
import { walkVault } from '../../src/vault/walk.ts';
import { makePlanWorld, type PlanWorld, type PlanWorldOptions } from '../support/planServices.ts';

const task =
  'tasks:\n- id: a\n  title: A\n  category: core\n  status: not_started\n  dependencies: []\n  description: x\n';

async function start(options: PlanWorldOptions = {}) {
  const world = await makePlanWorld(options);
  const { services, events } = world;
  const directory = new PlanDirectory(services.disk, services.layout);
  let catalogued = 0;
  const refresh = async () => ++catalogued;
  const outside = new OutsideChanges({ services, directory, catalog: { refresh } });
  return {
    ...{ world, directory, outside },
    catalogued: () => catalogued,
    /** Applies the changes and returns one line for each event they cause. */
    async check(changes: Partial<VaultChanges>): Promise<string[]> {
      await outside.apply({ plans: [], files: [], ...changes });
      await outside.settled();
      return events.splice(0).map((event) => {
        if (event.type === 'plan.changed') return [event.actor, event.change, ...(event.files ?? [])].join(' ');
        if (event.type === 'vault.changed') return `${event.actor} ${event.files.join(' ')}`;
        return event.type === 'diagnostic' ? `${event.actor} ${event.diagnostic.code}` : event.type;
      });
    },
  };
}

async function changeOf(world: PlanWorld, id: string, change: PlanChange['change']): Promise<PlanChange> {
  return { plan: await world.locate(id), change, files: change === 'edited' ? ['backlog.yaml'] : [] };
}

const root = 'Demo/project-root';

describe('an edited plan', () => {
  test('is announced, and its views are rendered again', async () => {
    const { world, check } = await start();
    world.writePlan('backlog.yaml', task);
    const edited = await changeOf(world, root, 'edited');
    expect(await check({ plans: [edited] })).toEqual([`${root} edited backlog.yaml`]);
    expect(world.planText('backlog.md')).toContain('ready: 1');
  });

  test('is verified, and a finding is reported only when it is new', async () => {
    const { world, check } = await start();
    const edited = await changeOf(world, root, 'edited');
    const told = async (backlog: string) => {
      world.writePlan('backlog.yaml', backlog);
      return (await check({ plans: [edited] })).slice(1);
    };
    const bad = task.replace('[]', '[b]');
    expect(await told(bad)).toEqual([`${root} state/unknownDependency`]);
    expect(await told(`# the same\n${bad}`)).toEqual([]);
    expect(await told('tasks: {\n')).toEqual([`${root} yaml/syntax`]);
    expect(await told(task)).toEqual([]);
    expect(await told(bad)).toEqual([`${root} state/unknownDependency`]);
  });

  test('keeps a view that a person edited and reports it', async () => {
    const { world, check } = await start();
    world.writePlan('backlog.md', 'Mine.\n');
    expect(await check({ plans: [await changeOf(world, root, 'edited')] })).toContain(`${root} view/edited`);
    expect(world.planText('backlog.md')).toBe('Mine.\n');
  });

  test('is rendered only after the holder of the plan’s lock releases it', async () => {
    const { world, outside } = await start();
    world.writePlan('backlog.yaml', task);
    const edited = await changeOf(world, root, 'edited');
    const released = createDeferred<void>();
    const held = createDeferred<void>();
    const copied = withPlanLock(world.services, world.plan, async () => {
      held.resolve();
      await released.promise;
      expect(world.planText('backlog.md')).toBeUndefined();
    });
    await held.promise;
    await outside.apply({ plans: [edited], files: [] });
    expect(world.events.map(({ type }) => type)).toEqual(['plan.changed']);
    released.resolve();
    await copied;
    await outside.settled();
    expect(world.planText('backlog.md')).toContain('ready: 1');
  });

  test('with an unreadable phase gets a diagnostic and no view', async () => {
    const { world, check } = await start();
    world.writePlan('phase.md', 'nonsense\n');
    const told = await check({ plans: [await changeOf(world, root, 'edited')] });
    expect(told).toEqual([`${root} edited backlog.yaml`, `${root} plan/badPhase`]);
    expect(world.planText('backlog.md')).toBeUndefined();
  });
});

describe('a created or removed plan', () => {
  test('is announced together with the plans below it, and the catalogue is refreshed', async () => {
    const child = toQualifiedId(`${root}/child`);
    const { world, check, catalogued } = await start({ children: [child] });
    const both = (change: PlanChange['change']) => Promise.all([root, child].map((id) => changeOf(world, id, change)));
    expect(await check({ plans: await both('removed') })).toEqual([`${root} removed`]);
    expect(await check({ plans: await both('created') })).toEqual([`${root} created`]);
    expect(catalogued()).toBe(2);
  });

  test('is in the plan directory after the next walk', async () => {
    const { world, check, directory } = await start();
    await directory.all();
    world.write('Demo/ravel/project-root/late/plan-state.md', '---\nschema-version: 1\ndescription: Late\n---\n');
    const walk = await walkVault(world.services.disk, world.layout);
    await check({ walk });
    expect((await directory.all()).plans.map(({ id }) => id)).toContain(`${root}/late`);
  });
});

describe('an edited vault file', () => {
  test('is announced, and a finding about it is reported only when it is new', async () => {
    const { world, check, catalogued } = await start();
    world.write('vault/daemon.toml', 'colour = 1\n');
    expect(await check({ files: ['daemon.toml'] })).toEqual(['vault daemon.toml', 'vault vault/unknownSetting']);
    world.write('vault/experts/rust.md', 'nothing\n');
    const told = await check({ files: ['experts/rust.md'] });
    expect(told.slice(0, 1)).toEqual(['vault experts/rust.md']);
    expect(told.length).toBeGreaterThan(1);
    expect(told).not.toContain('vault vault/unknownSetting');
    expect(catalogued()).toBe(1);
  });

  test('does not repeat a finding of an earlier walk', async () => {
    const { world, check } = await start();
    const walk = () => walkVault(world.services.disk, world.layout);
    world.write('vault/projects/folder/file', 'x');
    expect(await check({ walk: await walk() })).toEqual([]);
    world.write('vault/projects/second/file', 'x');
    expect(await check({ walk: await walk() })).toEqual(['vault project/badLink']);
    expect(await check({ walk: await walk() })).toEqual([]);
  });
});

test('a plan with an unreadable file does not stop other plans from being rendered', async () => {
  const { world, outside, check } = await start({ projects: ['Other'] });
  world.writePlan('backlog.yaml', task);
  world.write('Other/ravel/project-root/backlog.yaml', task);
  const broken = await changeOf(world, root, 'edited');
  const other = await changeOf(world, 'Other/project-root', 'edited');
  world.write('Demo/ravel/project-root/memory.yaml', new Uint8Array([0xff]));
  const told = await check({ plans: [broken, other] });
  expect(told).toContain(`${root} yaml/encoding`);
  expect(world.read('Other/ravel/project-root/backlog.md')).toContain('ready: 1');
  expect(world.planText('backlog.md')).toContain('ready: 1');
  await outside.stop();
  expect(await check({ plans: [broken] })).toEqual([`${root} edited backlog.yaml`]);
});
