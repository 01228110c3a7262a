import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../src/base/disk.ts';
import { writeAtomic } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { traceDisk } from '../support/tracingDisk.ts';

import { marker, rootPlan, start } from './watchWorld.ts';

describe('VaultWatch and a changed file', () => {
  test('reports it with all others once it is quiet for 200 ms', async () => {
    const world = await start();
    world.trees.touch(world.write('backlog.yaml', 'tasks: []\n'));
    expect(await world.quiet(199)).toEqual([]);
    world.trees.touch(world.write('memory.yaml', 'entries: []\n'), world.write('backlog.yaml', 'tasks: [ ]\n'));
    expect(await world.quiet(199)).toEqual([]);
    expect(await world.quiet(1)).toEqual([`edited ${rootPlan} backlog.yaml memory.yaml`]);
    expect(await world.quiet()).toEqual([]);
  });

  test('reports it after two seconds if it is never quiet', async () => {
    const world = await start();
    world.write('backlog.yaml', 'tasks: []\n');
    const told: string[] = [];
    for (let n = 0; n < 20; n++) {
      world.trees.touch(world.file('backlog.yaml'));
      told.push(...(await world.quiet(100)));
    }
    expect(told).toEqual([`edited ${rootPlan} backlog.yaml`]);
  });

  test('does not report it if it did not change', async () => {
    const world = await start();
    world.trees.touch(world.file('backlog.yaml'), world.file('phase.md'));
    expect(await world.quiet()).toEqual([]);
  });

  test('ignores views, backup files of editors and temporary files', async () => {
    const world = await start();
    const waiting = world.clock.scheduled;
    for (const name of ['backlog.md', '.backlog.yaml.swp', '.backlog.yaml.1a2b.tmp', 'notes', 'backlog.yaml~']) {
      world.trees.touch(world.write(name, 'text'));
    }
    expect(world.clock.scheduled).toBe(waiting);
  });

  test('reports a change that keeps size and times', async () => {
    const world = await start();
    const file = world.file('phase.md');
    const { atime, mtime } = statSync(file);
    writeFileSync(file, 'wxyz\n');
    utimesSync(file, atime, mtime);
    world.trees.touch(file);
    expect(await world.quiet()).toEqual([`edited ${rootPlan} phase.md`]);
  });

  test('reports a change after the clock was set back a day', async () => {
    const world = await start();
    world.clock.jumpWall(-86_400_000);
    const file = world.write('backlog.yaml', 'tasks: []\n');
    utimesSync(file, 1, 1);
    world.trees.touch(file);
    expect(await world.quiet()).toEqual([`edited ${rootPlan} backlog.yaml`]);
  });

  test('reports a file of the vault itself by its path in the vault', async () => {
    const world = await start();
    for (const name of ['projects.yaml', 'daemon.toml', 'routing.yaml', 'experts/rust.md', 'experts/notes.txt']) {
      writeFileSync(join(world.layout.root, name), 'x');
      world.trees.touch(join(world.layout.root, name));
    }
    const expected = ['daemon.toml', 'experts/rust.md', 'projects.yaml', 'routing.yaml'];
    expect(await world.quiet()).toEqual(expected.map((name) => `vault ${name}`));
  });
});

