import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { findSecretFiles } from '../../../src/plans/sessions/secretFiles.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

test('findSecretFiles names files that may hold secrets and links to them or out of the project, and leaves installed packages out', async () => {
  const root = await makeTemporaryDirectory();
  for (const folder of ['deploy', 'src', 'node_modules/tls', 'ravel/project-root'])
    await mkdir(join(root, folder), { recursive: true });
  for (const file of ['.env', 'deploy/server.pem', 'src/a.ts', 'node_modules/tls/test.pem', '.env.example'])
    await writeFile(join(root, file), '');
  await writeFile(join(root, 'ravel/project-root/session-log.yaml'), '');
  await symlink('../.env', join(root, 'src/settings'));
  await symlink('a.ts', join(root, 'src/b.ts'));
  await symlink('/usr', join(root, 'src/system'));

  expect(await findSecretFiles(nodeDisk, root, root)).toEqual(
    ['.env', 'deploy/server.pem', 'ravel/project-root/session-log.yaml', 'src/settings', 'src/system'].map((path) =>
      join(root, path),
    ),
  );
});

const password = 'hidden';

test('findSecretFiles names the configuration of git if an address in it has a user', async () => {
  const root = await makeTemporaryDirectory();
  await mkdir(join(root, '.git'));
  const config = join(root, '.git/config');
  await writeFile(config, '[remote "origin"]\n\turl = https://example.org/a.git\n');
  expect(await findSecretFiles(nodeDisk, root, root)).toEqual([]);
  await writeFile(config, `[remote "origin"]\n\turl = https://me:${password}@example.org/a.git\n`);
  expect(await findSecretFiles(nodeDisk, root, root)).toEqual([config]);
});

test.each([
  ['.npmrc', '//registry.example.org/:_authToken=made-up', true],
  ['.npmrc', '//registry.example.org/:_authToken=${NPM_TOKEN}', false],
  ['.npmrc', '# a token goes here\n@scope:registry=https://registry.example.org\nsave-exact=true', false],
  ['.npmrc', `registry=https://me:${password}@registry.example.org`, true],
  ['.yarnrc.yml', 'npmAuthToken: "made-up"', true],
  ['.yarnrc.yml', 'npmAuthToken: "${NPM_TOKEN:-}"\nnodeLinker: node-modules', false],
  ['nuget.config', '<add key="ClearTextPassword" value="made-up" />', true],
  ['pip.conf', `[global]\nindex-url = https://me:${password}@pypi.example.org/simple`, true],
  ['packages/a/.npmrc', '_auth=made-up', true],
  ['src/npmrc.ts', '_auth=made-up', false],
])('findSecretFiles names %s with “%s”: %s', async (name, text, isSecret) => {
  const root = await makeTemporaryDirectory();
  const file = join(root, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, text);
  expect(await findSecretFiles(nodeDisk, root, root)).toEqual(isSecret ? [file] : []);
});

test('findSecretFiles finds nothing in a folder that is not there', async () => {
  expect(await findSecretFiles(nodeDisk, '/srv', join(await makeTemporaryDirectory(), 'none'))).toEqual([]);
});

test('findSecretFiles gives up on a folder with too many entries', async () => {
  const entries = Array.from({ length: 20_001 }, (_, index) => ({ name: `${index}`, kind: 'file' as const }));
  const disk = { ...nodeDisk, readDirectory: async () => entries };
  expect(await findSecretFiles(disk, '/srv', '/srv/large')).toBe('tooMany');
});
