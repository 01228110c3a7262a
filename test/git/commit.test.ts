import { mkdir, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { appendTrailers, type CommitRequest, commitPaths, pathsOfCommit } from '../../src/git/commit.ts';
import type { Git } from '../../src/git/git.ts';
import { type GitProject, makeGitProject, writeUnreadableName } from '../support/gitProject.ts';

function commit(project: GitProject, paths: string[], more: Partial<CommitRequest> = {}) {
  const { git, directory } = project;
  return commitPaths(git, { directory, paths, exclude: [], message: 'Change things', trailers: [], ...more });
}

const head = async (project: GitProject) => (await project.person('rev-parse', 'HEAD')).trim();

/** Commits and compares the outcome; for a commit, only its paths and the unmatched ones, if any. */
async function check(project: GitProject, paths: string[], expected: unknown, more: Partial<CommitRequest> = {}) {
  const outcome = await commit(project, paths, more);
  if (outcome.outcome !== 'committed') return expect(outcome).toEqual(expected);
  expect(outcome.commit).toBe(await head(project));
  const changed = [...outcome.paths].sort();
  expect(outcome.unmatched.length === 0 ? changed : { changed, unmatched: outcome.unmatched }).toEqual(expected);
}

async function nothingLeftBehind(project: GitProject) {
  const names = await readdir(join(project.root, '.git'));
  expect(names.filter((name) => name.startsWith('ravel') || name.endsWith('.lock'))).toEqual([]);
}

describe('a commit contains', () => {
  test('changed, new, deleted and renamed files', async () => {
    const project = await makeGitProject({ files: { a: '1', b: '2', 'old/c': '3', same: '4' } });
    await project.write('a', 'x');
    await project.remove('b');
    await project.person('mv', 'old/c', 'd');
    await project.write('folder/e', 'x');
    await check(project, ['.'], ['a', 'b', 'd', 'folder/e', 'old/c']);
    expect(await project.status()).toEqual([]);
    await nothingLeftBehind(project);
  });

  test('only the named paths', async () => {
    const project = await makeGitProject({ files: { a: '1', b: '2' } });
    await project.write('a', 'x');
    await project.write('b', 'x');
    await project.write('c', 'x');
    await check(project, ['a'], ['a']);
    expect(await project.status()).toMatchObject([/ \.M .* b$/, /^\? c$/].map((line) => expect.stringMatching(line)));
  });

  test('what its globs select, without excluded paths', async () => {
    const project = await makeGitProject({ files: { keep: '0' } });
    const names = ['src/a.ts', 'src/deep/b.ts', 'src/c.js', 'src/skip/d.ts', 'plan/e.ts', 'dirty.ts', 'dirty.tsx'];
    for (const name of names) await project.write(name, 'x');
    const exclude = ['plan', 'dirty.ts'];
    await check(project, ['*.ts', ':!src/skip'], ['src/a.ts', 'src/deep/b.ts'], { exclude });
    await check(project, [':(glob)src/*'], ['src/c.js'], { exclude });
    await check(project, [':!src'], ['dirty.tsx'], { exclude });
  });

  test('names an exclusion would match only as a pattern', async () => {
    const project = await makeGitProject({ files: { keep: '0' } });
    for (const name of ['a*', 'ab']) await project.write(name, 'x');
    await check(project, ['.'], ['ab'], { exclude: ['a*'] });
  });

  test('odd names, even if they are not UTF-8', async () => {
    const names = ['-dash', 'new\nline', '"quoted"', 'grüße', 'back\\slash', '*', ':(top)', ' '];
    const project = await makeGitProject({ files: { keep: '0' } });
    for (const name of names) await project.write(name, 'x');
    const unreadable = await writeUnreadableName(project.directory);
    await check(project, ['.'], [...names, ...unreadable].sort());
    expect(await project.status()).toEqual([]);
  });

  test('a file that became a folder, and a folder that became a file or a link', async () => {
    const project = await makeGitProject({ files: { a: '1', 'b/c': '2', 'd/e': '3' } });
    await project.remove('a');
    await project.write('a/inside', 'x');
    await project.remove('b');
    await project.write('b', 'x');
    await project.remove('d');
    await symlink('b', join(project.directory, 'd'));
    await check(project, ['.'], ['a', 'a/inside', 'b', 'b/c', 'd', 'd/e']);
    expect(await project.status()).toEqual([]);
  });

  test('a path below a folder that used to be a file', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.remove('a');
    await project.write('a/inside', 'x');
    await project.write('a/other', 'x');
    await check(project, ['a/inside'], ['a', 'a/inside']);
    expect(await project.status()).toEqual(['? a/other']);
  });

  test('a changed file that a person removed from the index but not from the work tree', async () => {
    const project = await makeGitProject({ files: { a: '1', b: '1' } });
    await project.person('rm', '--quiet', '--cached', 'a', 'b');
    await project.write('a', 'x');
    await check(project, ['.'], ['a']);
    expect(await project.person('ls-tree', '--name-only', 'HEAD')).toBe('a\nb\n');
  });

  test('no ignored files, even if a person forced one into the index', async () => {
    const project = await makeGitProject({ files: { '.gitignore': '*.log\n' } });
    for (const name of ['a', 'b.log', 'forced.log']) await project.write(name, 'x');
    await project.person('add', '--force', 'forced.log');
    await check(project, ['.'], ['a']);
    await check(project, ['b.log'], { outcome: 'unmatched', paths: ['b.log'] });
    expect(await project.status()).toEqual([expect.stringMatching(/^1 A\. .* forced\.log$/)]);
  });

  test('no submodules or nested repositories', async () => {
    const project = await makeGitProject({ files: { keep: '0' } });
    const makeInner = async (name: string) => {
      await project.person('init', '--quiet', name);
      await project.write(`${name}/file`, 'x');
      await project.person('-C', name, 'add', '.');
      await project.person('-C', name, 'commit', '--quiet', '--message=Inner');
    };
    await makeInner('known');
    await project.person('add', 'known');
    await project.person('commit', '--quiet', '--message=Add a submodule');
    await project.write('known/file', 'y');
    await project.person('-C', 'known', 'commit', '--quiet', '--all', '--message=Later');
    await makeInner('unknown');
    await project.write('a', 'x');
    await check(project, ['.'], ['a']);
  });

  test('no deletion of files outside a sparse checkout', async () => {
    const project = await makeGitProject({ files: { 'in/a': '1', 'out/b': '2' } });
    await project.person('sparse-checkout', 'set', 'in');
    await project.write('in/a', 'x');
    await check(project, ['.'], ['in/a']);
    expect(await project.person('ls-tree', '-r', '--name-only', 'HEAD')).toBe('in/a\nout/b\n');
    expect(await project.status()).toEqual([]);
  });

  test('a change that keeps size and timestamp', async () => {
    const project = await makeGitProject({ files: { a: 'one' } });
    await project.write('a', 'two');
    await project.person('add', 'a');
    await project.write('a', 'six');
    await check(project, ['a'], ['a']);
    expect(await project.person('show', 'HEAD:a')).toBe('six');
  });

  test('the first file of a repository without commits', async () => {
    const project = await makeGitProject();
    await project.write('a', 'x');
    await project.write('b', 'x');
    await project.person('add', 'b');
    await check(project, ['a'], ['a']);
    expect(await project.status()).toEqual([expect.stringMatching(/^1 A\. .* b$/)]);
  });
});

