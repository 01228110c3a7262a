import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type Fingerprint, takeFingerprint } from '../../src/git/fingerprint.ts';
import { createGit } from '../../src/git/git.ts';
import { readStatus } from '../../src/git/status.ts';
import { decidingTable } from '../../src/model/decidingFiles.ts';
import { type GitProject, makeGitProject } from '../support/gitProject.ts';

/** Names of what differs between two looks at a folder, before and after a change. */
async function differences(project: GitProject, directory: string, change: () => unknown): Promise<string[]> {
  const before = await takeFingerprint(project.git, directory);
  await change();
  const after = await takeFingerprint(project.git, directory);
  return changedNames(before, after);
}

function changedNames(before: Fingerprint, after: Fingerprint): string[] {
  const names = new Set([...Object.keys(before.files), ...Object.keys(after.files)]);
  return [...names].filter((name) => before.files[name]?.hash !== after.files[name]?.hash).sort();
}

async function put(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
}

describe('a fingerprint of an odd project:', () => {
  test('settings that another file brings in are among its own', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.person('config', 'include.path', '../more');
    const changed = await differences(project, project.directory, () =>
      put(join(project.root, 'more'), '[core]\n  pager = evil\n'),
    );
    expect(changed).toContain('(included settings)');
  });

  test('a link in the place of a folder of such files is one of them, at the top and below', async () => {
    const project = await makeGitProject({ files: { 'src/a': '1', '.gitignore': '.github\n' } });
    const links = ['.github', '.idea', '.vscode', '.config', 'src/.vscode', 'src/.bundle', 'src/.config'];
    const changed = await differences(project, project.directory, async () => {
      for (const link of links) await symlink('/no/such/folder', join(project.root, link));
    });
    expect(changed).toEqual(links.sort());
  });

  test('a work tree that was added has the settings and hooks of the first one, and its own', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    const tree = join(project.root, '..', 'tree');
    await project.person('worktree', 'add', '--quiet', tree, '-b', 'other');
    await project.person('config', 'extensions.worktreeConfig', 'true');
    const shared = join(await realpath(project.root), '.git');
    const changed = await differences(project, tree, async () => {
      await project.hook('pre-commit', 'exit 0');
      await project.person('config', 'core.editor', 'x');
      await project.person('-C', tree, 'config', '--worktree', 'filter.f.clean', 'cat');
      await put(join(tree, '.envrc'), 'x\n');
    });
    expect(changed).toEqual([
      '.envrc',
      join(shared, 'config'),
      join(shared, 'hooks/pre-commit'),
      join(shared, 'worktrees/tree/config.worktree'),
    ]);
  });

  test('a submodule has its own settings, and the repository around it as well', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    const other = await makeGitProject({ files: { b: '1' } });
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', other.root, 'sub'];
    await project.person(...add);
    const directory = join(project.root, 'sub');
    const top = join(await realpath(project.root), '.git');
    const changed = await differences(project, directory, async () => {
      await project.person('-C', 'sub', 'config', 'filter.f.clean', 'cat');
      await project.person('config', 'filter.g.clean', 'cat');
    });
    expect(changed).toEqual([join(top, 'config'), join(top, 'modules/sub/config')]);
  });

  test('the settings and hooks of its submodules and other working trees are part of it, and never shown', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    const other = await makeGitProject({ files: { b: '1' } });
    const add = ['-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add'];
    await project.person(...add, '--name', 'libs/sub', other.root, 'sub');
    await project.person('-C', 'sub', ...add, other.root, 'deep');
    await project.person('worktree', 'add', '--quiet', join(project.root, '..', 'tree'), '-b', 'other');
    const changes = [
      '.git/modules/libs/sub/commondir',
      '.git/modules/libs/sub/config',
      '.git/modules/libs/sub/config.worktree',
      '.git/modules/libs/sub/hooks/post-checkout',
      '.git/modules/libs/sub/info/attributes',
      '.git/modules/libs/sub/modules/deep/config',
      '.git/worktrees/tree/commondir',
      '.git/worktrees/tree/config.worktree',
      '.git/worktrees/tree/gitdir',
    ];
    const changed = await differences(project, project.directory, async () => {
      for (const path of changes) await put(join(project.root, path), 'x\n');
    });
    expect(changed).toEqual(changes);
    const { files } = await takeFingerprint(project.git, project.directory);
    expect(changes.filter((path) => files[path]?.text !== undefined)).toEqual([]);
  });

  test('what a rebase that is half done would run is part of it, and its other lines are not', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await project.person('worktree', 'add', '--quiet', join(project.root, '..', 'tree'), '-b', 'other');
    const todos = ['.git/rebase-merge/git-rebase-todo', '.git/worktrees/tree/rebase-merge/git-rebase-todo'];
    const write = async (text: string) => {
      for (const path of todos) await put(join(project.root, path), text);
    };
    expect(await differences(project, project.directory, () => write('pick 1 a\nx ./own\n'))).toEqual(todos);
    expect(await differences(project, project.directory, () => write('x ./own\npick 2 exec\n'))).toEqual([]);
    const changed = await differences(project, project.directory, () => write('x ./own\n  exec\t./evil\n'));
    expect(changed).toEqual(todos);
  });

  test('a repository in the place of a submodule that is not checked out is part of it', async () => {
    const project = await makeGitProject({
      files: { a: '1', '.gitmodules': '[submodule "sub"]\n\tpath = libs/sub\n' },
    });
    const changed = await differences(project, project.directory, async () => {
      await project.person('init', '--quiet', '--template=', 'libs/sub');
      await put(join(project.root, 'libs/sub/.git/hooks/post-checkout'), 'x\n');
    });
    expect(changed).toEqual(['libs/sub/.git', 'libs/sub/.git/config', 'libs/sub/.git/hooks/post-checkout']);
    expect(
      await differences(project, project.directory, () =>
        project.person('-C', 'libs/sub', 'config', 'core.fsmonitor', 'evil'),
      ),
    ).toEqual(['libs/sub/.git/config']);
  });

  test('a file behind a link is noted without its text', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await mkdir(join(project.root, '../keys'));
    await writeFile(join(project.root, '../keys/settings.json'), 'a key');
    await symlink('../keys', join(project.root, '.vscode'));
    await symlink('../keys/settings.json', join(project.root, '.envrc'));
    const { files } = await takeFingerprint(project.git, project.root);
    expect(files['.envrc']?.hash).toMatch(/^link:/);
    expect(JSON.stringify(files)).not.toContain('a key');
  });

  test('a symbolic link to a project is that project', async () => {
    const project = await makeGitProject({ files: { a: '1', '.envrc': 'x\n' } });
    const link = join(project.root, '..', 'link');
    await symlink(project.root, link);
    const real = await takeFingerprint(project.git, project.directory);
    expect(await takeFingerprint(project.git, link)).toEqual(real);
    expect(Object.keys(real.files)).toContain('.envrc');
  });

  test('a project below the top of its repository has the files of both', async () => {
    const project = await makeGitProject({ files: { a: '1' }, below: 'apps/one' });
    await put(join(project.root, '.gitignore'), '.vscode\n');
    const changed = await differences(project, project.directory, async () => {
      await put(join(project.root, '.vscode/tasks.json'), '{}\n');
      await put(join(project.directory, '.vscode/tasks.json'), '{}\n');
    });
    expect(changed).toEqual(['.vscode/tasks.json', 'apps/one/.vscode/tasks.json']);
  });

  test('a bare repository and the inside of a git directory are refused', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    const bare = join(project.root, '..', 'bare.git');
    await project.person('clone', '--quiet', '--bare', '.', bare);
    for (const directory of [bare, join(project.root, '.git')]) {
      await expect(takeFingerprint(project.git, directory)).rejects.toMatchObject({ code: 'git/notARepository' });
    }
  });

  test('a folder that was made into a repository with its work tree elsewhere is refused', async () => {
    const project = await makeGitProject({ files: { a: '1', 'other/a': '1' } });
    await project.person('init', '--quiet', '--bare', 'made');
    await project.person('--git-dir=made', 'config', 'core.bare', 'false');
    await project.person('--git-dir=made', 'config', 'core.worktree', join(project.root, 'other'));
    const taken = takeFingerprint(project.git, join(project.root, 'made'));
    await expect(taken).rejects.toMatchObject({ code: 'git/notARepository' });
  });

  test('a work tree that the settings lead elsewhere is refused, or is another place', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    const before = await takeFingerprint(project.git, project.directory);
    await project.person('config', 'core.worktree', join(project.root, '..'));
    const after = await takeFingerprint(project.git, project.directory);
    expect(after.root).not.toBe(before.root);
  });

  test('a pipe in the place of a file does not block', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    const pipe = (path: string) => promisify(execFile)('mkfifo', [join(project.root, path)]);
    expect(await differences(project, project.directory, () => pipe('.npmrc'))).toEqual(['.npmrc']);
    await rm(join(project.root, '.git/config'));
    await pipe('.git/config');
    await expect(takeFingerprint(project.git, project.directory)).rejects.toMatchObject({ code: 'git/failed' });
    const { environment } = project;
    const accepted = async () => ({ settings: new Set<string>(), hooks: new Map<string, string>() });
    const git = createGit({ environment, clock: systemClock, disk: nodeDisk, accepted });
    await expect(readStatus(git, project.directory)).rejects.toMatchObject({ code: 'git/failed' });
  });

  test('a folder of thousands of files is bounded', async () => {
    const project = await makeGitProject({ files: { a: '1' } });
    await mkdir(join(project.root, '.husky'));
    await Promise.all(
      Array.from({ length: 2100 }, (_, at) => writeFile(join(project.root, '.husky', `f${at}`), `${at}`)),
    );
    const { files } = await takeFingerprint(project.git, project.directory);
    expect(Object.keys(files).length).toBeLessThanOrEqual(2001);
  });
});

