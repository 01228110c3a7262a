import { mkdir, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { InspectedProject } from '../../src/model/requests/vault.ts';
import { openCore } from '../support/openCore.ts';
import { makeWorld, type World } from '../support/world.ts';

interface Case {
  readonly name: string;
  /** The folder to look at. */
  readonly at: (world: World) => Promise<string> | string;
  readonly expected: Partial<InspectedProject> & { readonly codes?: readonly string[] };
}

async function emptyFolder(world: World, name: string): Promise<string> {
  const folder = join(world.root, name);
  await mkdir(folder);
  return folder;
}

test.each<Case>([
  {
    name: 'reports an adopted project by its name and root plan',
    at: (world) => world.project,
    expected: { adoptedAs: 'greeter', hasRootPlan: true },
  },
  {
    name: 'accepts a folder inside a repository',
    at: async (world) => {
      await mkdir(join(world.project, 'inner'));
      return join(world.project, 'inner');
    },
    expected: { name: 'inner', hasRootPlan: false, codes: [] },
  },
  {
    name: 'counts the files that are not committed, without those of Ravel',
    at: async (world) => {
      await writeFile(join(world.project, 'draft.txt'), 'mine');
      return world.project;
    },
    expected: { uncommitted: 1 },
  },
  {
    name: 'reports a folder without a repository',
    at: (world) => emptyFolder(world, 'plain'),
    expected: { codes: ['git/notARepository'] },
  },
  {
    name: 'reports a folder name that is not a valid project name',
    at: (world) => emptyFolder(world, 'a:b'),
    expected: { codes: ['plan/badId', 'git/notARepository'] },
  },
  {
    name: 'reports a folder that is itself a vault',
    at: async (world) => {
      await writeFile(join(world.project, 'ravel.toml'), '');
      return world.project;
    },
    expected: { codes: ['project/inVault'] },
  },
  {
    name: 'reports a folder inside the vault',
    at: (world) => join(world.vault, 'knowledge'),
    expected: { codes: ['project/inVault'] },
  },
  { name: 'reports the vault itself', at: (world) => world.vault, expected: { codes: ['project/inVault'] } },
])('inspect_project $name', async ({ at, expected: { codes, ...expected } }) => {
  const world = await makeWorld();
  const folder = await at(world);
  const core = await openCore(world, { role: 'local' });
  const look = await core.api.request('inspect_project', { project: folder });
  await core.stop();
  expect(look).toMatchObject({ name: basename(folder), ...expected });
  if (codes !== undefined) expect(look.diagnostics.map(({ code }) => code)).toEqual(codes);
});

test('a rebase in progress is a warning, because it can be ended before a phase runs', async () => {
  const world = await makeWorld();
  await mkdir(join(world.project, '.git/rebase-merge'));
  const core = await openCore(world, { role: 'local' });
  const { diagnostics } = await core.api.request('inspect_project', { project: world.project });
  await core.stop();
  expect(diagnostics).toMatchObject([{ code: 'git/operationInProgress', severity: 'warning' }]);
});

test('inspecting a folder that does not exist is refused', async () => {
  const world = await makeWorld();
  const core = await openCore(world, { role: 'local' });
  await expect(core.api.request('inspect_project', { project: '/nonexistent' })).rejects.toMatchObject({
    code: 'project/missing',
  });
  await core.stop();
});
