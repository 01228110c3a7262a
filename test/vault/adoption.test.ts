import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type Adoption, adoptProject } from '../../src/vault/adoption.ts';
import { loadProjects } from '../../src/vault/projects.ts';
import { verifyVault } from '../../src/vault/verify.ts';
import { failureOf } from '../support/failureOf.ts';
import { listTree } from '../support/listTree.ts';
import { traceDisk } from '../support/tracingDisk.ts';
import { makeVaultFolder, type VaultFolder } from '../support/vaultFolder.ts';

let vault: VaultFolder;
let project: string;

beforeEach(async () => {
  vault = await makeVaultFolder();
  project = join(vault.folder, 'Demo');
  mkdirSync(project);
});

function adopt(options: Partial<Adoption> = {}) {
  return adoptProject({ disk: nodeDisk, layout: vault.layout, project, description: 'Shows how it works', ...options });
}

async function verified() {
  const { plans, diagnostics } = await verifyVault(nodeDisk, vault.layout);
  return { plans, codes: diagnostics.map(({ code }) => code) };
}

describe('adopting a new project', () => {
  test('creates a root plan, a registry entry and a link that pass verification', async () => {
    vault.write('Demo/src/main.ts', 'source');
    expect(await adopt({ remote: 'git@host:demo' })).toEqual({
      plan: 'Demo/project-root',
      relinked: false,
      vaultPaths: ['projects.yaml'],
    });
    expect(readlinkSync(vault.layout.project('Demo'))).toBe(join(project, 'ravel'));
    expect((await loadProjects(nodeDisk, vault.layout)).projects).toEqual([
      { name: 'Demo', remote: 'git@host:demo', path: project },
    ]);
    expect(await verified()).toEqual({ plans: 1, codes: [] });
    expect(listTree(project).filter((path) => !path.startsWith('ravel'))).toEqual(['src/', 'src/main.ts: source']);
  });

  test('creates the files of a plan', async () => {
    await adopt({ description: '  Shows: how "it" works ' });
    const plan = 'Demo/ravel/project-root';
    expect(vault.read(`${plan}/plan-state.md`)).toMatch(/^---\nschema-version: 1\ndescription: .*Shows: how .*\n/);
    expect(vault.read(`${plan}/phase.md`)).toBe('work\n');
    expect(vault.read(`${plan}/backlog.yaml`)).toBe('tasks: []\n');
    expect(vault.read(`${plan}/memory.yaml`)).toBe('entries: []\n');
    expect(vault.read(`${plan}/session-log.yaml`)).toBe('sessions: []\n');
    expect(vault.read(`${plan}/dream-word-count`)).toBe('0\n');
    expect(existsSync(join(project, 'ravel/knowledge/.gitkeep'))).toBe(true);
  });

  test('makes git ignore the views and scratch files of every plan, but no knowledge', async () => {
    await adopt();
    const kept = ['knowledge/memory.md', 'project-root/child/plan-state.md', 'project-root/notes.md'];
    const dropped = ['project-root/backlog.md', 'project-root/child/memory.md', 'project-root/a/b/session-log.md'];
    const scratch = ['commits.yaml', 'dispatches.yaml', 'queries.yaml', '.x.0a.tmp'].map(
      (name) => `project-root/${name}`,
    );
    for (const path of [...kept, ...dropped, ...scratch]) vault.write(`Demo/ravel/${path}`, '');
    const git = (...args: string[]) => execFileSync('git', args, { cwd: project, encoding: 'utf8' });
    git('init', '-q');
    const seen = git('status', '--porcelain', '-uall', '-z')
      .split('\0')
      .map((line) => line.slice(9));
    for (const path of kept) expect(seen).toContain(path);
    for (const path of [...dropped, ...scratch]) expect(seen).not.toContain(path);
  });

  test('uses the given name, and the real path of a project behind a link', async () => {
    symlinkSync(project, join(vault.folder, 'alias'));
    expect(await adopt({ project: join(vault.folder, 'alias'), name: 'Show' })).toMatchObject({
      plan: 'Show/project-root',
    });
    expect(readlinkSync(vault.layout.project('Show'))).toBe(join(project, 'ravel'));
  });

  test('creates the folder for links if a fresh clone of the vault has none', async () => {
    rmSync(vault.layout.projects, { recursive: true });
    await adopt();
    expect(await verified()).toEqual({ plans: 1, codes: [] });
  });
});

describe('adopting a project again', () => {
  test('is refused if everything is in place, under any name', async () => {
    await adopt();
    expect(await failureOf(() => adopt())).toMatchObject({ code: 'project/exists' });
    expect(await failureOf(() => adopt({ name: 'Other' }))).toMatchObject({
      code: 'project/exists',
      message: 'This project is already adopted, as "Demo".',
    });
  });

  test('restores the link and leaves the plan as it is if the link was lost', async () => {
    await adopt();
    vault.write('Demo/ravel/project-root/backlog.yaml', 'tasks: [] # mine\n');
    rmSync(vault.layout.projects, { recursive: true });
    rmSync(vault.layout.localProjectsFile);
    const before = listTree(project);
    expect(await adopt({ description: 'Something else' })).toMatchObject({ relinked: true });
    expect(listTree(project)).toEqual(before);
    expect(await verified()).toEqual({ plans: 1, codes: [] });
  });

  test('restores the registry entry if only the link is left', async () => {
    await adopt();
    rmSync(vault.layout.localProjectsFile);
    expect(await adopt()).toMatchObject({ relinked: true });
    expect((await loadProjects(nodeDisk, vault.layout)).projects).toEqual([{ name: 'Demo', path: project }]);
  });

  test('replaces the dangling link and corrects the path of a project that moved', async () => {
    await adopt();
    const moved = join(vault.folder, 'moved', 'Demo');
    mkdirSync(join(vault.folder, 'moved'));
    renameSync(project, moved);
    expect(await adopt({ project: moved })).toMatchObject({ relinked: true });
    expect(readlinkSync(vault.layout.project('Demo'))).toBe(join(moved, 'ravel'));
    expect((await loadProjects(nodeDisk, vault.layout)).projects).toEqual([{ name: 'Demo', path: moved }]);
  });

  test('replaces a link that leads to itself', async () => {
    symlinkSync('Demo', vault.layout.project('Demo'));
    await adopt();
    expect(await verified()).toEqual({ plans: 1, codes: [] });
  });
});

