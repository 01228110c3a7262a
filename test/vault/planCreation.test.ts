import { existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { QualifiedId } from '../../src/model/id.ts';
import { toQualifiedId } from '../../src/model/id.ts';
import { createPlan } from '../../src/vault/planCreation.ts';
import { loadPlan } from '../../src/vault/planStore.ts';
import { loadRunState, runStateSchema, saveRunState } from '../../src/vault/runState.ts';
import { walkVault } from '../../src/vault/walk.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder, type VaultFolder } from '../support/vaultFolder.ts';

let vault: VaultFolder;
let root: string;

beforeEach(async () => {
  vault = await makeVaultFolder(['Demo']);
  root = join(vault.folder, 'Demo/ravel/project-root');
});

function create(id: string, description = 'One part of it', disk = nodeDisk) {
  // A person may type something that is not an id; that must be an error, too.
  return createPlan({ disk, layout: vault.layout, id: id as QualifiedId, description });
}

describe('createPlan', () => {
  test('creates a plan below an existing one, and another below that', async () => {
    expect(await create('Demo/project-root/a')).toBe(vault.layout.plan(toQualifiedId('Demo/project-root/a')));
    await create('Demo/project-root/a/b');
    const { plans, diagnostics } = await walkVault(nodeDisk, vault.layout);
    expect(plans.map(({ id, parent }) => [id, parent])).toEqual([
      ['Demo/project-root', undefined],
      ['Demo/project-root/a', 'Demo/project-root'],
      ['Demo/project-root/a/b', 'Demo/project-root/a'],
    ]);
    expect(diagnostics).toEqual([]);
    for (const plan of plans) {
      expect(await loadPlan(nodeDisk, plan)).toMatchObject({ phase: 'work', diagnostics: [] });
    }
  });

  test.each([
    ['Demo/project-root/x', '', 'plan/badDescription', 'empty'],
    ['Demo/project-root/x', 'tbd', 'plan/badDescription', 'placeholder'],
    ['Demo/project-root', 'd', 'plan/badId', 'by adoption'],
    ['Demo/x', 'd', 'plan/badId', 'project-root'],
    ['Demo/project-root/project-root', 'd', 'plan/badId', 'only once'],
    ['Demo/project-root/../x', 'd', 'plan/badId', 'starts with a dot'],
    ['Demo/project-root/', 'd', 'plan/badId', 'empty'],
    ['expert:rust', 'd', 'plan/badId', 'expert'],
    ['Demo/project-root/Memory.yaml', 'd', 'plan/badId', 'has the name'],
    ['Demo/project-root/backlog.md', 'd', 'plan/badId', 'has the name'],
    ['Demo/project-root/prompt-work.md', 'd', 'plan/badId', 'has the name'],
    ['Other/project-root/x', 'd', 'plan/unknown', 'no plan "Other/project-root"'],
    ['Demo/project-root/prompt-x.md/y', 'd', 'plan/badId', 'has the name'],
    ['Demo/project-root/link/x', 'd', 'plan/exists', 'symlink'],
    ['Demo/project-root/Folder/x', 'd', 'plan/exists', 'only in case'],
    ['Demo/project-root/file/x', 'd', 'plan/exists', 'not a folder'],
    ['Demo/project-root/taken', 'd', 'plan/exists', 'already'],
    ['Demo/project-root/Taken', 'd', 'plan/exists', 'only in case'],
    ['Demo/project-root/file', 'd', 'plan/exists', 'not a folder'],
    ['Demo/project-root/link', 'd', 'plan/exists', 'symlink'],
    ['Demo/project-root/folder', 'd', 'plan/exists', '"note.md"'],
  ])('refuses %s (%j) with %s', async (id, description, code, message) => {
    await create('Demo/project-root/taken');
    mkdirSync(join(root, 'folder'));
    writeFileSync(join(root, 'folder/note.md'), '');
    writeFileSync(join(root, 'file'), '');
    symlinkSync('taken', join(root, 'link'));
    const before = listTree(vault.folder);
    const problem = await failureOf(() => create(id, description));
    expect(problem.code).toBe(code);
    expect(problem.message).toContain(message);
    expect(listTree(vault.folder)).toEqual(before);
  });

  test('creates parent folders, which are not plans until created as such', async () => {
    await create('Demo/project-root/a/b/c');
    await create('Demo/project-root/a');
    const { plans, diagnostics } = await walkVault(nodeDisk, vault.layout);
    expect(plans.map(({ id, parent }) => [id, parent])).toEqual([
      ['Demo/project-root', undefined],
      ['Demo/project-root/a', 'Demo/project-root'],
      ['Demo/project-root/a/b/c', 'Demo/project-root/a'],
    ]);
    expect(diagnostics).toEqual([]);
  });

  test('reaches twelve levels with the longest names', async () => {
    const names = Array.from({ length: 12 }, (_, n) => `${n}-`.padEnd(120, 'x'));
    for (let depth = 1; depth <= names.length; depth++) {
      await create(['Demo/project-root', ...names.slice(0, depth)].join('/'));
    }
    const { plans, diagnostics } = await walkVault(nodeDisk, vault.layout);
    expect(plans).toHaveLength(13);
    expect(diagnostics).toEqual([]);
    const { id } = plans.at(-1) ?? {};
    mkdirSync(vault.layout.plans);
    await saveRunState(
      { disk: nodeDisk, layout: vault.layout },
      toQualifiedId(id ?? ''),
      runStateSchema.parse({ cycle: 3 }),
    );
    expect(await loadRunState({ disk: nodeDisk, layout: vault.layout }, toQualifiedId(id ?? ''))).toMatchObject({
      cycle: 3,
    });
  });

  test('leaves no plan if stopped at any change, and completes it when repeated', async () => {
    await create('Demo/project-root/a');
    const whole = listTree(root);
    let stopped = 0;
    for (let at = 1; ; at++) {
      rmSync(join(root, 'a'), { recursive: true });
      let changes = 0;
      const disk = traceDisk(nodeDisk, (_, operation) => {
        if (/^(open|file\.write|rename|makeDirectory|unlink)$/.test(operation)) changes++;
        if (changes >= at) throw Object.assign(new Error('stopped'), { code: 'EIO' });
      });
      const done = await create('Demo/project-root/a', 'One part of it', disk).then(
        () => true,
        () => false,
      );
      if (done) break;
      stopped++;
      expect(existsSync(join(root, 'a/plan-state.md'))).toBe(false);
      await create('Demo/project-root/a');
      expect(listTree(root)).toEqual(whole);
    }
    expect(stopped).toBeGreaterThan(15);
  });
});
