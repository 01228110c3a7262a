import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { judgeToolOnDisk, realAsFarAsItExists } from '../../src/plans/permit.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

async function makeProject() {
  const root = await makeTemporaryDirectory();
  const [project, outside] = [join(root, 'project'), join(root, 'outside')];
  await mkdir(join(project, 'ravel/project-root'), { recursive: true });
  await mkdir(join(project, 'src'));
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), 'secret\n');
  await symlink(outside, join(project, 'src/out'));
  await symlink('src', join(project, 'inside'));
  return { project, outside };
}

describe('a request is judged with paths as they are on disk', () => {
  async function check(tool: string, input: Record<string, unknown>, expected: string): Promise<void> {
    const { project } = await makeProject();
    const verdict = await judgeToolOnDisk(nodeDisk, {
      phase: 'work',
      projectDirectory: project,
      ravelDirectory: join(project, 'ravel'),
      request: { tool_name: tool, input },
      allowedCommands: [],
    });
    expect(verdict.decision).toBe(expected);
  }

  test('a link that leaves the project is outside', async () => {
    await check('Write', { file_path: 'src/new.txt', content: '' }, 'allow');
    await check('Write', { file_path: 'src/out/new.txt', content: '' }, 'deny');
    await check('Write', { file_path: 'src/out/new/deep.txt', content: '' }, 'deny');
    await check('Read', { file_path: 'src/out/secret.txt' }, 'deny');
  });

  test('a link that stays inside is inside', async () => {
    await check('Write', { file_path: 'inside/new.txt', content: '' }, 'allow');
    await check('Write', { file_path: 'inside/out/new.txt', content: '' }, 'deny');
  });

  test('commands too, with each path that they name', async () => {
    await check('Bash', { command: 'cat src/a.txt' }, 'allow');
    await check('Bash', { command: 'cat src/a.txt src/out/secret.txt' }, 'deny');
  });
});

describe('a path as far as it exists', () => {
  async function check(path: string, expected: string): Promise<void> {
    const { project } = await makeProject();
    const real = await realAsFarAsItExists(nodeDisk, join(project, path));
    expect(real).toBe(join(project, expected));
  }

  test('has the links of that part resolved', async () => {
    await check('src', 'src');
    await check('inside', 'src');
    await check('inside/a/b.txt', 'src/a/b.txt');
    await check('nothing/at/all', 'nothing/at/all');
    await check('inside/out/a.txt', '../outside/a.txt');
  });

  test('ends at the root', async () => {
    expect(await realAsFarAsItExists(nodeDisk, '/')).toBe('/');
    expect(await realAsFarAsItExists(nodeDisk, '/nothing-of-this-name')).toBe('/nothing-of-this-name');
  });
});
