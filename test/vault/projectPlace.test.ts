import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { projectPlaceProblem } from '../../src/vault/projectPlace.ts';
import { makeVaultFolder } from '../support/vaultFolder.ts';

/** What is said of a folder: its code and the end of its message, without the test's own folder. */
async function check(below: string, expected: string | undefined, files: readonly string[] = []): Promise<void> {
  const vault = await makeVaultFolder();
  const home = join(vault.folder, 'people/ada');
  mkdirSync(home, { recursive: true });
  symlinkSync(home, join(vault.folder, 'home'));
  for (const file of files) {
    mkdirSync(dirname(join(vault.folder, file)), { recursive: true });
    writeFileSync(join(vault.folder, file), '');
  }
  const path = below.startsWith('/') ? below : join(vault.folder, below);
  const problem = await projectPlaceProblem(nodeDisk, vault.layout, { path, home: join(vault.folder, 'home') });
  const said = problem && `${problem.code} ${problem.message.replace(`${path} `, '').replace(vault.folder, '')}`;
  expect(said).toBe(expected);
}

test('an ordinary folder can be a project', () => check('people/ada/shop', undefined, ['people/ada/shop/README.md']));
test('a project without plans can have a folder named ravel', () =>
  check('people/ada/shop/ravel/x', undefined, ['people/ada/shop/ravel/x/y']));
test.each<[string, string, string, readonly string[]]>([
  ['the root of the file system', '/', 'project/badPlace is the root of the file system.', []],
  ['the home folder', 'people/ada', 'project/badPlace is your home folder.', []],
  ['a folder above the home folder', 'people', 'project/badPlace holds your home folder.', []],
  ['the vault', 'vault', 'project/inVault belongs to the vault itself.', []],
  ['a folder of the vault', 'vault/knowledge', 'project/inVault belongs to the vault itself.', []],
  ['another vault', 'other', 'project/inVault is a vault itself.', ['other/ravel.toml']],
  ['a folder in .git', 'shop/.git/hooks', notFiles(), ['shop/.git/HEAD']],
  ['a bare repository', 'shop.git', notFiles(), ['shop.git/HEAD', 'shop.git/objects/x', 'shop.git/refs/x']],
  ['the state folder of a project', 'shop/ravel', plansOf('/shop'), ['shop/ravel/project-root/plan-state.md']],
  [
    'a plan of a project',
    'shop/ravel/project-root/child',
    plansOf('/shop'),
    ['shop/ravel/project-root/plan-state.md', 'shop/ravel/project-root/child/plan-state.md'],
  ],
])('%s is not a place for a project', (_name, below, expected, files) => check(below, expected, files));

function notFiles(): string {
  return 'project/badPlace is where git keeps a repository, and holds no files of a project.';
}

function plansOf(project: string): string {
  return `project/badPlace holds plans of the project ${project}.`;
}
