import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ReadingDisk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { findSecretFiles } from '../../../src/plans/sessions/secretFiles.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

test('findSecretFiles names files that can hold secrets and links to them or out of the project, and leaves installed packages out', async () => {
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

test.each([
  ['[remote "origin"]\n\turl = https://example.org/a.git\n', false],
  [`[remote "origin"]\n\turl = https://me:${password}@example.org/a.git\n`, true],
  ['[http]\n\textraHeader = Authorization: made-up\n', true],
  ['[sendemail]\n\tsmtpPass = made-up\n', true],
  ['[core]\n\taskPass = /usr/bin/ssh-askpass\n', false],
])('findSecretFiles takes the configuration of git “%s” for a secret: %s', async (text, isSecret) => {
  const root = await makeTemporaryDirectory();
  await mkdir(join(root, '.git'));
  const config = join(root, '.git/config');
  await writeFile(config, text);
  expect(await findSecretFiles(nodeDisk, root, root)).toEqual(isSecret ? [config] : []);
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
  ['pip.ini', '[global]\npassword = made-up', true],
  ['bunfig.toml', '[install.registry]\ntoken = "made-up"', true],
  ['.bundle/config', 'BUNDLE_TOKEN: "made-up"', true],
  ['other/config', 'BUNDLE_TOKEN: "made-up"', false],
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

test.each([
  ['src/objects/.env', true],
  ['src/venv/credentials.json', true],
  ['.venv/.env', true],
  ['build/__pycache__/.env', true],
  ['d/.aws/config', true],
  ['d/.ssh/known', true],
  ['d/.kube/x', true],
  ['d/.docker/config.json', true],
  ['d/.secrets/database', true],
  ['objects/HEAD', false],
  ['src/secrets/scan.ts', false],
  ['d/config.json', false],
  ['node_modules/tls/server.pem', false],
  ['venv/lib/python3.12/site-packages/certifi/cacert.pem', false],
])('findSecretFiles names %s: %s', async (name, isSecret) => {
  const root = await makeTemporaryDirectory();
  const file = join(root, name);
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, '');
  expect(await findSecretFiles(nodeDisk, root, root)).toEqual(isSecret ? [file] : []);
  if (isSecret) expect(await findSecretFiles(nodeDisk, root, dirname(file))).toEqual([file]);
});

test('findSecretFiles leaves out the objects of git alone', async () => {
  const root = await makeTemporaryDirectory();
  for (const folder of ['.git/modules/a/objects', '.git/objects', 'a/objects'])
    await mkdir(join(root, folder), { recursive: true });
  for (const folder of ['.git/modules/a', '.git', 'a']) {
    await writeFile(join(root, folder, 'HEAD'), '');
    await writeFile(join(root, folder, 'objects/.env'), '');
  }
  expect(await findSecretFiles(nodeDisk, root, root)).toEqual([join(root, 'a/objects/.env')]);
});

/** A folder in a project of which the system does not tell the entries. */
const shut = '/srv/project/shut';
test.each([
  ['that its owner locked', 'EACCES', 0o040, 'tooMany'],
  ['of another user', 'EACCES', 0o700, []],
  ['with too long a path', 'ENAMETOOLONG', undefined, 'tooMany'],
  ['that is gone', 'ENOENT', 0o700, []],
] as const)('findSecretFiles of a project with a folder %s', async (_what, code, mode, answer) => {
  const refusal = Object.assign(new Error(code), { code });
  const disk: ReadingDisk = {
    ...nodeDisk,
    readDirectory: async (path) => {
      if (path === shut) throw refusal;
      return [{ name: 'shut', kind: 'directory' }];
    },
    lstat: async () => {
      if (mode === undefined) throw refusal;
      return { kind: 'directory', owner: 0, inode: 1, size: 0, mtimeMs: 0, mode };
    },
  };
  expect(await findSecretFiles(disk, '/srv/project', '/srv/project')).toEqual(answer);
});

test('findSecretFiles gives up on a folder with too many entries', async () => {
  const entries = Array.from({ length: 20_001 }, (_, index) => ({ name: `${index}`, kind: 'file' as const }));
  const disk = { ...nodeDisk, readDirectory: async () => entries };
  expect(await findSecretFiles(disk, '/srv', '/srv/large')).toBe('tooMany');
});