describe('no commit is made', () => {
  test('of unchanged paths, and unknown paths are reported as unmatched', async () => {
    const project = await makeGitProject({ files: { a: '1', b: '2' } });
    const before = await head(project);
    await check(project, ['a', '*'], { outcome: 'nothing' });
    await check(project, ['a', 'typo'], { outcome: 'unmatched', paths: ['typo'] });
    await check(project, ['none*', 'typo'], { outcome: 'unmatched', paths: ['none*', 'typo'] });
    await project.write('b', 'x');
    await check(project, ['b'], { outcome: 'nothing' }, { exclude: ['b'] });
    expect(await head(project)).toBe(before);
  });

  test('of unmatched paths, but valid ones beside them are committed', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.write('a', 'x');
    await check(project, ['typo', 'a', 'no*thing'], { changed: ['a'], unmatched: ['typo', 'no*thing'] });
  });

  test('of unmatched paths, whatever git has to be asked to know it', async () => {
    const project = await makeGitProject({ files: { a: '1', b: '1', 'c/d': '1' } });
    const starts: string[] = [];
    const git: Git = {
      ...project.git,
      run(directory, args, options) {
        const [command = ''] = args;
        if (command === 'ls-files' || command === 'status') starts.push(command);
        return project.git.run(directory, args, options);
      },
    };
    const unmatched = async (...paths: string[]) => {
      starts.length = 0;
      const made = await commit({ ...project, git }, paths);
      return [made.outcome === 'committed' ? made.unmatched : made.outcome === 'unmatched' ? made.paths : [], starts];
    };
    const [status, list] = ['status', 'ls-files'];
    await project.write('a', '2');
    expect(await unmatched('a*')).toEqual([[], [status]]);
    await project.write('a', '3');
    expect(await unmatched('a', 'b', 'c', 'typo')).toEqual([['typo'], [status, list]]);
    await project.write('new', '1');
    expect(await unmatched('a', 'n*', 't*')).toEqual([['t*'], [status, list, list, status, list, status]]);
    await project.write('other', '1');
    expect(await unmatched('other', ':!other')).toEqual([[], [status, list, status]]);
  });

  test('of a file that was staged and then restored in the work tree', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.write('a', 'x');
    await project.person('add', 'a');
    await project.write('a', '1');
    const before = await project.status();
    await check(project, ['a'], { outcome: 'nothing' });
    expect(await project.status()).toEqual(before);
  });

  test('of a new file that was staged and then deleted', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.write('b', 'x');
    await project.person('add', 'b');
    await project.remove('b');
    await check(project, ['.'], { outcome: 'nothing' });
  });
});

