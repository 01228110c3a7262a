import { chmod, mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hashPaths, parseStatus, readStatus } from '../../src/git/status.ts';
import { type GitProject, makeGitProject } from '../support/gitProject.ts';

/** Checks entries as `letters path`, with ` < from` and ` (repository)` if present. */
async function check(project: GitProject, expected: string[]): Promise<void> {
  const entries = await readStatus(project.git, project.directory);
  const lines = entries.map(({ letters, path, from, repository }) => {
    return `${letters} ${path}${from === undefined ? '' : ` < ${from}`}${repository ? ' (repository)' : ''}`;
  });
  expect(lines.sort()).toEqual(expected.sort());
}

describe('readStatus', () => {
  test('lists changes of every kind, with paths relative to the project', async () => {
    const files = { same: '0', changed: '1', deleted: '2', staged: '3', both: '4', 'old name': 'a long line\n' };
    const project = await makeGitProject({ files, below: 'apps/one' });
    await project.write('changed', 'x');
    await project.remove('deleted');
    await project.write('staged', 'x');
    await project.write('both', 'x');
    await project.person('add', 'staged', 'both');
    await project.write('both', 'y');
    await project.person('mv', 'old name', 'new name');
    await project.write('folder/untracked', 'x');
    await project.write('intended', 'x');
    await project.person('add', '--intent-to-add', 'intended');
    await project.write('../two/sibling', 'x');
    await check(project, [
      '.M changed',
      '.D deleted',
      'M. staged',
      'MM both',
      'R. new name < old name',
      '?? folder/untracked',
      '.A intended',
    ]);
  });

  test('lists odd names', async () => {
    const names = [
      '-dash',
      'with space',
      'new\nline',
      '"quoted"',
      "it's",
      'grüße',
      'back\\slash',
      'tab\t',
      '*',
      ':(top)',
    ];
    const project = await makeGitProject({ files: { a: '1' } });
    for (const name of names) await project.write(name, 'x');
    await check(
      project,
      names.map((name) => `?? ${name}`),
    );
  });

  test('leaves out ignored files', async () => {
    const project = await makeGitProject({ files: { '.gitignore': 'out/\n' } });
    await project.write('out/a', 'x');
    await check(project, []);
  });

  test('reports a conflict as unmerged', async () => {
    const project = await makeGitProject({ files: { a: 'base\n' } });
    await project.write('a', 'mine\n');
    await project.person('stash', '--quiet');
    await project.write('a', 'theirs\n');
    await project.person('commit', '--quiet', '--all', '--message=Theirs');
    await expect(project.person('stash', 'pop')).rejects.toThrow();
    expect(await readStatus(project.git, project.directory)).toMatchObject([{ path: 'a', kind: 'unmerged' }]);
  });

  test('marks a nested repository, unknown or added', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.person('init', '--quiet', 'inner');
    await project.write('inner/b', 'x');
    await check(project, ['?? inner/ (repository)']);
    await project.person('-C', 'inner', 'add', '.');
    await project.person('-C', 'inner', 'commit', '--quiet', '--message=Inner');
    await project.person('add', 'inner');
    await check(project, ['A. inner (repository)']);
  });

  test('is not affected by the status settings of a person', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    for (const setting of ['status.showStash', 'status.branch', 'status.relativePaths']) {
      await project.person('config', setting, 'true');
    }
    await project.write('a', 'stashed');
    await project.person('stash', '--quiet');
    await project.write('a', 'x');
    await check(project, ['.M a']);
  });

  test('leaves the index as it is', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    const before = await project.read('.git/index');
    await project.write('a', '1');
    await check(project, []);
    expect(await project.read('.git/index')).toBe(before);
  });
});

test('parseStatus skips headers and unknown lines', () => {
  expect(parseStatus(['# stash 1', '! ignored', ''])).toEqual([]);
});

describe('hashPaths', () => {
  const hash = async (project: GitProject, path: string) =>
    (await hashPaths(project.git, project.directory, [path])).get(path);

  test('changes with content, kind and executable bit only', async () => {
    const project = await makeGitProject({ files: { a: 'text' } });
    const first = await hash(project, 'a');
    expect(first).toMatch(/^file:/);
    await project.write('a', 'text');
    expect(await hash(project, 'a')).toBe(first);
    await project.write('a', 'Text');
    expect(await hash(project, 'a')).not.toBe(first);
    await project.write('a', 'text');
    await chmod(join(project.directory, 'a'), 0o755);
    expect(await hash(project, 'a')).not.toBe(first);
    await project.remove('a');
    expect(await hash(project, 'a')).toBeNull();
    await symlink('text', join(project.directory, 'a'));
    const link = await hash(project, 'a');
    expect(link).toMatch(/^symlink:/);
    await project.remove('a');
    await symlink('other', join(project.directory, 'a'));
    expect(await hash(project, 'a')).not.toBe(link);
  });

  test('ignores git filters', async () => {
    const project = await makeGitProject({ files: { '.gitattributes': '*.txt text eol=lf\n', 'a.txt': 'x\n' } });
    const before = await hash(project, 'a.txt');
    await project.write('a.txt', 'x\r\n');
    expect(await hash(project, 'a.txt')).not.toBe(before);
  });

  test('handles folders, a file as parent, odd names and a file larger than one read', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await mkdir(join(project.directory, 'folder'));
    expect(await hash(project, 'folder')).toBe('directory');
    expect(await hash(project, 'a/below')).toBeNull();
    await project.write('-odd\nname', 'x');
    expect(await hash(project, '-odd\nname')).toMatch(/^file:/);
    await project.write('large', `${'x'.repeat(300_000)}a`);
    const large = await hash(project, 'large');
    await project.write('large', `${'x'.repeat(300_000)}b`);
    expect(await hash(project, 'large')).not.toBe(large);
  });
});