describe('adoption is refused, and nothing is written, because of', () => {
  const other = () => join(vault.folder, 'Other');

  test.each<[string, () => Partial<Adoption>, string, string]>([
    ['an empty description', () => ({ description: ' ' }), 'plan/badDescription', 'the description is empty'],
    [
      'a description of 121 characters',
      () => ({ description: 'x'.repeat(121) }),
      'plan/badDescription',
      '121 characters',
    ],
    ['a placeholder as description', () => ({ description: 'TODO' }), 'plan/badDescription', 'placeholder'],
    ['a description of two lines', () => ({ description: 'a\nb' }), 'plan/badDescription', 'more than one line'],
    ['a missing folder', () => ({ project: other() }), 'project/missing', 'There is no folder'],
    ['a file', () => ({ project: vault.write('file', '') }), 'project/missing', 'There is no folder'],
    ['a relative path', () => ({ project: 'Demo' }), 'project/missing', 'not an absolute path'],
    ['a bad name', () => ({ name: 'a:b' }), 'plan/badId', 'cannot name a project'],
    ['a name with a slash', () => ({ name: 'a/b' }), 'plan/badId', 'slash'],
    ['the reserved name', () => ({ name: 'project-root' }), 'plan/badId', 'reserved'],
    [
      'a ravel/ folder of another program',
      () => {
        vault.write('Demo/ravel/README.md', 'x');
        return {};
      },
      'project/noRootPlan',
      '"README.md"',
    ],
    [
      'a different file in place of one of ours',
      () => {
        vault.write('Demo/ravel/.gitignore', 'x');
        return {};
      },
      'project/noRootPlan',
      '".gitignore"',
    ],
    [
      'a file named ravel',
      () => {
        vault.write('Demo/ravel', 'x');
        return {};
      },
      'project/badLink',
      'not a folder',
    ],
    [
      'a link named ravel',
      () => {
        symlinkSync('/nowhere', join(project, 'ravel'));
        return {};
      },
      'project/badLink',
      'not a folder',
    ],
    [
      'a folder in place of the link',
      () => {
        mkdirSync(vault.layout.project('Demo'));
        return {};
      },
      'project/badLink',
      'not a symlink',
    ],
    [
      'a name whose link leads to another project',
      () => {
        mkdirSync(join(other(), 'ravel'), { recursive: true });
        symlinkSync(join(other(), 'ravel'), vault.layout.project('Demo'));
        return {};
      },
      'project/exists',
      'it leads to',
    ],
    [
      'a name that differs from another only in case',
      () => {
        symlinkSync('/nowhere/ravel', vault.layout.project('demo'));
        return {};
      },
      'project/exists',
      'only in case',
    ],
    [
      'a registry that cannot be read',
      () => {
        vault.write('vault/projects.yaml', 'projects: [');
        return {};
      },
      'yaml/syntax',
      '',
    ],
  ])('%s', async (_, prepare, code, message) => {
    const options = prepare();
    const before = listTree(vault.folder);
    const problem = await failureOf(() => adopt(options));
    expect(problem.code).toBe(code);
    expect(problem.message).toContain(message);
    expect(listTree(vault.folder)).toEqual(before);
  });

  test('adoption accepts a description of 120 characters', async () => {
    await adopt({ description: 'x'.repeat(120) });
    expect(await verified()).toEqual({ plans: 1, codes: [] });
  });
});

test('an adoption stopped at any change is completed by the same call', async () => {
  const empty = join(vault.folder, 'copy');
  cpSync(vault.layout.root, empty, { recursive: true });
  await adopt();
  const whole = listTree(vault.folder);
  let stopped = 0;
  for (let at = 1; ; at++) {
    rmSync(vault.layout.root, { recursive: true });
    cpSync(empty, vault.layout.root, { recursive: true });
    rmSync(join(project, 'ravel'), { recursive: true });
    let changes = 0;
    const disk = traceDisk(nodeDisk, (_, operation) => {
      if (/^(open|file\.write|rename|makeDirectory|unlink|symlink)$/.test(operation)) changes++;
      if (changes >= at) throw Object.assign(new Error('stopped'), { code: 'EIO' });
    });
    const done = await adopt({ disk }).then(
      () => true,
      () => false,
    );
    if (done) break;
    stopped++;
    await adopt();
    // A temporary file beside the registry is left to the doctor; git ignores it.
    expect(listTree(vault.folder).filter((path) => !/^vault\/\.projects\..*\.tmp:/.test(path))).toEqual(whole);
  }
  expect(stopped).toBeGreaterThan(30);
});