describe('in a monorepo', () => {
  test('a dirty sibling stays as it is, staged or not', async () => {
    const project = await makeGitProject({ files: { a: '1', '../two/b': '2' }, below: 'apps/one' });
    await project.write('a', 'x');
    await project.write('../two/b', 'x');
    await project.write('../two/c', 'x');
    await project.person('add', '../two/c');
    await check(project, ['.'], ['a']);
    await check(project, [':!a'], { outcome: 'nothing' });
    expect(await project.status()).toMatchObject(
      [/^1 \.M .* apps\/two\/b$/, /^1 A\. .* apps\/two\/c$/].map((line) => expect.stringMatching(line)),
    );
  });

  test('a path out of the project is refused before anything happens', async () => {
    const project = await makeGitProject({ files: { a: '1', '../two/b': '2' }, below: 'apps/one' });
    await project.write('a', 'x');
    await project.write('../two/b', 'x');
    const before = await head(project);
    for (const spec of ['../two/b', ':/apps/two', ':(top)apps', join(project.root, 'apps/two/b')]) {
      await expect(commit(project, ['a', spec])).rejects.toMatchObject({ code: 'git/badPathspec' });
    }
    expect(await head(project)).toBe(before);
  });
});

describe('the index of a person', () => {
  test('keeps what they staged out of our commit, and their next commit reverts nothing', async () => {
    const files = { mine: '1', partly: '1\n', ours: '1', gone: '1', untouched: '1' };
    const project = await makeGitProject({ files });
    await project.write('mine', 'staged');
    await project.write('partly', 'staged\n');
    await project.write('added', 'staged');
    await project.person('add', 'mine', 'partly', 'added');
    await project.write('partly', 'staged\nand more\n');
    await project.write('intended', 'x');
    await project.person('add', '--intent-to-add', 'intended');
    const before = await project.status();
    await project.write('ours', 'x');
    await project.write('new', 'x');
    await project.remove('gone');
    const exclude = ['mine', 'partly', 'added', 'intended'];
    await check(project, ['.'], ['gone', 'new', 'ours'], { exclude });
    expect(await project.status()).toEqual(before);
    await project.person('commit', '--quiet', '--message=My own');
    const changed = await project.person('show', '--format=', '--name-status', 'HEAD');
    expect(changed.trim().split('\n').sort()).toEqual(['A\tadded', 'M\tmine', 'M\tpartly']);
    expect(await project.person('show', 'HEAD:partly')).toBe('staged\n');
    expect(await project.person('show', 'HEAD:ours')).toBe('x');
  });

  test('loses the staged version of a path that we commit', async () => {
    const project = await makeGitProject({ files: { a: '1\n' } });
    await project.write('a', '2\n');
    await project.person('add', 'a');
    await project.write('a', '3\n');
    await check(project, ['a'], ['a']);
    expect(await project.status()).toEqual([]);
  });

  test('is not refreshed for names that a committed name would match as a pattern', async () => {
    const project = await makeGitProject({ files: { 'a*': '1', ab: '1' } });
    await project.write('ab', 'staged');
    await project.person('add', 'ab');
    const before = await project.status();
    await project.write('a*', 'x');
    await check(project, [':(literal)a*'], ['a*']);
    expect(await project.status()).toEqual(before);
  });

  test('with an unresolved conflict blocks committing that file but no other', async () => {
    const project = await makeGitProject({ files: { a: 'base\n', b: '1' } });
    await project.write('a', 'mine\n');
    await project.person('stash', '--quiet');
    await project.write('a', 'theirs\n');
    await project.person('commit', '--quiet', '--all', '--message=Theirs');
    await expect(project.person('stash', 'pop')).rejects.toThrow();
    await project.write('b', 'x');
    const before = await project.status();
    await expect(commit(project, ['.'])).rejects.toMatchObject({ code: 'git/operationInProgress' });
    expect(await project.status()).toEqual(before);
    await check(project, ['b'], ['b']);
  });
});

