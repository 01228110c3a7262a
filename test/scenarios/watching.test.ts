import { writeFileSync } from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { watchTree } from '../../src/vault/watcher.ts';
import { damages } from '../support/damages.ts';
import { openCore } from '../support/openCore.ts';
import { oneEntry } from '../support/phaseWorld.ts';
import { ScriptedTrees } from '../support/scriptedTrees.ts';
import { makeWorld, type World, type WorldOptions } from '../support/world.ts';

interface Watched {
  readonly world: World;
  readonly core: Core;
  readonly events: RavelEvent[];
  /** Resolves with the first event of its kind that fits; earlier events are dropped. */
  until<Type extends RavelEvent['type']>(
    type: Type,
    fits?: (event: Extract<RavelEvent, { type: Type }>) => boolean,
  ): Promise<Extract<RavelEvent, { type: Type }>>;
}

/** A vault whose owner watches it with the real watcher, and a person who edits. */
async function start(options: WorldOptions = {}): Promise<Watched> {
  const world = await makeWorld(options);
  const core = await openCore(world, { watchTree });
  onTestFinished(() => core.stop());
  const events: RavelEvent[] = [];
  let check = (): void => undefined;
  core.api.onEvent((event) => {
    events.push(event);
    check();
  });
  // A rescan is answered after the first look.
  await core.api.request('rescan', {});
  return {
    ...{ world, core, events },
    async until(type, fits = () => true) {
      type Wanted = Extract<RavelEvent, { type: typeof type }>;
      const found = createDeferred<Wanted>();
      const isWanted = (event: RavelEvent): event is Wanted => event.type === type && fits(event as Wanted);
      check = () => {
        const at = events.findIndex(isWanted);
        if (at < 0) return;
        check = () => undefined;
        const [event] = events.splice(0, at + 1).slice(-1);
        if (event !== undefined && isWanted(event)) found.resolve(event);
      };
      check();
      return found.promise;
    },
  };
}

const marker = '---\nschema-version: 1\ndescription: Came from elsewhere\n---\n';
const task =
  'tasks:\n- id: a\n  title: A\n  category: core\n  status: not_started\n  dependencies: []\n  description: x\n';

describe('the owner notices', () => {
  test('a file that an editor saves, and reports what is wrong with it', async () => {
    const { world, until } = await start();
    await world.writePlan('.backlog.yaml.swp', task.replace('[]', '[b]'));
    await rename(join(world.planDirectory, '.backlog.yaml.swp'), join(world.planDirectory, 'backlog.yaml'));
    const edited = await until('plan.changed');
    expect(edited).toMatchObject({ actor: world.plan, change: 'edited', files: ['backlog.yaml'] });
    const { actor, diagnostic } = await until('diagnostic');
    expect([actor, diagnostic.code]).toEqual([world.plan, 'state/unknownDependency']);
  });

  test('plans in new folders, and plans that are removed', async () => {
    const { world, core, until } = await start();
    const folders = Array.from({ length: 180 }, (_, n) => join(world.planDirectory, `g-${n % 6}/h-${n}/deep`));
    for (const folder of folders) {
      await mkdir(folder, { recursive: true });
      await writeFile(join(folder, 'plan-state.md'), marker);
    }
    const missing = new Set(folders.map((_, n) => `${world.plan}/g-${n % 6}/h-${n}/deep`));
    while (missing.size > 0) {
      const { actor } = await until('plan.changed', ({ change }) => change === 'created');
      missing.delete(actor);
    }
    const { plans } = await core.api.request('list', {});
    expect(plans).toHaveLength(181);
    await rm(join(world.planDirectory, 'g-0'), { recursive: true });
    const removed = await until('plan.changed', ({ change }) => change === 'removed');
    expect(removed.actor).toContain('/g-0/');
  });

  test('a change in a folder that replaced another one', async () => {
    const { world, until } = await start();
    const child = join(world.planDirectory, 'child');
    await world.writePlan('child/plan-state.md', marker);
    await until('plan.changed', ({ change }) => change === 'created');
    await rm(child, { recursive: true });
    await world.writePlan('child/plan-state.md', `${marker}\nAnother one.\n`);
    await until('plan.changed', ({ actor }) => actor === `${world.plan}/child`);
    // No event tells when the new folder is watched, so the file is written until a change is reported.
    const told = until('plan.changed', ({ files }) => files?.includes('memory.yaml') === true);
    let isTold = false;
    void told.then(() => {
      isTold = true;
    });
    for (let n = 0; !isTold; n++) {
      await writeFile(join(child, 'memory.yaml'), `entries: []\n# ${n}\n`);
      await new Promise<void>((resolve) => setImmediate(resolve));
    }
    expect((await told).actor).toBe(`${world.plan}/child`);
  });

  test('a change to the settings of the vault', async () => {
    const { world, until } = await start();
    await writeFile(join(world.vault, 'daemon.toml'), 'colour = 1\n');
    expect(await until('vault.changed')).toMatchObject({ actor: 'vault', files: ['daemon.toml'] });
    expect((await until('diagnostic')).diagnostic.code).toBe('vault/unknownSetting');
  });

  test('a change when it is asked to rescan', async () => {
    const { world, core, events } = await start({ settings: '[watch]\nreconcile-seconds = 86400\n' });
    await world.writePlan('memory.yaml', 'entries: []\n# mine\n');
    await core.api.request('rescan', {});
    expect(events).toContainEqual(expect.objectContaining({ type: 'plan.changed', files: ['memory.yaml'] }));
  });
});

