import { mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { adoptProject } from '../../src/vault/adoption.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { relinkProjects } from '../../src/vault/relink.ts';
import { walkVault } from '../../src/vault/walk.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { diskChanges, systemError, traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder, type VaultFolder } from '../support/vaultFolder.ts';

let vault: VaultFolder;

beforeEach(async () => {
  vault = await makeVaultFolder(['Demo', 'Other']);
});

const relink = (disk = nodeDisk) => relinkProjects(disk, vault.layout);
const link = (name: string) => join(vault.layout.projects, name);
const ravelOf = (name: string) => join(vault.folder, name, 'ravel');

describe('relinkProjects', () => {
  test('changes nothing if every link is right', async () => {
    const before = listTree(vault.folder);
    expect(await relink()).toEqual({ linked: [], diagnostics: [] });
    expect(listTree(vault.folder)).toEqual(before);
  });

  test('restores missing links, and changes nothing when repeated', async () => {
    const before = listTree(vault.folder);
    rmSync(vault.layout.projects, { recursive: true });
    expect(await relink()).toEqual({ linked: ['Demo', 'Other'], diagnostics: [] });
    expect(listTree(vault.folder)).toEqual(before);
    expect(await relink()).toEqual({ linked: [], diagnostics: [] });
  });

  test('serves a vault and a project that were moved', async () => {
    const moved = join(vault.folder, 'elsewhere');
    renameSync(vault.layout.root, moved);
    renameSync(join(vault.folder, 'Demo'), join(vault.folder, 'Renamed'));
    const layout = new VaultLayout(moved);
    const local = layout.localProjectsFile;
    writeFileSync(local, vault.read('elsewhere/projects.local.yaml').replace('/Demo', '/Renamed'));
    expect(await relinkProjects(nodeDisk, layout)).toEqual({ linked: ['Demo'], diagnostics: [] });
    const { plans, diagnostics } = await walkVault(nodeDisk, layout);
    expect(plans.map(({ id }) => id)).toEqual(['Demo/project-root', 'Other/project-root']);
    expect(diagnostics).toEqual([]);
  });

  test('says what to clone on another machine, and adopting there restores the link', async () => {
    vault.write('vault/projects.yaml', 'projects:\n- name: Demo\n  remote: git@host:demo\n- name: Other\n');
    rmSync(vault.layout.projects, { recursive: true });
    rmSync(vault.layout.localProjectsFile);
    const { linked, diagnostics } = await relink();
    expect(linked).toEqual([]);
    expect(diagnostics).toMatchObject([
      {
        code: 'project/notHere',
        severity: 'warning',
        help: 'Clone git@host:demo and run `ravel adopt DIR --name Demo`.',
      },
      { code: 'project/notHere', help: 'Get its folder and run `ravel adopt DIR --name Other`.' },
    ]);
    await adoptProject({ disk: nodeDisk, layout: vault.layout, project: join(vault.folder, 'Demo'), name: 'Demo' });
    expect(readlinkSync(link('Demo'))).toBe(ravelOf('Demo'));
    expect((await relink()).diagnostics).toMatchObject([{ subject: 'Other' }]);
  });

  test.each<[string, () => void, object[]]>([
    ['a folder in the way', () => mkdirSync(link('Demo')), [{ code: 'project/badLink', subject: 'Demo' }]],
    [
      'a link to somewhere else',
      () => {
        mkdirSync(join(vault.folder, 'mine'));
        symlinkSync(join(vault.folder, 'mine'), link('Demo'));
      },
      [{ code: 'project/badLink', subject: 'Demo' }],
    ],
    [
      'a link that is not in the registry',
      () => symlinkSync(ravelOf('Demo'), link('Mine')),
      [
        { code: 'project/exists', subject: 'Demo' },
        { code: 'project/unregistered', subject: 'Mine', help: expect.stringContaining('--name Mine') },
      ],
    ],
    [
      'a project whose folder is gone',
      () => rmSync(join(vault.folder, 'Demo'), { recursive: true }),
      [{ code: 'project/noRootPlan', subject: 'Demo' }],
    ],
    [
      'a relative path',
      () => vault.write('vault/projects.local.yaml', 'projects:\n- name: Demo\n  path: Demo\n'),
      [{ code: 'project/missing', subject: 'Demo' }],
    ],
    [
      'names that would lead out of projects/',
      () =>
        vault.write('vault/projects.local.yaml', `projects:\n- name: ../Demo\n  path: ${join(vault.folder, 'Demo')}\n`),
      [{ code: 'project/notHere' }, { code: 'plan/badId', subject: '../Demo' }],
    ],
    [
      'a registry that cannot be read',
      () => vault.write('vault/projects.yaml', 'projects: ['),
      [{ code: 'yaml/syntax' }],
    ],
  ])('leaves and reports %s', async (_name, change, expected) => {
    unlinkSync(link('Demo'));
    change();
    const entries = listTree(vault.layout.projects);
    const { diagnostics } = await relink();
    expect(diagnostics.filter(({ subject }) => subject !== 'Other')).toMatchObject(expected);
    expect(listTree(vault.layout.projects)).toEqual(expect.arrayContaining(entries));
  });

  test('completes what an earlier run stopped before any change left undone', async () => {
    const before = listTree(vault.folder);
    for (let at = 1; ; at++) {
      rmSync(vault.layout.projects, { recursive: true });
      mkdirSync(vault.layout.projects);
      symlinkSync('/nowhere', link('Demo'));
      let changes = 0;
      const stopping = traceDisk(nodeDisk, (_n, operation) => {
        if (diskChanges.has(operation) && ++changes >= at) throw systemError('EIO');
      });
      const done = await relink(stopping).then(
        () => true,
        () => false,
      );
      if (done) break;
      await relink();
      expect(listTree(vault.folder)).toEqual(before);
    }
  });
});

test('adoptProject without a description refuses a project without a root plan', async () => {
  mkdirSync(join(vault.folder, 'New'));
  const adoption = { disk: nodeDisk, layout: vault.layout, project: join(vault.folder, 'New') };
  expect(await failureOf(() => adoptProject(adoption))).toMatchObject({ code: 'plan/badDescription' });
});