describe('the commit message', () => {
  const check = async (message: string, expected: string) => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.write('a', 'x');
    await project.person('config', 'commit.cleanup', 'strip');
    const outcome = await commit(project, ['a'], { message, trailers: [['Ravel-Plan', 'Demo/project-root']] });
    expect(outcome).toMatchObject({ title: expected.split('\n')[0] });
    expect(await project.person('log', '-1', '--format=%B')).toBe(`${expected}\n`);
    expect(await project.person('log', '-1', '--format=%(trailers:key=Ravel-Plan,valueonly)')).toBe(
      'Demo/project-root\n\n',
    );
  };

  test.each([
    ['Title', 'Title\n\nRavel-Plan: Demo/project-root\n'],
    ['# Title\n\n# not a comment', '# Title\n\n# not a comment\n\nRavel-Plan: Demo/project-root\n'],
    ['Grüße\r\n\r\nText\r\n', 'Grüße\n\nText\n\nRavel-Plan: Demo/project-root\n'],
    ['fix: a title is no trailer', 'fix: a title is no trailer\n\nRavel-Plan: Demo/project-root\n'],
    ['Title\n\nFixes: it', 'Title\n\nFixes: it\nRavel-Plan: Demo/project-root\n'],
    ['Title\n\nText\n---\nMore', 'Title\n\nText\n---\nMore\n\nRavel-Plan: Demo/project-root\n'],
  ])('%j gets its trailer as %j', async (message, expected) => check(message, expected));

  test('refuses a trailer with a line break', () => {
    expect(() => appendTrailers('Title', [['Key', 'a\nb']])).toThrow('not a trailer');
    expect(appendTrailers('Title', [])).toBe('Title\n');
  });
});