describe('of the files that decide what others run, a fingerprint', () => {
  const rows = decidingTable.flatMap(({ files, watched }) => files.map((file) => ({ file, watched })));
  /** A file that a row means; a folder and a file of one name are in different projects. */
  const exampleOf = (file: string) => (file.endsWith('/') ? `${file}x` : file).replace('*', 'm');
  const kinds = { files: (file: string) => !file.endsWith('/'), folders: (file: string) => file.endsWith('/') };
  test.each(Object.entries(kinds))('watches the %s that the table says, where it says', async (_name, isMeant) => {
    const meant = rows.filter(({ file }) => isMeant(file));
    expect(meant.length).toBeGreaterThan(20);
    const project = await makeGitProject({ files: { a: '1', '.gitignore': '/.*\n' } });
    const changed = await differences(project, project.directory, async () => {
      for (const { file } of meant) {
        await put(join(project.root, exampleOf(file)), 'x\n');
        await put(join(project.root, 'below/it', exampleOf(file)), 'x\n');
      }
    });
    const expected = meant.flatMap(({ file, watched }) => {
      const example = exampleOf(file);
      if (watched === 'atTop') return [example];
      return watched === 'everywhere' ? [example, `below/it/${example}`] : [];
    });
    const changedFiles = changed.filter((name) => statSync(join(project.root, name)).isFile());
    expect(changedFiles).toEqual([...new Set(expected)].sort());
  });

  test('watches agents’ instructions, settings of editors and debuggers, and owners of code', async () => {
    const paths = ['AGENTS.md', 'docs/CLAUDE.md', 'GEMINI.md', '.codex/config.toml', '.kiro/hooks/a', 'mcp.json'];
    paths.push('a.code-workspace', '.zed/tasks.json', '.lintstagedrc.mjs', '.gdbinit', 'docs/CODEOWNERS', '.gitlab/x');
    const project = await makeGitProject({ files: { a: '1' } });
    const changed = await differences(project, project.directory, async () => {
      for (const path of paths) await put(join(project.root, path), 'x\n');
    });
    expect(changed).toEqual(paths.sort());
  });

  test('never shows a text that may be a token as a whole', async () => {
    const tokens = decidingTable.filter(({ holdsTokens }) => holdsTokens !== undefined).flatMap(({ files }) => files);
    const project = await makeGitProject({ files: { a: '1', '.vscode/tasks.json': 'shown\n' } });
    for (const file of tokens) await put(join(project.root, exampleOf(file)), 'token\n');
    const { files } = await takeFingerprint(project.git, project.directory);
    for (const file of tokens) expect(files[exampleOf(file)], file).toEqual({ hash: expect.any(String) as string });
    expect(files['.vscode/tasks.json']?.text).toBe('shown\n');
  });
});

test('a row of the table without a decision does not compile', () => {
  // @ts-expect-error: says nothing of `watched`.
  const row: (typeof decidingTable)[number] = { files: ['new.toml'] };
  expect(row).not.toHaveProperty('watched');
});
