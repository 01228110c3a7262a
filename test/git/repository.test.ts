import { mkdir, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commitPaths } from '../../src/git/commit.ts';
import type { Git } from '../../src/git/git.ts';
import {
  answers,
  assertReady,
  inspectForCommits,
  inspectRepository,
  isInHistoryOf,
  type Repository,
} from '../../src/git/repository.ts';
import { type GitProject, makeGitProject } from '../support/gitProject.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

const inspect = (project: GitProject) => inspectRepository(project.git, project.directory);

describe('inspectRepository', () => {
  test('describes a project in a subfolder of a repository', async () => {
    const project = await makeGitProject({ files: { a: '1' }, below: 'apps/one' });
    expect(await inspect(project)).toEqual({
      root: project.root,
      prefix: 'apps/one/',
      gitDirectory: join(project.root, '.git'),
      head: (await project.person('rev-parse', 'HEAD')).trim(),
      tree: (await project.person('rev-parse', 'HEAD^{tree}')).trim(),
      branch: 'main',
      hasIdentity: true,
    });
  });

  test('finds no head before the first commit', async () => {
    const repository = await inspect(await makeGitProject());
    expect(repository).toMatchObject({ prefix: '', branch: 'main' });
    expect(repository.head).toBeUndefined();
  });

  test('returns a branch name with a slash', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.person('checkout', '--quiet', '-b', 'topic/one');
    expect((await inspect(project)).branch).toBe('topic/one');
  });

  test('finds no branch on a detached head', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.person('checkout', '--quiet', '--detach');
    expect((await inspect(project)).branch).toBeUndefined();
  });

  test('requires both name and email for an identity', async () => {
    const project = await makeGitProject({ identity: false });
    expect((await inspect(project)).hasIdentity).toBe(false);
    // git would take the name from the user database of the system.
    await project.person('config', 'user.email', 'somebody@example.org');
    expect((await inspect(project)).hasIdentity).toBe(false);
    await project.person('config', 'user.name', 'Somebody');
    expect((await inspect(project)).hasIdentity).toBe(true);
  });

  test('for commits, asks who commits until git knows it, and again once git refused a commit without', async () => {
    const project = await makeGitProject({ files: { a: '1' }, identity: false });
    const { directory } = project;
    const asked: string[] = [];
    const git: Git = {
      ...project.git,
      run: (folder, args, options) => {
        if (args.includes('var')) asked.push(args.at(-1) ?? '');
        return project.git.run(folder, args, options);
      },
    };
    const knows = async () => {
      asked.length = 0;
      const { hasIdentity } = await inspectForCommits(git, directory);
      return [hasIdentity, asked.length];
    };
    expect(await knows()).toEqual([false, 2]);
    await project.person('config', 'user.email', 'somebody@example.org');
    await project.person('config', 'user.name', 'Somebody');
    expect(await knows()).toEqual([true, 2]);
    expect(await knows()).toEqual([true, 0]);
    await project.person('config', '--unset', 'user.name');
    await project.write('a', '2');
    const commit = commitPaths(git, { directory, paths: ['a'], exclude: [], message: 'Change a', trailers: [] });
    await expect(commit).rejects.toMatchObject({ code: 'git/noIdentity' });
    expect(await knows()).toEqual([false, 2]);
  });

  test('fails outside a repository and in a bare one', async () => {
    const project = await makeGitProject();
    const outside = await makeTemporaryDirectory();
    await expect(inspectRepository(project.git, outside)).rejects.toMatchObject({ code: 'git/notARepository' });
    await project.person('init', '--quiet', '--bare', outside);
    await expect(inspectRepository(project.git, outside)).rejects.toMatchObject({ code: 'git/notARepository' });
  });

  test('detects an unfinished rebase, merge, cherry-pick and revert', async () => {
    const check = async (args: string[], expected: string) => {
      const project = await makeGitProject({ files: { a: 'base\n' } });
      await project.person('checkout', '--quiet', '-b', 'side');
      await project.write('a', 'side\n');
      await project.person('commit', '--quiet', '--all', '--message=Side');
      await project.person('checkout', '--quiet', 'main');
      await project.write('a', 'main\n');
      await project.person('commit', '--quiet', '--all', '--message=Main');
      await project.write('a', 'later\n');
      await project.person('commit', '--quiet', '--all', '--message=Later');
      await expect(project.person(...args)).rejects.toThrow();
      expect((await inspect(project)).operation).toBe(expected);
    };
    await check(['rebase', 'side'], 'rebase');
    await check(['merge', 'side'], 'merge');
    await check(['cherry-pick', 'side'], 'cherry-pick');
    await check(['revert', '--no-edit', 'HEAD~1'], 'revert');
  });

  test.each([
    ['rebase-apply', 'rebase'],
    ['sequencer', 'cherry-pick'],
    ['BISECT_LOG', 'bisect'],
  ])('takes %s for an unfinished %s', async (name, expected) => {
    const project = await makeGitProject({ files: { a: '1' } });
    const trace = join(project.root, '.git', name);
    if (name === 'BISECT_LOG') await writeFile(trace, '');
    else await mkdir(trace);
    expect((await inspect(project)).operation).toBe(expected);
  });
});

test('assertReady reports the first obstacle', () => {
  const ready: Repository = { root: '/r', prefix: '', gitDirectory: '/r/.git', branch: 'main', hasIdentity: true };
  const { branch: _branch, ...detached } = ready;
  const check = (repository: Repository, code: string | undefined) => {
    const assertion = () => assertReady(repository, 'Demo');
    if (code === undefined) expect(assertion).not.toThrow();
    else
      expect(assertion).toThrow(
        expect.objectContaining({ diagnostic: expect.objectContaining({ code, subject: 'Demo' }) }),
      );
  };
  check(ready, undefined);
  check({ ...ready, hasIdentity: false }, 'git/noIdentity');
  check(detached, 'git/detachedHead');
  check({ ...detached, operation: 'rebase' }, 'git/operationInProgress');
});

test('answers are told apart, also in a folder with a line break in its name', async () => {
  const check = async (below: string, prefix: string) => {
    const { git, directory, root } = await makeGitProject({ files: { a: '1' }, below });
    const asked = [['--show-prefix'], ['--git-path', 'hooks'], ['--show-toplevel']];
    const [given, hooks = '', top] = await answers(git, directory, asked, { asConfigured: true });
    expect([given, resolve(directory, hooks), top]).toEqual([prefix, join(root, '.git', 'hooks'), root]);
  };
  await check('', '');
  await check('apps', 'apps/');
  await check('two\nlines', 'two\nlines/');
});

test('isInHistoryOf holds for a commit and its descendants only', async () => {
  const project = await makeGitProject({ files: { a: '1' } });
  const commit = async (title: string) => {
    await project.person('commit', '--quiet', '--allow-empty', '-m', title);
    return (await project.person('rev-parse', 'HEAD')).trim();
  };
  const [first, second] = [await commit('First'), await commit('Second')];
  await project.person('checkout', '--quiet', '-b', 'beside', first);
  const beside = await commit('Beside');
  const check = (one: string, later: string) => isInHistoryOf(project.git, project.directory, one, later);
  expect([await check(first, second), await check(first, first), await check(first, beside)]).toEqual([
    true,
    true,
    true,
  ]);
  expect([await check(second, first), await check(beside, second)]).toEqual([false, false]);
});