describe('git hooks', () => {
  test('git hooks that refuse are quoted, and nothing has changed', async () => {
    for (const name of ['pre-commit', 'commit-msg']) {
      const project = await makeGitProject({ files: { a: '1', b: '1' } });
      await project.write('b', 'staged');
      await project.person('add', 'b');
      await project.write('a', 'x');
      await project.hook(name, 'echo "too many bugs"; exit 1');
      const before = [await head(project), await project.status()];
      await expect(commit(project, ['a'])).rejects.toMatchObject({
        diagnostic: { code: 'git/hookRefused', message: expect.stringMatching(/"Change things".*too many bugs/s) },
      });
      expect([await head(project), await project.status()]).toEqual(before);
      await nothingLeftBehind(project);
    }
  });

  test('are run from a folder of their own', async () => {
    const project = await makeGitProject({ files: { a: '1', 'hooks/pre-commit': '#!/bin/sh\nexit 1\n' } });
    await project.person('config', 'core.hooksPath', 'hooks');
    await project.person('update-index', '--chmod=+x', 'hooks/pre-commit');
    await project.person('checkout-index', '--force', 'hooks/pre-commit');
    await project.write('a', 'x');
    await expect(commit(project, ['a'])).rejects.toMatchObject({ code: 'git/hookRefused' });
  });

  test('are not blamed for a failure that git reports without running one', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.person('config', 'commit.gpgSign', 'true');
    await project.person('config', 'gpg.program', 'false');
    await project.write('a', 'x');
    await project.hook('pre-commit', 'exit 0');
    await expect(commit(project, ['a'])).rejects.toMatchObject({ code: 'git/failed' });
  });

  test('can add files, which are in the commit, its paths and the index of the person', async () => {
    const project = await makeGitProject({ files: { a: '1', '../stamp': '1' }, below: 'apps' });
    await project.write('a', 'x');
    await project.hook('pre-commit', 'echo made > apps/generated; echo 2 > stamp; git add apps/generated stamp');
    await check(project, ['a'], ['../stamp', 'a', 'generated']);
    expect(await project.status()).toEqual([]);
  });

  test('can make a commit of their own afterwards, which is not taken for ours', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.write('a', 'x');
    await project.hook('post-commit', 'rm "$0"; unset GIT_INDEX_FILE; git commit --quiet --allow-empty -m After');
    const outcome = await commit(project, ['a']);
    expect(outcome).toMatchObject({ outcome: 'committed', title: 'Change things', paths: ['a'] });
    expect(await project.person('log', '-2', '--format=%s')).toBe('After\nChange things\n');
  });
});

test('nothing is committed without an identity, on a detached head or during a rebase', async () => {
  const check = async (project: GitProject, code: string) => {
    await project.write('a', 'x');
    await expect(commit(project, ['a'])).rejects.toMatchObject({ code });
  };
  await check(await makeGitProject({ files: { a: '1' }, identity: false }), 'git/noIdentity');
  const detached = await makeGitProject({ files: { a: '1' } });
  await detached.person('checkout', '--quiet', '--detach');
  await check(detached, 'git/detachedHead');
  const rebasing = await makeGitProject({ files: { a: '1' } });
  await mkdir(join(rebasing.root, '.git', 'rebase-merge'));
  await check(rebasing, 'git/operationInProgress');
});

test('pathsOfCommit names both sides of a rename, and all files of the first commit', async () => {
  const project = await makeGitProject({ files: { a: 'a long line\n', b: '1' }, below: 'apps' });
  expect((await pathsOfCommit(project.git, project.directory, await head(project))).sort()).toEqual(['a', 'b']);
  await project.person('mv', 'a', 'c');
  await project.person('commit', '--quiet', '--message=Rename');
  expect((await pathsOfCommit(project.git, project.directory, await head(project))).sort()).toEqual(['a', 'c']);
});
