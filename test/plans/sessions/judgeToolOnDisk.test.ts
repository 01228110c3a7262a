import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Disk } from '../../../src/base/disk.ts';
import { nodeDisk } from '../../../src/base/nodeDisk.ts';
import { judgeToolOnDisk, realAsFarAsItExists } from '../../../src/plans/sessions/judgeToolOnDisk.ts';
import { failureOf } from '../../support/failureOf.ts';
import { makeTemporaryDirectory } from '../../support/temporaryDirectory.ts';
import { type DiskOperationName, failingDisk } from '../../support/tracingDisk.ts';

async function makeProject() {
  const root = await makeTemporaryDirectory();
  const [project, outside] = [join(root, 'project'), join(root, 'outside')];
  await mkdir(join(project, 'ravel/project-root'), { recursive: true });
  await mkdir(join(project, 'src'));
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), 'secret\n');
  await symlink(outside, join(project, 'src/out'));
  await symlink('src', join(project, 'inside'));
  await symlink('../outside-new', join(project, 'dangling'));
  await symlink('dangling', join(project, 'twice'));
  await symlink('src/out/../new', join(project, 'around'));
  await symlink('src/new.txt', join(project, 'later'));
  await symlink('loop', join(project, 'loop'));
  return { project, outside };
}

const ioError = (operation: DiskOperationName) =>
  failingDisk(nodeDisk, { code: 'EIO', at: 1, matches: (name) => name === operation });

describe('a tool request is judged by real paths', () => {
  async function check(
    tool: string,
    input: Record<string, unknown>,
    expected: string,
    disk: Disk = nodeDisk,
  ): Promise<void> {
    const { project } = await makeProject();
    const verdict = await judgeToolOnDisk(disk, {
      purpose: 'work',
      confinement: 'unconfined',
      projectDirectory: project,
      ravelDirectory: join(project, 'ravel'),
      request: { tool_name: tool, input },
    });
    expect(verdict.decision).toBe(expected);
  }

  test('a link out of the project is outside', async () => {
    await check('Write', { file_path: 'src/new.txt', content: '' }, 'allow');
    await check('Write', { file_path: 'src/out/new.txt', content: '' }, 'deny');
    await check('Write', { file_path: 'src/out/new/deep.txt', content: '' }, 'deny');
    await check('Read', { file_path: 'src/out/secret.txt' }, 'deny');
  });

  test('a link within the project is inside', async () => {
    await check('Write', { file_path: 'inside/new.txt', content: '' }, 'allow');
    await check('Write', { file_path: 'inside/out/new.txt', content: '' }, 'deny');
  });

  test('a broken link is where a write would create its target', async () => {
    await check('Write', { file_path: 'dangling', content: '' }, 'deny');
    await check('Write', { file_path: 'dangling/deep.txt', content: '' }, 'deny');
    await check('Write', { file_path: 'twice', content: '' }, 'deny');
    await check('Write', { file_path: 'around', content: '' }, 'deny');
    await check('Write', { file_path: 'later', content: '' }, 'allow');
    await check('Bash', { command: 'echo x > dangling' }, 'deny');
    await check('Bash', { command: 'echo x > later' }, 'allow');
  });

  test('a path that the system cannot resolve is denied', async () => {
    await check('Write', { file_path: 'loop', content: '' }, 'deny');
    await check('Write', { file_path: 'src/new.txt', content: '' }, 'deny', ioError('realPath'));
    await check('Write', { file_path: 'later', content: '' }, 'deny', ioError('lstat'));
    await check('Write', { file_path: 'later', content: '' }, 'deny', ioError('readLink'));
  });

  test('text that cannot be a path is not denied for it', async () => {
    await check('Bash', { command: `echo ${'long '.repeat(80)}${'x'.repeat(300)} later/file` }, 'allow');
    await check('Read', { file_path: `src/${'x'.repeat(300)}` }, 'allow');
  });

  test('a command is denied when one of its paths is outside', async () => {
    await check('Bash', { command: 'cat src/a.txt' }, 'allow');
    await check('Bash', { command: 'cat src/a.txt src/out/secret.txt' }, 'deny');
  });
});

describe('resolving a path as far as it exists', () => {
  async function check(path: string, expected: string): Promise<void> {
    const { project } = await makeProject();
    const real = await realAsFarAsItExists(nodeDisk, join(project, path));
    expect(real).toBe(join(project, expected));
  }

  test('follows the links of the existing part', async () => {
    await check('src', 'src');
    await check('inside', 'src');
    await check('inside/a/b.txt', 'src/a/b.txt');
    await check('nothing/at/all', 'nothing/at/all');
    await check('inside/out/a.txt', '../outside/a.txt');
    await check('dangling', '../outside-new');
    await check('dangling/a/b.txt', '../outside-new/a/b.txt');
    await check('twice', '../outside-new');
    // `src/out` leads outside, so its parent is the folder of the project.
    await check('around', '../new');
    await check('src/out/secret.txt/b.txt', '../outside/secret.txt/b.txt');
  });

  test('fails when the system refuses or links do not end', async () => {
    const { project } = await makeProject();
    for (let n = 0; n < 50; n++) await symlink(`chain${n + 1}`, join(project, `chain${n}`));
    for (const name of ['loop', 'chain0']) {
      const problem = await failureOf(() => realAsFarAsItExists(nodeDisk, join(project, name)));
      expect(problem).toMatchObject({ code: 'disk/failed' });
    }
    expect(await realAsFarAsItExists(nodeDisk, join(project, 'chain20'))).toBe(join(project, 'chain50'));
    const denied = failingDisk(nodeDisk, { code: 'EACCES', at: 1 });
    const problem = await failureOf(() => realAsFarAsItExists(denied, join(project, 'src')));
    expect(problem).toMatchObject({ code: 'disk/denied' });
  });

  test('stops at the root', async () => {
    expect(await realAsFarAsItExists(nodeDisk, '/')).toBe('/');
    expect(await realAsFarAsItExists(nodeDisk, '/nothing-of-this-name')).toBe('/nothing-of-this-name');
  });
});