describe('a damaged memory.yaml', () => {
  const halve = (file: string) => writeFileSync(file, oneEntry.slice(0, 25));
  // A fault that was over and comes back is reported again.
  const kinds: typeof damages = { ...damages, 'half a file': halve, 'half a file again': halve };

  const told: Readonly<Record<string, string>> = {
    'bytes that are no UTF-8': 'yaml/encoding',
    'a folder': 'disk/failed',
    'a pipe': 'disk/failed',
    'a link to itself': 'disk/failed',
    'more than can be read': 'disk/tooLarge',
    'a bomb': 'yaml/bomb',
    nothing: 'yaml/schema',
    'half a file': 'yaml/schema',
    'half a file again': 'yaml/schema',
  };
  /** Its one damaged entry is left out, and the rest of the file is read. */
  const isPartly = (name: string) => name.startsWith('half a file');

  test('is reported, holds up no other plan, and is over once the file is sound again', {
    timeout: 120_000,
  }, async () => {
    const { world, core, until } = await start();
    const { plan } = world;
    const child = `${plan}/child`;
    await core.api.request('create', { plan: child, description: 'Minds the cats' });
    const file = join(world.planDirectory, 'memory.yaml');
    const add = (n: number) => ({ plan: child, verb: 'backlog/add', args: { title: `Task ${n}`, category: 'core' } });
    for (const [n, [name, damage]] of Object.entries(kinds).entries()) {
      await rm(file, { recursive: true, force: true });
      damage(file);
      // The watcher may also see that the file was missing for a moment.
      const { diagnostic } = await until(
        'diagnostic',
        (event) =>
          event.actor === plan &&
          event.diagnostic.file?.endsWith('/project-root/memory.yaml') === true &&
          event.diagnostic.code !== 'plan/missingFile',
      );
      expect([name, diagnostic.severity, diagnostic.code]).toEqual([
        name,
        isPartly(name) ? 'warning' : 'error',
        told[name],
      ]);
      expect(await core.api.request('state', add(n))).toMatchObject({ result: { id: `task-${n}` } });
      expect((await core.api.request('list', {})).plans.map((one) => one.plan)).toEqual([plan, child]);
      await rm(file, { recursive: true });
      await writeFile(file, oneEntry);
      await until('plan.changed', (event) => event.actor === plan && event.files?.includes('memory.yaml') === true);
      await core.api.request('rescan', {});
      const listed = await core.api.request('state', { plan, verb: 'memory/list', args: {} });
      expect(listed.result).toMatchObject({ entries: [{ id: 'tabs' }] });
      expect((await core.api.request('verify', {})).diagnostics).toEqual([]);
    }
  });
});

test('the owner reports each change that it makes once', async () => {
  const { world, core, until } = await start();
  const told: string[] = [];
  core.api.onEvent((event) => {
    if (event.type === 'plan.changed') told.push(`${event.change} ${event.actor}`);
    if (event.type === 'plan.changed' && event.summary !== undefined) told.push(event.summary);
  });
  const { plan } = world;
  const add = { plan, verb: 'backlog/add', args: { title: 'A', category: 'core', description: 'x' } };
  await core.api.request('state', add);
  await core.api.request('create', { plan: `${plan}/child`, description: 'A child of it' });
  await core.api.request('rescan', {});
  await core.api.request('rename', { plan: `${plan}/child`, to: `${plan}/renamed` });
  await core.api.request('rescan', {});
  await core.api.request('remove', { plan: `${plan}/renamed` });
  await core.api.request('rescan', {});
  // When this change is reported, the watcher has seen everything above.
  await writeFile(join(world.vault, 'routing.yaml'), '# mine\n');
  await until('vault.changed', ({ files }) => files.includes('routing.yaml'));
  const edited = [`edited ${plan}`, 'added task a'];
  expect(told).toEqual([...edited, `created ${plan}/child`, `renamed ${plan}/renamed`, `removed ${plan}/renamed`]);
});

test('with watch.enabled = false nothing is watched', async () => {
  const world = await makeWorld({ settings: '[watch]\nenabled = false\n' });
  const trees = new ScriptedTrees();
  const core = await openCore(world, { watchTree: trees.watchTree });
  onTestFinished(() => core.stop());
  await core.api.request('rescan', {});
  expect(trees.made).toBe(0);
});

test('an owner starts to watch only after the first look', async () => {
  const world = await makeWorld();
  const trees = new ScriptedTrees();
  const looked = createDeferred<void>();
  const core = await openCore(world, { watchTree: trees.watchTree, backgroundAfter: looked.promise });
  onTestFinished(() => core.stop());
  expect((await core.api.request('outline', {})).plans).toHaveLength(1);
  expect(trees.made).toBe(0);
  looked.resolve();
  await trees.firstMade;
});
