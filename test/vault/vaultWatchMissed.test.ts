import { appendFileSync, existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { traceDisk } from '../support/tracingDisk.ts';

import { describeChanges, marker, rootPlan, start, type WatchWorld } from './watchWorld.ts';

describe('VaultWatch and a missed change', () => {
  test('finds it at the next interval, and replaces the deaf watch', async () => {
    const world = await start();
    world.write('backlog.yaml', 'tasks: []\n');
    world.write('other/plan-state.md', marker);
    const { made } = world.trees;
    expect(await world.quiet(59_999)).toEqual([]);
    expect(await world.quiet(1)).toEqual([`edited ${rootPlan} backlog.yaml`, `created ${rootPlan}/other`]);
    await world.quiet();
    expect(world.trees.made).toBe(made + 1);
    // Only the timer of the next interval is left.
    expect(world.clock.scheduled).toBe(1);
  });

  test('finds it when asked to reconcile', async () => {
    const world = await start();
    world.write('backlog.yaml', 'tasks: []\n');
    await world.watch.reconcile();
    expect(await world.quiet(0)).toEqual([`edited ${rootPlan} backlog.yaml`]);
  });

  test('finds all changes of a storm at once when it is over', async () => {
    const world = await start({ plans: 1000 });
    await world.watch.reconcile();
    world.changes.length = 0;
    const [first] = [...world.trees.roots].filter((root) => root.includes('code-0'));
    const { listeners } = world.trees.at(first ?? '');
    const edited = Array.from(
      { length: 999 },
      (_, n) => `group-${Math.floor(n / 30)}${n % 30 ? `/plan-${n + 1}` : ''}`,
    );
    for (const plan of edited) appendFileSync(world.file(`${plan}/backlog.yaml`), '# edited\n');
    // Ten thousand events, many of them about nothing, while two in three changes cause no event.
    for (let n = 0; n < 10_000; n++) {
      const plan = edited[(n * 3) % 999] ?? '';
      listeners.onTouched(world.file(`${plan}/${n % 2 ? 'memory.yaml' : 'backlog.yaml'}`));
    }
    world.clock.advance(200);
    await world.watch.settled();
    const told = world.changes.splice(0);
    expect(told.map(({ plans }) => plans.length)).toEqual([999]);
    expect(told.flatMap(describeChanges)).toEqual(
      edited.map((plan) => `edited ${rootPlan}/${plan} backlog.yaml`).sort(),
    );
  });

  test('finds it in a folder that replaced a watched one, and watches the new folder', async () => {
    const world = await start();
    const { made } = world.trees;
    rmSync(world.file('group-0'), { recursive: true });
    world.write('group-0/plan-state.md', marker);
    world.trees.at(world.file('')).listeners.onLost(world.file('group-0'));
    expect(await world.quiet()).toEqual([
      `edited ${rootPlan}/group-0 backlog.yaml memory.yaml phase.md plan-state.md`,
      `removed ${rootPlan}/group-0/plan-2`,
    ]);
    expect(world.trees.made).toBe(made + 1);
  });

  test('finds it at the next interval after a failed read', async () => {
    let isBroken = false;
    const disk = (inner: Disk) =>
      traceDisk(inner, (_n, name) => {
        if (isBroken && name === 'stampEach') throw Object.assign(new Error('broken'), { code: 'EIO' });
      });
    const world = await start({ disk });
    isBroken = true;
    world.trees.touch(world.write('backlog.yaml', 'tasks: []\n'));
    expect(await world.quiet()).toEqual([]);
    expect(world.errors).toMatchObject([{ code: 'EIO' }]);
    isBroken = false;
    expect(await world.quiet(60_000)).toEqual([`edited ${rootPlan} backlog.yaml`]);
  });
});

describe('VaultWatch reconciling', () => {
  test('waits twenty times as long as the last reconciliation took', async () => {
    let isSlow = false;
    const disk = (inner: Disk) =>
      traceDisk(inner, (_n, name) => {
        if (!isSlow || name !== 'readDirectory') return;
        isSlow = false;
        clock.advance(10_000);
      });
    const world = await start({ disk });
    const { clock } = world;
    isSlow = true;
    await world.watch.reconcile();
    world.write('backlog.yaml', 'tasks: []\n');
    expect(await world.quiet(199_999)).toEqual([]);
    expect(await world.quiet(1)).toEqual([`edited ${rootPlan} backlog.yaml`]);
  });

  test('finds the true state, whatever events were sent, missed or false', async () => {
    const plan = fc.constantFrom('', 'group-0', 'group-0/plan-2', 'a', 'a/b');
    const file = fc.constantFrom('plan-state.md', 'backlog.yaml', 'memory.yaml', 'phase.md');
    const step = fc.oneof(
      fc.record({ kind: fc.constant('write' as const), plan, file, text: fc.nat(3), isTold: fc.boolean() }),
      fc.record({ kind: fc.constant('remove' as const), plan, file, isTold: fc.boolean() }),
      fc.record({ kind: fc.constant('lie' as const), plan, file }),
      fc.record({ kind: fc.constant('wait' as const), ms: fc.constantFrom(100, 200, 2000) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const world = await start();
        const known = truth(world);
        for (const one of steps) {
          if (one.kind === 'wait') {
            believe(known, await world.quiet(one.ms), truth(world));
            continue;
          }
          const path = world.file(`${one.plan}/${one.file}`);
          if (one.kind === 'write') world.write(`${one.plan}/${one.file}`, `${marker}${one.text}`);
          else if (one.kind === 'remove') rmSync(path, { force: true });
          if (one.kind === 'lie' || one.isTold) world.trees.touch(path);
        }
        await world.watch.reconcile();
        believe(known, await world.quiet(0), truth(world));
        expect(known).toEqual(truth(world));
        await world.watch.stop();
      }),
      { numRuns: 30 },
    );
  });

  type Plans = Map<string, Map<string, string>>;

  /** Every plan with the texts of its files. */
  function truth({ file }: WatchWorld): Plans {
    const ids = ['', 'group-0', 'group-0/plan-2', 'a', 'a/b'].filter((id) => existsSync(file(`${id}/plan-state.md`)));
    return new Map(ids.map((id) => [id, textsOf(file(id))]));
  }

  function textsOf(folder: string): Map<string, string> {
    const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
    return new Map(names.sort().map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
  }

  /** Like a view: applies only what was reported to have changed. */
  function believe(known: Plans, told: readonly string[], now: Plans): void {
    for (const line of told) {
      const [change, id = '', ...files] = line.split(' ');
      const plan = id.slice(rootPlan.length + 1);
      const texts = now.get(plan);
      expect(change === 'created').toBe(!known.has(plan));
      expect(change === 'removed').toBe(texts === undefined);
      if (texts === undefined) known.delete(plan);
      else if (change === 'created') known.set(plan, texts);
      for (const name of files) {
        const text = texts?.get(name);
        if (text === undefined) known.get(plan)?.delete(name);
        else known.get(plan)?.set(name, text);
      }
    }
    for (const [id, texts] of known) known.set(id, new Map([...texts].sort()));
  }
});
