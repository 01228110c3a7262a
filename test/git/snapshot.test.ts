import { symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import {
  changedPaths,
  commitsSince,
  commitsWithTrailer,
  diffSince,
  findByTrailer,
  readBlob,
  showFile,
  showFiles,
  treeSnapshot,
} from '../../src/git/snapshot.ts';
import { type GitProject, makeGitProject, writeUnreadableName } from '../support/gitProject.ts';

const head = async (project: GitProject) => (await project.person('rev-parse', 'HEAD')).trim();

/** A project below `apps/one` with committed, uncommitted and untracked changes since `baseline`, and a dirty sibling. */
async function makeWorked() {
  const files = { a: '1\n', b: '1\n', gone: '1\n', empty: '', '../two/c': '1\n' };
  const project = await makeGitProject({ files, below: 'apps/one' });
  const baseline = await head(project);
  await project.write('a', '2\n');
  await project.person('commit', '--quiet', '--all', '--message=Change a');
  await project.write('b', '3\n');
  await project.remove('gone');
  await project.write('new file', 'line\n');
  await project.write('plan/state', 'x\n');
  await project.write('../two/c', '2\n');
  await project.write('../two/d', '2\n');
  return { project, baseline };
}

describe('diffSince', () => {
  /** Checks the file headers of the diff and the lines it adds or removes. */
  async function check(project: GitProject, baseline: string | undefined, expected: string[], exclude: string[] = []) {
    const diff = await diffSince(project.git, project.directory, baseline, exclude);
    const lines = diff.split('\n').filter((line) => /^(diff|rename|Binary|[-+][^-+])/.test(line));
    expect(lines).toEqual(expected);
  }

  test('shows committed, uncommitted and untracked changes of the project only', async () => {
    const { project, baseline } = await makeWorked();
    const status = await project.status();
    const objects = await project.person('count-objects');
    await check(
      project,
      baseline,
      [
        ...['diff --git a/a b/a', '-1', '+2'],
        ...['diff --git a/b b/b', '-1', '+3'],
        ...['diff --git a/gone b/gone', '-1'],
        ...['diff --git a/new file b/new file', '+line'],
      ],
      ['plan'],
    );
    expect(await project.status()).toEqual(status);
    expect(await project.person('count-objects')).toBe(objects);
  });

  test('shows everything as new without a baseline, even before the first commit', async () => {
    const project = await makeGitProject();
    await project.write('a', '1\n');
    await project.write('b', '1\n');
    await project.person('add', 'a');
    const expected = ['diff --git a/a b/a', '+1', 'diff --git a/b b/b', '+1'];
    await check(project, undefined, expected);
    await project.person('commit', '--quiet', '--message=First');
    await check(project, undefined, expected);
    await check(project, await head(project), expected.slice(2));
  });

  test('shows renames as renames, names binary files, and is empty if nothing changed', async () => {
    const project = await makeGitProject({ files: { old: 'one\ntwo\nthree\nfour\n', 'image.png': '\0one' } });
    const baseline = await head(project);
    await check(project, baseline, []);
    await project.person('mv', 'old', 'new');
    await project.write('image.png', '\0two');
    await project.write('other.png', '\0three');
    await check(project, baseline, [
      'diff --git a/image.png b/image.png',
      'Binary files a/image.png and b/image.png differ',
      ...['diff --git a/old b/new', 'rename from old', 'rename to new'],
      'diff --git a/other.png b/other.png',
      'Binary files /dev/null and b/other.png differ',
    ]);
  });

  test('shows untracked files with odd names, even if they are not UTF-8', async () => {
    const project = await makeGitProject({ files: { keep: '0' }, below: 'äpps' });
    for (const name of ['grüße', ':(top)', '-dash']) await project.write(name, 'x\n');
    await project.write('plän/state', 'x\n');
    const names = ['-dash', ':(top)', 'grüße', ...(await writeUnreadableName(project.directory))];
    const expected = names.flatMap((name) => [`diff --git a/${name} b/${name}`, '+x']);
    await check(project, await head(project), expected, ['plän']);
    expect(await changedPaths(project.git, project.directory, 'HEAD', ['plän'])).toEqual(names);
  });

  test('is not affected by the git settings of a person', async () => {
    const { project, baseline } = await makeWorked();
    const plain = await diffSince(project.git, project.directory, baseline, []);
    const settings = {
      'color.ui': 'always',
      'diff.noprefix': 'true',
      'diff.mnemonicPrefix': 'true',
      'diff.external': 'false',
      'diff.context': '0',
      'diff.renames': 'false',
      'diff.relative': 'false',
      'core.pager': 'false',
    };
    for (const [key, value] of Object.entries(settings)) await project.person('config', key, value);
    expect(await diffSince(project.git, project.directory, baseline, [])).toBe(plain);
  });

  test('is cut at a line after about 1 MiB and names the files that are missing', async () => {
    const project = await makeGitProject({ files: { a: '1\n', b: '1\n', c: '1\n' } });
    const baseline = await head(project);
    const check = async (present: RegExp, missing: string[]) => {
      const diff = await diffSince(project.git, project.directory, baseline, []);
      expect(diff.length).toBeLessThan(1024 * 1024 + 1000);
      expect(diff).toMatch(present);
      const notice = diff.slice(diff.lastIndexOf('\n[cut'));
      expect(notice.split('\n').filter((line) => line.startsWith('  '))).toEqual(missing.map((name) => `  ${name}`));
    };
    await project.write('a', 'short\n');
    await project.write('b', 'a line of text\n'.repeat(90_000));
    await project.write('c', 'short\n');
    await project.write('untracked', 'short\n');
    await check(/\+short\n.*\+a line of text\n\[cut/s, ['b', 'c', 'untracked']);
    await project.write('b', '1\n');
    await project.write('untracked', 'a line of text\n'.repeat(90_000));
    await project.write('zeta', 'short\n');
    await check(/diff --git a\/c b\/c.*\+a line of text\n\[cut/s, ['untracked', 'zeta']);
  });
});

test('changedPaths names both sides of a rename, and odd names exactly', async () => {
  const { project, baseline } = await makeWorked();
  const check = async (expected: string[], exclude: string[] = []) =>
    expect(await changedPaths(project.git, project.directory, baseline, exclude)).toEqual(expected);
  await check(['a', 'b', 'gone', 'new file'], ['plan']);
  await project.person('mv', '--', 'a', '-new\nname');
  await check(['-new\nname', 'a', 'b', 'gone', 'new file', 'plan/state']);
});

test('changedPaths leaves out ignored files, repositories of their own and files outside of the project', async () => {
  const project = await makeGitProject({ files: { '.gitignore': '*.log\n' }, below: 'apps' });
  for (const path of ['a.log', 'folder/a.log', 'folder/new', 'inner/b', '../outside']) await project.write(path, 'x');
  await project.person('init', '--quiet', 'inner');
  await project.person('init', '--quiet', 'empty');
  expect(await changedPaths(project.git, project.directory, 'HEAD', [])).toEqual(['folder/new']);
});

test('treeSnapshot shows the diffstat and the uncommitted files', async () => {
  const { project, baseline } = await makeWorked();
  const check = async (since: string | undefined, exclude: string[], expected: string) =>
    expect(await treeSnapshot(project.git, project.directory, since, exclude)).toBe(expected);
  await project.write('odd\nname', 'x');
  await check(
    baseline,
    ['plan'],
    `Since ${baseline.slice(0, 12)} (tracked files):
 a    | 2 +-
 b    | 2 +-
 gone | 1 -
 3 files changed, 2 insertions(+), 3 deletions(-)

Not committed:
.M b
.D gone
?? new file
?? "odd\\nname"
`,
  );
  await project.remove('odd\nname');
  await project.person('add', '--all', '.');
  await project.person('commit', '--quiet', '--message=All');
  const clean = '\n\nNot committed:\nnothing, the work tree is clean\n';
  await check(
    await head(project),
    [],
    `Since ${(await head(project)).slice(0, 12)} (tracked files):\nno changes${clean}`,
  );
});

describe('reading committed files', () => {
  test('showFile returns a committed file by its path in the project, and undefined for anything else', async () => {
    const project = await makeGitProject({ files: { a: '1\n', '-odd *': 'odd', 'b/c': '2' }, below: 'apps' });
    const commit = await head(project);
    await project.write('a', 'later');
    await project.write('new', 'x');
    const check = async (path: string, expected: string | undefined) =>
      expect(await showFile(project.git, project.directory, commit, path)).toBe(expected);
    await check('a', '1\n');
    await check('-odd *', 'odd');
    await check('b/c', '2');
    await check('b', undefined);
    await check('b/', undefined);
    await check('new', undefined);
    await check('*', undefined);
    await check('apps/a', undefined);
    await check('./b/../a', '1\n');
    await check('a\nb', undefined);
    expect(await showFiles(project.git, project.directory, 'HEAD', ['new', 'a', 'b', 'b/c'])).toEqual([
      ...[undefined, '1\n', undefined, '2'],
    ]);
  });

  test('readBlob keeps raw bytes and recognises executables and links', async () => {
    const project = await makeGitProject();
    await writeFile(join(project.directory, 'bytes'), Buffer.from([0xff, 0, 0xfe]));
    await symlink('bytes', join(project.directory, 'link'));
    await writeFile(join(project.directory, 'run'), 'x', { mode: 0o755 });
    await project.person('add', '.');
    await project.person('commit', '--quiet', '--message=First');
    const read = (path: string) => readBlob(project.git, project.directory, 'HEAD', path);
    expect(await read('bytes')).toEqual({ kind: 'file', content: Buffer.from([0xff, 0, 0xfe]) });
    expect(await read('run')).toEqual({ kind: 'executable', content: Buffer.from('x') });
    expect(await read('link')).toEqual({ kind: 'symlink', content: Buffer.from('bytes') });
  });

  test('showFile fails for an unknown commit', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    const run = showFile(project.git, project.directory, '0123456789abcdef0123456789abcdef01234567', 'a');
    await expect(run).rejects.toMatchObject({ code: 'git/failed' });
  });
});

describe('reading the history', () => {
  async function makeHistory() {
    const project = await makeGitProject({ files: { a: '1', '../two/b': '1' }, below: 'one' });
    const baseline = await head(project);
    const commit = (message: string) => project.person('commit', '--quiet', '--all', '--allow-empty', `-m${message}`);
    await project.write('a', '2');
    await commit('First\n\nText\n\nRavel-Plan: Demo\nCo-authored-by: One <a@b>\nCo-authored-by: Two <c@d>');
    await project.write('../two/b', '2');
    await commit('Second, "quoted" ü');
    return { project, baseline, commit };
  }

  test('commitsSince lists commits oldest first, of the repository or of the directory', async () => {
    const { project, baseline } = await makeHistory();
    await project.person('config', 'log.showSignature', 'true');
    const since = (from: string | undefined, belowDirectory = false) =>
      commitsSince(project.git, project.directory, from, { belowDirectory });
    const trailers = { 'Ravel-Plan': ['Demo'], 'Co-authored-by': ['One <a@b>', 'Two <c@d>'] };
    const first = { hash: (await project.person('rev-parse', 'HEAD~1')).trim(), title: 'First', trailers };
    const second = { hash: await head(project), title: 'Second, "quoted" ü', trailers: {} };
    expect(await since(baseline)).toEqual([first, second]);
    expect(await since(baseline, true)).toEqual([first]);
    expect((await since(undefined)).map((commit) => commit.title)).toEqual(['Begin', 'First', 'Second, "quoted" ü']);
    expect(await since(second.hash)).toEqual([]);
  });

  test('findByTrailer finds the newest commit whose last trailer of that name has the value', async () => {
    const { project, commit } = await makeHistory();
    const check = async (value: string, expected: string | undefined) => {
      const found = await findByTrailer(project.git, project.directory, ['Ravel-Plan', value]);
      expect(found?.title).toBe(expected);
    };
    await check('Demo', 'First');
    await check('Dem', undefined);
    await check('D.mo', undefined);
    await commit('Words\n\nRavel-Plan: Demo is only mentioned here');
    await commit('Mentioned\n\nRavel-Plan: Demo\n\nand more text');
    await commit('Forged\n\nRavel-Plan: Demo\nRavel-Plan: Other');
    await check('Demo', 'First');
    await check('Other', 'Forged');
    await commit('Newer\n\nRavel-Plan: Demo');
    await check('Demo', 'Newer');
  });

  test('commitsWithTrailer lists commits newest first, after one commit and up to another', async () => {
    const { project, commit } = await makeHistory();
    const hashes: string[] = [];
    for (const title of ['One', 'Two', 'Three']) {
      await commit(`${title}\n\nRavel-Plan: Demo`);
      hashes.push(await head(project));
    }
    await commit('Other\n\nRavel-Plan: Other');
    const titles = async (range: { readonly after?: string; readonly upTo?: string }) => {
      const found = await commitsWithTrailer(project.git, project.directory, ['Ravel-Plan', 'Demo'], range);
      return found.map(({ title }) => title);
    };
    const [one = '', two = ''] = hashes;
    expect(await titles({})).toEqual(['Three', 'Two', 'One', 'First']);
    expect(await titles({ after: one })).toEqual(['Three', 'Two']);
    expect(await titles({ upTo: two })).toEqual(['Two', 'One', 'First']);
    expect(await titles({ after: one, upTo: two })).toEqual(['Two']);
  });

  test('finds nothing before the first commit', async () => {
    const { git, directory } = await makeGitProject();
    expect(await commitsSince(git, directory, undefined)).toEqual([]);
    expect(await commitsWithTrailer(git, directory, ['Ravel-Plan', 'Demo'])).toEqual([]);
    expect(await findByTrailer(git, directory, ['Ravel-Plan', 'Demo'])).toBeUndefined();
  });

  test('fails after a commit that is not there', async () => {
    const { git, directory } = await makeGitProject({ files: { a: '1' } });
    const after = '0'.repeat(40);
    await expect(commitsSince(git, directory, after)).rejects.toMatchObject({ code: 'git/failed' });
    const asked = commitsWithTrailer(git, directory, ['Ravel-Plan', 'Demo'], { after });
    await expect(asked).rejects.toMatchObject({ code: 'git/failed' });
  });
});