describe('VaultWatch and plans', () => {
  test('reports plans that appear and disappear, even in folders created a moment ago', async () => {
    const world = await start();
    world.write('new/deep/plan-state.md', marker);
    world.trees.at(world.file('')).listeners.onFolder(world.file('new'));
    expect(await world.quiet()).toEqual([`created ${rootPlan}/new/deep`]);
    rmSync(world.file('new'), { recursive: true });
    world.trees.at(world.file('')).listeners.onFolder(world.file('new/deep'));
    expect(await world.quiet()).toEqual([`removed ${rootPlan}/new/deep`]);
  });

  test('reports plans that lose or get their marker', async () => {
    const world = await start();
    unlinkSync(world.file('group-0/plan-state.md'));
    world.trees.touch(world.file('group-0/plan-state.md'));
    expect(await world.quiet()).toEqual([`removed ${rootPlan}/group-0`]);
    world.trees.touch(world.write('group-0/plan-state.md', marker));
    expect(await world.quiet()).toEqual([`created ${rootPlan}/group-0`]);
  });

  test('reports the plans of a project whose link is removed or added, and watches it from then on', async () => {
    const world = await start({ plans: 2, projects: 2 });
    const { roots } = world.trees;
    unlinkSync(world.layout.project('p1'));
    world.trees.touch(world.layout.project('p1'));
    expect(await world.quiet()).toEqual(['removed p1/project-root', 'vault projects/p1']);
    expect(world.trees.roots).toEqual(roots.filter((root) => !root.includes('code-1')));
    symlinkSync(join(world.layout.root, '../code-1/ravel'), world.layout.project('p1'));
    world.trees.touch(world.layout.project('p1'));
    expect(await world.quiet()).toEqual(['created p1/project-root', 'vault projects/p1']);
    expect(world.trees.roots).toEqual(roots);
  });

  test('does not report plans in an unreadable folder as removed', async () => {
    let hidden: string | undefined;
    const disk = (inner: Disk) =>
      traceDisk(inner, (_n, name, path) => {
        if (name === 'readDirectory' && path === hidden) throw Object.assign(new Error('no'), { code: 'EACCES' });
      });
    const world = await start({ disk });
    hidden = world.file('group-0');
    await world.watch.reconcile();
    expect(await world.quiet(0)).toEqual([]);
    hidden = undefined;
    world.write('group-0/plan-2/phase.md', 'reflect\n');
    await world.watch.reconcile();
    expect(await world.quiet(0)).toEqual([`edited ${rootPlan}/group-0/plan-2 phase.md`]);
  });

  test('reports a file that turns into a folder, back, or into a link to itself', async () => {
    const world = await start();
    const file = world.file('memory.yaml');
    const check = async (change: () => void) => {
      rmSync(file, { recursive: true, force: true });
      change();
      world.trees.touch(file);
      expect(await world.quiet()).toEqual([`edited ${rootPlan} memory.yaml`]);
    };
    await check(() => mkdirSync(file));
    await check(() => writeFileSync(file, 'entries: []\n'));
    await check(() => symlinkSync('memory.yaml', file));
    await check(() => undefined);
    expect(world.errors).toEqual([]);
  });
});

describe('VaultWatch and the writes of Ravel itself', () => {
  test('does not report them, but an edit of a person right afterwards', async () => {
    const world = await start();
    const path = join(world.layout.root, 'projects', rootPlan, 'backlog.yaml');
    await writeAtomic(world.own.disk, path, 'tasks: []\n');
    world.trees.touch(world.file('backlog.yaml'));
    expect(await world.quiet()).toEqual([]);
    await writeAtomic(world.own.disk, path, 'tasks: [ ]\n');
    appendFileSync(path, '# mine\n');
    world.trees.touch(world.file('backlog.yaml'));
    expect(await world.quiet()).toEqual([`edited ${rootPlan} backlog.yaml`]);
  });

  test('does not report a file it removed, but one that a person removes next', async () => {
    const world = await start();
    const path = join(world.layout.root, 'projects', rootPlan, 'commits.yaml');
    for (const told of [[], [`edited ${rootPlan} commits.yaml`]]) {
      await writeAtomic(world.own.disk, path, 'commits: []\n');
      world.trees.touch(world.file('commits.yaml'));
      expect(await world.quiet()).toEqual([]);
      if (told.length === 0) await world.own.disk.unlink(path);
      else unlinkSync(path);
      world.trees.touch(world.file('commits.yaml'));
      expect(await world.quiet()).toEqual(told);
    }
  });

  test('does not report a plan it moved, but one that a person moves back', async () => {
    const world = await start();
    const [from, to] = [`${rootPlan}/group-0`, `${rootPlan}/moved`].map((id) => join(world.layout.projects, id));
    await world.own.disk.rename(from ?? '', to ?? '');
    await world.watch.reconcile();
    expect(await world.quiet(0)).toEqual([]);
    renameSync(to ?? '', from ?? '');
    await world.watch.reconcile();
    expect(await world.quiet(0)).toEqual([
      `created ${rootPlan}/group-0`,
      `created ${rootPlan}/group-0/plan-2`,
      `removed ${rootPlan}/moved`,
      `removed ${rootPlan}/moved/plan-2`,
    ]);
  });
});

