import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { borrowedObjects } from '../../../src/harness/confinement/borrowedObjects.ts';
import { findNamed, folderAround, isCoveredBy } from '../../../src/harness/confinement/systemFolders.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';

const system = ['/opt', '/usr', '/var/lib'];

describe('what lies beside a repository is hidden if it lies in a folder of the system', () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    '/data/project': [],
    '/usr/src/app': ['/usr/src'],
    '/opt/work/project': ['/opt/work'],
    // Programs are there side by side; those that PATH names come back.
    '/opt/project': ['/opt'],
    // Without the system itself nothing would run.
    '/usr/project': [],
    '/project': [],
  };
  test.each(Object.entries(cases))('%s', (root, expected) => {
    expect(folderAround({ repository: { root } }, system)).toEqual(expected);
  });
});

describe('a path is covered unless it lies in a folder of the system and in nothing that is hidden there', () => {
  const covers = ['/me', '/tmp', '/usr/src', '/var'];
  const cases: Readonly<Record<string, boolean>> = {
    '/usr/bin': false,
    '/usr/src/other': true,
    '/data/tool/bin': true,
    '/me/.tool/bin': true,
    // The inner one counts.
    '/var/lib/x': false,
  };
  test.each(Object.entries(cases))('%s', (path, expected) => {
    expect(isCoveredBy(path, covers, system)).toBe(expected);
  });
});

test('a folder is found by its real path, with each link that leads to it', async () => {
  const root = await makeTemporaryDirectory();
  await mkdir(join(root, 'sdk/2/bin'), { recursive: true });
  await symlink('2', join(root, 'sdk/current'));
  await symlink(join(root, 'sdk'), join(root, 'tools'));
  const named = [join(root, 'tools/current/bin'), join(root, 'none'), 'relative'];
  expect(await findNamed(nodeDisk, named, ['/usr'])).toEqual({
    paths: [join(root, 'sdk/2/bin')],
    links: [
      { path: join(root, 'tools'), target: join(root, 'sdk') },
      { path: join(root, 'sdk/current'), target: join(root, 'sdk/2') },
    ],
  });
  expect(await findNamed(nodeDisk, named.slice(0, 1), [root])).toEqual({ paths: named.slice(0, 1), links: [] });
});

test('a repository borrows objects from the folders that git would read, and from no other kind', async () => {
  const root = await makeTemporaryDirectory();
  const objects = (name: string) => join(root, name, 'objects');
  for (const name of ['a', 'b', 'c']) await mkdir(join(objects(name), 'info'), { recursive: true });
  await mkdir(join(root, 'secrets'));
  const name = (from: string, lines: readonly string[]) =>
    writeFile(join(objects(from), 'info/alternates'), `${lines.join('\n')}\n`);
  await name('a', ['# a comment', '../../b/objects', join(root, 'secrets'), join(root, 'none/objects')]);
  // They may name each other.
  await name('b', [objects('c'), objects('a')]);
  await name('c', [objects('b')]);
  const found = await borrowedObjects(nodeDisk, join(root, 'a'));
  expect(found.sort()).toEqual([objects('a'), objects('b'), objects('c')]);
});
