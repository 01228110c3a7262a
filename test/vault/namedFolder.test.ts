import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { resolveFolder } from '../../src/vault/namedFolder.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';
import { failingDisk } from '../support/tracingDisk.ts';

test('resolveFolder follows links and requires an absolute path', async () => {
  const directory = await realpath(await makeTemporaryDirectory());
  await mkdir(join(directory, 'here'));
  await symlink('here', join(directory, 'link'));
  expect(await resolveFolder(nodeDisk, join(directory, 'link'))).toBe(join(directory, 'here'));
  expect(await failureOf(() => resolveFolder(nodeDisk, 'here'))).toMatchObject({
    code: 'project/missing',
    message: expect.stringContaining('not an absolute path'),
  });
});

test('resolveFolder reports project/missing for a path that is not a folder, and other disk errors as they are', async () => {
  const directory = await makeTemporaryDirectory();
  await writeFile(join(directory, 'file'), '');
  await symlink('loop', join(directory, 'loop'));
  for (const name of ['file', 'file/below', 'loop', 'nothing']) {
    expect(await failureOf(() => resolveFolder(nodeDisk, join(directory, name)))).toMatchObject({
      code: 'project/missing',
    });
  }
  const refusing = failingDisk(nodeDisk, { code: 'EACCES', at: 1 });
  expect(await failureOf(() => resolveFolder(refusing, directory))).toMatchObject({ code: 'disk/denied' });
});