describe('VaultWatch and its file watches', () => {
  test.each(['ENOSPC', 'EMFILE', 'ENFILE'])('falls back to the interval on %s, and reports it once', async (code) => {
    const world = await start({ plans: 2, projects: 2 });
    for (const root of world.trees.roots) {
      world.trees.at(root).listeners.onFailed(Object.assign(new Error('no more watches'), { code }));
    }
    await world.watch.settled();
    expect(world.diagnostics).toMatchObject([{ code: 'vault/watchLimit', severity: 'warning' }]);
    expect(world.trees.roots).toEqual([]);
    world.write('backlog.yaml', 'tasks: []\n');
    expect(await world.quiet(60_000)).toEqual([`edited ${rootPlan} backlog.yaml`]);
    expect(world.trees.roots).toEqual([]);
  });

  test('continues if one folder cannot be watched', async () => {
    const world = await start();
    world.trees.at(world.file('')).listeners.onFailed(Object.assign(new Error('denied'), { code: 'EACCES' }));
    world.write('backlog.yaml', 'tasks: []\n');
    expect(await world.quiet()).toEqual([`edited ${rootPlan} backlog.yaml`]);
    expect(world.diagnostics).toEqual([]);
  });

  test('reports once that the vault is gone, and finds all changes when it is back', async () => {
    const world = await start();
    writeFileSync(world.layout.identity, 'x');
    const elsewhere = `${world.layout.root}-elsewhere`;
    renameSync(world.layout.root, elsewhere);
    expect(await world.quiet(60_000)).toEqual([]);
    expect(await world.quiet(60_000)).toEqual([]);
    expect(world.diagnostics).toMatchObject([{ code: 'vault/gone', subject: world.layout.root }]);
    expect(world.trees.roots).toEqual([]);
    world.write('phase.md', 'dream\n');
    renameSync(elsewhere, world.layout.root);
    expect(await world.quiet(60_000)).toEqual([`edited ${rootPlan} phase.md`, 'vault ravel.toml']);
    expect(world.trees.roots).toHaveLength(2);
    expect(world.errors).toEqual([]);
  });

  test('watches neither runtime nor repositories nor sources', async () => {
    const world = await start();
    const { layout, trees } = world;
    const project = trees.at(world.file(''));
    expect(
      ['', 'group-0', 'group-0/deep', '.git', 'group-0/.git', '.plan.1a2b.tmp'].filter((path) =>
        project.accepts(world.file(path).replace(/\/$/, '')),
      ),
    ).toEqual(['', 'group-0', 'group-0/deep']);
    expect(project.accepts(join(project.root, 'knowledge'))).toBe(false);
    expect(project.accepts(join(project.root, '../src'))).toBe(false);
    const own = trees.at(layout.identity);
    const inVault = [
      layout.root,
      layout.experts,
      layout.projects,
      layout.runtime,
      layout.knowledge,
      join(layout.root, '.git'),
    ];
    expect(inVault.filter(own.accepts)).toEqual([layout.root, layout.experts, layout.projects]);
  });

  test('leaves no timer behind if stopped while reconciling a vault without plans', async () => {
    let onRead = () => {};
    const readDirectory = (path: string) => {
      onRead();
      return nodeDisk.readDirectory(path);
    };
    const world = await start({ plans: 0, projects: 0, disk: (disk) => ({ ...disk, readDirectory }) });
    let stopped = Promise.resolve();
    onRead = () => {
      onRead = () => {};
      stopped = world.watch.stop();
    };
    await world.watch.reconcile();
    await stopped;
    expect(world.clock.scheduled).toBe(0);
  });

  test('leaves nothing behind when stopped', async () => {
    const world = await start();
    world.trees.touch(world.write('backlog.yaml', 'tasks: []\n'));
    await world.watch.stop();
    expect(world.clock.scheduled).toBe(0);
    expect(world.trees.roots).toEqual([]);
    await world.watch.reconcile();
    expect(await world.quiet(120_000)).toEqual([]);
  });
});
