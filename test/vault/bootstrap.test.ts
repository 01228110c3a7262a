import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { initVault, trackedVaultPaths } from '../../src/vault/bootstrap.ts';
import { loadIdentity } from '../../src/vault/identity.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { walkVault } from '../../src/vault/walk.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { ManualClock } from '../support/manualClock.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { type DiskOperationName, traceDisk } from '../support/tracingDisk.ts';

let root: string;
const options = {
  ...{ disk: nodeDisk, clock: new ManualClock(), name: 'mine', version: '1.2.3' },
  makeRepository: () => Promise.resolve(),
};

beforeEach(async () => {
  root = join(await makeTemporaryDirectory(), 'vault');
});

describe('initVault', () => {
  test('creates a complete vault', async () => {
    const tracked = await initVault({ ...options, root });
    const layout = new VaultLayout(root);
    expect(await loadIdentity(nodeDisk, layout)).toEqual({
      schemaVersion: 1,
      name: 'mine',
      created: '2026-01-02T03:04:05Z',
      createdByVersion: '1.2.3',
    });
    expect(await walkVault(nodeDisk, layout)).toEqual({ plans: [], diagnostics: [] });
    expect(statSync(layout.runtime).mode & 0o777).toBe(0o700);
    expect(statSync(layout.projects).isDirectory()).toBe(true);
    for (const path of tracked) expect(existsSync(join(root, path)), path).toBe(true);
    expect(readFileSync(layout.routing, 'utf8')).toMatch(/^# .*\nrules: \[\]\n$/);
    expect(JSON.parse(readFileSync(join(root, '.obsidian/community-plugins.json'), 'utf8'))).toEqual(['dataview']);
    expect(JSON.parse(readFileSync(join(root, '.obsidian/app.json'), 'utf8'))).toMatchObject({
      useMarkdownLinks: false,
    });
  });

  test('returns exactly the paths that git tracks', async () => {
    const tracked = await initVault({ ...options, root });
    expect(tracked).toEqual(trackedVaultPaths());
    writeFileSync(join(root, 'projects.local.yaml'), '');
    writeFileSync(join(root, '.obsidian/workspace.json'), '');
    writeFileSync(join(root, '.obsidian/workspace-mobile.json'), '');
    writeFileSync(join(root, 'runtime/daemon.log'), '');
    writeFileSync(join(root, '.daemon.toml.0a1b.tmp'), '');
    symlinkSync('/nowhere', join(root, 'projects/Demo'));
    const git = (...args: string[]) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
    git('init', '-q');
    const untracked = git('status', '--porcelain', '-z', '-uall').split('\0').filter(Boolean);
    expect(untracked.map((line) => line.slice(3)).sort()).toEqual([...tracked].sort());
  });

  test('accepts an empty folder, even with a repository in it', async () => {
    mkdirSync(join(root, '.git'), { recursive: true });
    writeFileSync(join(root, '.git/HEAD'), '');
    await initVault({ ...options, root });
    expect(existsSync(join(root, 'ravel.toml'))).toBe(true);
  });

  test.each([
    ['a vault', () => mkdirSync(root), ['ravel.toml'], 'is a vault already'],
    ['a folder of files', () => mkdirSync(root), ['notes.md'], 'there is "notes.md" in it'],
    [
      'a file of the same name with other content',
      () => mkdirSync(root),
      ['daemon.toml'],
      'there is "daemon.toml" in it',
    ],
    [
      'a folder of ours with a file in it',
      () => mkdirSync(join(root, 'projects'), { recursive: true }),
      ['projects/x'],
      'there is "projects/x" in it',
    ],
    [
      'a knowledge folder with a file in it',
      () => mkdirSync(join(root, 'knowledge'), { recursive: true }),
      ['knowledge/x.md'],
      'knowledge/x.md',
    ],
    ['a file', () => writeFileSync(root, ''), [], 'is not a folder'],
  ])('refuses %s and touches nothing', async (_, make, files, message) => {
    make();
    for (const file of files) writeFileSync(join(root, file), 'theirs');
    const before = listTree(join(root, '..'));
    const problem = await failureOf(() => initVault({ ...options, root }));
    expect(problem).toMatchObject({ code: 'vault/exists', subject: root });
    expect(problem.message).toContain(message);
    expect(listTree(join(root, '..'))).toEqual(before);
  });

  test('refuses a path whose parent is missing or a file', async () => {
    const problem = await failureOf(() => initVault({ ...options, root: join(root, 'deeper') }));
    expect(problem).toMatchObject({ code: 'vault/none' });
    writeFileSync(root, '');
    expect(await failureOf(() => initVault({ ...options, root: join(root, 'x') }))).toMatchObject({
      code: 'vault/none',
    });
  });

  test('leaves no vault if stopped at any operation, and completes it when repeated', async () => {
    await initVault({ ...options, root });
    const whole = listTree(root);
    rmSync(root, { recursive: true });
    let stopped = 0;
    for (let at = 1; ; at++) {
      let changes = 0;
      const disk = traceDisk(nodeDisk, (_, operation) => {
        // Stopping before a read equals stopping after the change before it.
        if (isChange(operation)) changes++;
        if (changes >= at) throw Object.assign(new Error('stopped'), { code: 'EIO' });
      });
      const done = await initVault({ ...options, disk, root }).then(
        () => true,
        () => false,
      );
      if (done) break;
      stopped++;
      if (existsSync(join(root, 'ravel.toml'))) rmSync(join(root, 'ravel.toml'));
      await initVault({ ...options, root });
      expect(listTree(root)).toEqual(whole);
      rmSync(root, { recursive: true });
    }
    expect(stopped).toBeGreaterThan(60);
  });

  test('reports that the disk denies access', async () => {
    const disk = { ...nodeDisk, stat: () => Promise.reject(Object.assign(new Error('no'), { code: 'EACCES' })) };
    expect(await failureOf(() => initVault({ ...options, disk, root }))).toMatchObject({ code: 'disk/denied' });
    chmodSync(join(root, '..'), 0o700);
  });
});

function isChange(operation: DiskOperationName): boolean {
  return ['open', 'file.write', 'rename', 'makeDirectory', 'changeMode', 'unlink', 'symlink'].includes(operation);
}
