import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { PlanDirectory } from '../../src/plans/planDirectory.ts';
import { createPlan } from '../../src/vault/planCreation.ts';
import { failureOf } from '../support/failureOf.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

const child = toQualifiedId('Demo/project-root/child');

async function makeDirectory() {
  const vault = await makeVaultFolder(['Demo', 'Other'], [child]);
  const disk = traceDisk(nodeDisk, () => undefined);
  return { vault, disk, directory: new PlanDirectory(disk, vault.layout) };
}

describe('finding a plan by name', () => {
  async function check(name: string, expected: string): Promise<void> {
    const { directory } = await makeDirectory();
    expect((await directory.find(name)).id).toBe(expected);
  }

  test('takes a qualified id, or a project name for its root plan', async () => {
    await check('Demo/project-root/child', 'Demo/project-root/child');
    await check('Demo/project-root', 'Demo/project-root');
    await check('Other', 'Other/project-root');
  });

  test('lists the existing plans when the plan is unknown', async () => {
    const { directory } = await makeDirectory();
    const problem = await failureOf(() => directory.find('Missing'));
    expect(problem).toMatchObject({ code: 'plan/unknown', subject: 'Missing/project-root' });
    expect(problem.help).toContain('Demo/project-root, Demo/project-root/child, Other/project-root');
  });

  test.each([
    ['child', 'Demo/project-root/child'],
    ['Dem', 'Demo/project-root'],
  ])('suggests a plan for %s', async (name, meant) => {
    const { directory } = await makeDirectory();
    const problem = await failureOf(() => directory.find(name));
    expect(problem.help).toBe(`Did you mean ${meant}?`);
  });

  test('points an empty vault to `ravel adopt`', async () => {
    const { layout } = await makeVaultFolder();
    const problem = await failureOf(() => new PlanDirectory(nodeDisk, layout).find('Demo'));
    expect(problem.help).toContain('ravel adopt');
  });

  test('refuses a name that is not a valid plan id', async () => {
    const { directory } = await makeDirectory();
    for (const name of ['', 'Demo/../Other', 'a//b']) {
      expect(await failureOf(() => directory.find(name))).toMatchObject({ code: 'plan/badId', subject: name });
    }
  });
});

describe('the plan directory', () => {
  test('answers from its cache without touching the disk', async () => {
    const { directory, disk } = await makeDirectory();
    await directory.all();
    const count = disk.operationCount();
    await directory.find('Demo');
    await directory.childrenOf(toQualifiedId('Demo/project-root'));
    expect(disk.operationCount()).toBe(count);
  });

  test('rescans when the plan asked for is not in the cache', async () => {
    const { directory, vault } = await makeDirectory();
    await directory.all();
    const id = toQualifiedId('Demo/project-root/late');
    await createPlan({ disk: nodeDisk, layout: vault.layout, id, description: 'Came later' });
    expect((await directory.find(id)).id).toBe(id);
  });

  test('drops the cache on a rescan', async () => {
    const { directory, vault } = await makeDirectory();
    expect((await directory.all()).plans.length).toBe(3);
    rmSync(join(vault.folder, 'Demo/ravel/project-root/child'), { recursive: true });
    expect((await directory.all()).plans.length).toBe(3);
    expect((await directory.rescan()).plans.map(({ id }) => id)).toEqual(['Demo/project-root', 'Other/project-root']);
  });

  test('reports diagnostics of the walk with the plans', async () => {
    const { directory, vault } = await makeDirectory();
    vault.write('Demo/ravel/stray/plan-state.md', 'x');
    expect((await directory.all()).diagnostics).toMatchObject([{ code: 'plan/badId' }]);
  });
});

test('the children of a plan are those in its folder, not siblings with the same prefix', async () => {
  const { directory, vault } = await makeDirectory();
  for (const name of ['child/deep', 'childish']) {
    const id = toQualifiedId(`Demo/project-root/${name}`);
    await createPlan({ disk: nodeDisk, layout: vault.layout, id, description: 'A child' });
  }
  expect(await directory.childrenOf(child)).toEqual([`${child}/deep`]);
  expect(await directory.childrenOf(toQualifiedId('Demo/project-root'))).toEqual([
    child,
    `${child}/deep`,
    'Demo/project-root/childish',
  ]);
});
