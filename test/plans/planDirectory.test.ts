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

describe('a name means', () => {
  async function check(name: string, expected: string): Promise<void> {
    const { directory } = await makeDirectory();
    expect((await directory.find(name)).id).toBe(expected);
  }

  test('the plan of that id, or the root plan of that project', async () => {
    await check('Demo/project-root/child', 'Demo/project-root/child');
    await check('Demo/project-root', 'Demo/project-root');
    await check('Other', 'Other/project-root');
  });

  test('nothing: the plans that there are get named', async () => {
    const { directory } = await makeDirectory();
    const problem = await failureOf(() => directory.find('Missing'));
    expect(problem).toMatchObject({ code: 'plan/unknown', subject: 'Missing/project-root' });
    expect(problem.help).toContain('Demo/project-root, Demo/project-root/child, Other/project-root');
  });

  test('nothing in an empty vault: the way to a first plan is named', async () => {
    const { layout } = await makeVaultFolder();
    const problem = await failureOf(() => new PlanDirectory(nodeDisk, layout).find('Demo'));
    expect(problem.help).toContain('ravel adopt');
  });

  test('no plan at all', async () => {
    const { directory } = await makeDirectory();
    for (const name of ['', 'Demo/../Other', 'a//b']) {
      expect(await failureOf(() => directory.find(name))).toMatchObject({ code: 'plan/badId', subject: name });
    }
  });
});

describe('what was found', () => {
  test('is kept: asking again touches no disk', async () => {
    const { directory, disk } = await makeDirectory();
    await directory.all();
    const count = disk.operationCount();
    await directory.find('Demo');
    await directory.childrenOf(toQualifiedId('Demo/project-root'));
    expect(disk.operationCount()).toBe(count);
  });

  test('is looked for once more when a plan is not among it', async () => {
    const { directory, vault } = await makeDirectory();
    await directory.all();
    const id = toQualifiedId('Demo/project-root/late');
    await createPlan({ disk: nodeDisk, layout: vault.layout, id, description: 'Came later' });
    expect((await directory.find(id)).id).toBe(id);
  });

  test('is forgotten on request', async () => {
    const { directory, vault } = await makeDirectory();
    expect((await directory.all()).plans.length).toBe(3);
    rmSync(join(vault.folder, 'Demo/ravel/project-root/child'), { recursive: true });
    expect((await directory.all()).plans.length).toBe(3);
    expect((await directory.rescan()).plans.map(({ id }) => id)).toEqual(['Demo/project-root', 'Other/project-root']);
  });

  test('is told with what is wrong', async () => {
    const { directory, vault } = await makeDirectory();
    vault.write('Demo/ravel/stray/plan-state.md', 'x');
    expect((await directory.all()).diagnostics).toMatchObject([{ code: 'plan/badId' }]);
  });
});

test('children are the plans below, and none with a name that begins alike', async () => {
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
