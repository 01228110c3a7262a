import { execFileSync } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { commitPaths } from '../../src/git/commit.ts';
import { createGit } from '../../src/git/git.ts';
import { commitOwnPaths, initRepository } from '../../src/git/vaultRepository.ts';
import { type GitProject, makeGitProject } from '../support/gitProject.ts';
import { traceDisk } from '../support/tracingDisk.ts';

/** The project with a git before its own that notes of each call what it syncs, and a disk that notes each sync. */
async function makeTraced(project: GitProject) {
  const [folder, log] = [join(project.root, '..', 'bin'), join(project.root, '..', 'calls')];
  const real = execFileSync('sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  await mkdir(folder);
  await writeFile(
    join(folder, 'git'),
    `#!/bin/sh\necho "$(${real} config --get core.fsync) $*" >> '${log}'\nexec ${real} "$@"\n`,
  );
  await chmod(join(folder, 'git'), 0o755);
  const synced: string[] = [];
  const disk = traceDisk(nodeDisk, async (_n, name, path) => {
    if (name === 'syncDirectory' || name === 'file.sync') synced.push(path.slice(project.root.length + 1));
  });
  const environment = { ...project.environment, PATH: `${folder}:${project.environment['PATH']}` };
  const calls = async () => (await readFile(log, 'utf8')).trimEnd().split('\n');
  return { git: createGit({ environment, clock: systemClock, disk }), synced, calls };
}

const requestIn = (directory: string) => ({ directory, paths: ['.'], exclude: [], message: 'Change', trailers: [] });

test('every git that makes a repository or a commit syncs all that it writes, and so does git in a hook', async () => {
  const project = await makeGitProject({ files: { a: '1' } });
  const { git, calls } = await makeTraced(project);
  await project.write('a', 'x');
  await project.hook('pre-commit', 'git config --get core.fsync > ../hook');
  await commitPaths(git, requestIn(project.directory));
  const vault = join(project.root, '..', 'vault');
  await initRepository(git, vault);
  await writeFile(join(vault, 'ravel.toml'), 'x');
  await commitOwnPaths(git, vault, ['ravel.toml'], 'Make the vault');
  expect(await readFile(join(project.root, '..', 'hook'), 'utf8')).toBe('all\n');
  const made = await calls();
  for (const command of ['init', 'read-tree', 'update-index', 'commit', 'reset']) {
    expect(made).toContainEqual(expect.stringMatching(new RegExp(`^all .*\\b${command}\\b`)));
  }
  expect(made.filter((call) => !/^all |\brev-parse\b/.test(call))).toEqual([]);
});

test('a new repository is synced: its settings, its HEAD and its folders', async () => {
  const project = await makeGitProject();
  const { git, synced } = await makeTraced(project);
  await initRepository(git, join(project.root, 'vault'));
  const parts = ['HEAD', 'config', 'objects', 'refs'].map((name) => `vault/.git/${name}`);
  expect(synced).toEqual(expect.arrayContaining(parts));
  expect(synced.slice(-2)).toEqual(['vault/.git', 'vault']);
});

test('the file of a linked work tree is not taken for a new repository', async () => {
  const project = await makeGitProject({ files: { a: '1' } });
  await project.person('worktree', 'add', '--quiet', '../linked');
  const { git, synced } = await makeTraced(project);
  await initRepository(git, join(project.root, '..', 'linked'));
  expect(synced.filter((path) => path.endsWith('HEAD'))).toEqual([]);
});

describe('after a commit the folders are synced in which a rename gave it its names', () => {
  test('those of the index and of the branch', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.person('checkout', '--quiet', '-b', 'topic/one');
    await project.write('a', 'x');
    const { git, synced } = await makeTraced(project);
    await commitPaths(git, requestIn(project.directory));
    expect(synced).toEqual(['.git', '.git/refs/heads/topic']);
  });

  test('those of a linked work tree, whose branches are in the first one', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.person('worktree', 'add', '--quiet', '-b', 'topic/two', 'linked');
    await project.write('linked/a', 'x');
    const { git, synced } = await makeTraced(project);
    await commitPaths(git, requestIn(join(project.directory, 'linked')));
    expect(synced).toEqual(['.git/worktrees/linked', '.git/refs/heads/topic']);
  });
});
