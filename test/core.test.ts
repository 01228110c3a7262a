import { existsSync } from 'node:fs';
import { readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../src/base/clock.ts';
import type { Disk } from '../src/base/disk.ts';
import { nodeDisk } from '../src/base/nodeDisk.ts';
import { createVault } from '../src/core.ts';
import { createProcesses } from '../src/harness/processTable.ts';
import { loadIdentity } from '../src/vault/identity.ts';
import { VaultLayout } from '../src/vault/layout.ts';
import { findOwner } from '../src/vault/owner.ts';
import { failureOf } from './support/failureOf.ts';
import { makeGitProject } from './support/gitProject.ts';
import { openCore } from './support/openCore.ts';
import { makeTemporaryDirectory } from './support/temporaryDirectory.ts';
import { diskChanges, systemError, traceDisk } from './support/tracingDisk.ts';
import { makeWorld } from './support/world.ts';

describe('createVault', () => {
  const environment = { PATH: process.env['PATH'] ?? '', GIT_CONFIG_NOSYSTEM: '1', GIT_CONFIG_GLOBAL: '/dev/null' };
  const create = (root: string, disk: Disk = nodeDisk, path = environment.PATH) =>
    createVault({
      ...{ root, disk, name: 'mine', clock: systemClock, version: '0.0.0' },
      environment: { ...environment, PATH: path },
    });

  test('makes a repository with one commit and a clean working tree', async () => {
    const root = join(await makeTemporaryDirectory(), 'vault');
    await create(root);
    const { person } = await makeGitProject();
    expect(await person('-C', root, 'log', '--format=%s')).toBe('Create the vault mine\n');
    expect(await person('-C', root, 'status', '--porcelain')).toBe('');
  });

  test('makes nothing when git or the parent folder is missing', async () => {
    const folder = await makeTemporaryDirectory();
    const root = join(folder, 'vault');
    expect(await failureOf(() => create(root, nodeDisk, folder))).toMatchObject({ code: 'git/missing' });
    expect(await failureOf(() => create(join(root, 'below')))).toMatchObject({ code: 'vault/none' });
    expect(existsSync(root)).toBe(false);
  });

  test('refuses a folder with other content and makes no repository in it', async () => {
    const { directory } = await makeGitProject({ files: { a: '1' } });
    const root = join(directory, 'vault');
    await nodeDisk.makeDirectory(root);
    await nodeDisk.makeDirectory(join(root, 'mine'));
    expect(await failureOf(() => create(root))).toMatchObject({ code: 'vault/exists' });
    expect(existsSync(join(root, '.git'))).toBe(false);
  });

  test('completes when it is called again after it was stopped anywhere, and never leaves a vault without a repository', {
    timeout: 120_000,
  }, async () => {
    const folder = await makeTemporaryDirectory();
    let whole = 0;
    for (let at = 1; whole === 0; at += 2) {
      const root = join(folder, 'vault');
      let changes = 0;
      const disk = traceDisk(nodeDisk, (_n, name) => {
        if (diskChanges.has(name)) changes++;
        if (changes >= at) throw systemError('EIO');
      });
      const done = await create(root, disk).then(
        () => true,
        () => false,
      );
      if (done) whole++;
      const isVault = existsSync(join(root, 'ravel.toml'));
      if (isVault) expect(existsSync(join(root, '.git', 'HEAD'))).toBe(true);
      else await create(root);
      expect(await loadIdentity(nodeDisk, new VaultLayout(root))).toMatchObject({ name: 'mine' });
      await rm(root, { recursive: true, force: true });
    }
  });
});

describe('the owner of a vault', () => {
  test('is the only one, can be found, and is gone after it stops', async () => {
    const world = await makeWorld();
    const find = () =>
      findOwner({ vault: world.vault, disk: nodeDisk, processes: createProcesses(nodeDisk), clock: systemClock });
    expect(await find()).toBeUndefined();
    const core = await openCore(world);
    expect(await find()).toEqual({ socketPath: core.socketPath, pid: process.pid });
    expect(await failureOf(() => openCore(world))).toMatchObject({ code: 'vault/owned' });
    const local = await openCore(world, { role: 'local' });
    expect((await local.api.request('list', {})).plans).toHaveLength(1);
    await local.stop();
    await core.stop();
    expect(await find()).toBeUndefined();
  });

  test('that was away while another process took the vault gives up, and leaves what that one writes alone', async () => {
    const world = await makeWorld();
    let awayMs = 0;
    const clock = { ...systemClock, wallMs: () => systemClock.wallMs() + awayMs };
    const core = await openCore(world, { clock });
    const add = (title: string) =>
      core.api.request('state', { plan: world.plan, verb: 'backlog/add', args: { title, category: 'feature' } });
    await add('Before');
    const { ownerLock } = new VaultLayout(world.vault);
    const usurper = JSON.stringify({ generation: 2, pid: 1, startTime: 'x', bootId: 'x', namespace: 'pid:[1]' });
    await writeFile(`${ownerLock}.2`, usurper);
    awayMs = 60_000;
    expect(await failureOf(() => add('After'))).toMatchObject({ code: 'vault/lost', subject: world.vault });
    expect((await core.lost)?.diagnostic).toMatchObject({ code: 'vault/lost' });
    // What git changes does not go through the owner's disk.
    const inspected = await core.api.request('inspect_project', { project: world.project });
    expect(inspected.diagnostics).toMatchObject([{ code: 'vault/lost' }]);
    const before = await listWhole(world.vault);
    await core.stop();
    expect(await listWhole(world.vault)).toEqual(before);
    expect(await readFile(`${ownerLock}.2`, 'utf8')).toBe(usurper);
  });

  test('stops once, however often it is asked to', async () => {
    const core = await openCore(await makeWorld(), { sessions: 'processes' });
    const stopping = core.stop();
    expect(core.stop()).toBe(stopping);
    await stopping;
    expect(core.stop()).toBe(stopping);
  });
});

/** Every path below a folder with when it was last changed. */
async function listWhole(folder: string): Promise<string[]> {
  const paths = await readdir(folder, { recursive: true });
  const lines = paths.map(async (path) => `${path} ${(await stat(join(folder, path))).mtimeMs}`);
  return (await Promise.all(lines)).sort();
}
