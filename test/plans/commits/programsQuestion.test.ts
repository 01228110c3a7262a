import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { ensureDirectory } from '../../../src/base/files.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import {
  acceptPrograms,
  type ChangedProgram,
  holdPrograms,
  programsQuestion,
  releasePrograms,
} from '../../../src/plans/commits/programsQuestion.ts';
import { formatYaml } from '../../../src/yaml/yaml.ts';
import { backlogOf, makePlanWorld, type PlanWorld } from '../../support/planServices.ts';

async function make(): Promise<PlanWorld> {
  const world = await makePlanWorld({
    plan: { 'backlog.yaml': backlogOf('a') },
    source: {
      ...{ 'a.txt': 'a\n', '.npmrc': 'registry=https://one.example\n', '.vscode/settings.json': '{}\n' },
      'packages/two/.envrc': 'one\n',
    },
  });
  await ensureDirectory(world.services.disk, world.services.layout.plans);
  return world;
}

interface Asked {
  readonly hash: string;
  readonly files: readonly ChangedProgram[];
}

async function ask({ services, location }: PlanWorld): Promise<Asked | undefined> {
  return (await programsQuestion(services, location, 'analyse-work'))?.details as Asked | undefined;
}

function put(world: PlanWorld, path: string, text: string): void {
  const file = join(world.project, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** A repository can be a folder that the next sandbox shows. */
async function borrow(world: PlanWorld): Promise<void> {
  const other = join(world.project, '..', 'other');
  await world.git('init', '--quiet', other);
  put(world, '.git/objects/info/alternates', `${join(other, '.git/objects')}\n`);
}

describe('a change since a session began is a question:', () => {
  const written = [
    ...['.gitattributes', 'packages/one/.gitattributes', '.gitmodules', '.git/info/attributes', '.git/hooks/pre-push'],
    ...['.vscode/tasks.json', '.vscode/settings.json', '.vscode/launch.json', '.vscode/mcp.json', '.cursor/mcp.json'],
    ...['lefthook.yml', '.pre-commit-config.yaml', '.husky/pre-commit', '.cargo/config.toml', '.npmrc', '.envrc'],
    ...['.github/workflows/ci.yml', '.gitlab-ci.yml', '.devcontainer/devcontainer.json', '.claude/settings.json'],
    ...['.mcp.json', 'packages/one/.npmrc', 'packages/one/.claude/settings.json'],
  ];
  test.each(written)('%s', async (path) => {
    const world = await make();
    await holdPrograms(world.services, world.location);
    expect(await ask(world)).toBeUndefined();
    put(world, path, 'evil\n');
    expect((await ask(world))?.files.map(({ file }) => file)).toEqual([path]);
  });

  const others: readonly (readonly [string, (world: PlanWorld) => unknown, string])[] = [
    ['a setting', ({ git }) => git('config', 'core.fsmonitor', 'evil'), '.git/config'],
    ['where a push goes', ({ git }) => git('config', 'branch.main.pushRemote', 'https://evil.example'), '.git/config'],
    [
      'an included file',
      async (world) => {
        put(world, '.git/more', '[alias]\n\tx = !evil\n');
        await world.git('config', 'include.path', 'more');
      },
      '(included settings)',
    ],
    ['a file that git ignores', (world) => put(world, '.envrc', 'evil\n'), '.envrc'],
    [
      'a file of another folder that git tracks',
      (world) => put(world, 'packages/two/.envrc', 'evil\n'),
      'packages/two/.envrc',
    ],
    ['a file that is gone', ({ project }) => rmSync(join(project, '.npmrc')), '.npmrc'],
    ['where objects are borrowed from', borrow, '.git/objects/info/alternates'],
    ['the executable bit', ({ project }) => chmodSync(join(project, '.npmrc'), 0o755), '.npmrc'],
    ['a link', ({ project }) => symlinkSync('a.txt', join(project, '.mcp.json')), '.mcp.json'],
    [
      'another folder of hooks',
      async (world) => {
        put(world, 'tools/pre-commit', 'evil\n');
        await world.git('config', 'core.hooksPath', 'tools');
      },
      'tools/pre-commit',
    ],
  ];
  test.each(others)('%s', async (_name, change, expected) => {
    const world = await make();
    put(world, '.gitignore', '.envrc\n');
    await holdPrograms(world.services, world.location);
    await change(world);
    expect((await ask(world))?.files.map(({ file }) => file)).toContain(expected);
  });
});

test('the `.git` file of a working tree is a question when it changes', async () => {
  const world = await make();
  const [file, folder] = [join(world.project, '.git'), join(world.project, '..', 'repository')];
  renameSync(file, folder);
  writeFileSync(file, 'gitdir: ../repository\n');
  await holdPrograms(world.services, world.location);
  expect(await ask(world)).toBeUndefined();
  writeFileSync(file, `gitdir: ${folder}\n`);
  expect((await ask(world))?.files).toMatchObject([
    { file: '.git', was: 'gitdir: ../repository\n', is: `gitdir: ${folder}\n` },
  ]);
});

test('ordinary source, and the notes of programs for each branch, are not a question', async () => {
  const world = await make();
  await holdPrograms(world.services, world.location);
  for (const path of ['package.json', 'Makefile', 'src/a.js', 'a.txt', 'test/run.sh']) put(world, path, 'x\n');
  await world.git('config', 'branch.main.vscode-merge-base', 'origin/main');
  expect(await ask(world)).toBeUndefined();
});

test('the question shows the lines that changed, and no token', async () => {
  const world = await make();
  const secret = 'secret-of-a-test';
  await world.git('config', 'remote.origin.url', `https://me:${secret}@example.org/a.git`);
  await holdPrograms(world.services, world.location);
  await world.git('config', 'http.extraHeader', `Authorization: ${secret}`);
  await world.git('config', 'filter.x.clean', 'evil');
  put(world, '.npmrc', `_authToken=${secret}\n`);
  put(world, '.vscode/settings.json', '{ "evil": 1 }\n');
  const asked = await ask(world);
  const shown = new Map(asked?.files.map(({ file, was, is }) => [file, { was, is }]));
  expect(shown.get('.vscode/settings.json')).toEqual({ was: '{}\n', is: '{ "evil": 1 }\n' });
  expect(shown.get('.git/config')?.is).toContain('filter.x.clean = evil');
  expect(shown.get('.npmrc')).toEqual({ was: undefined, is: undefined });
  expect(JSON.stringify(asked)).not.toContain(secret);
});

test('an accepted change is not asked about again, and one made after the person looked is', async () => {
  const world = await make();
  const { services, location } = world;
  await holdPrograms(services, location);
  put(world, '.envrc', 'one\n');
  const first = await ask(world);
  put(world, '.envrc', 'two\n');
  await acceptPrograms(services, location, first?.hash ?? '');
  const second = await ask(world);
  expect(second?.files).toHaveLength(1);
  await acceptPrograms(services, location, second?.hash ?? '');
  expect(await ask(world)).toBeUndefined();
});

test('what a person changes while no session is at it is theirs', async () => {
  const world = await make();
  const { services, location } = world;
  put(world, '.envrc', 'mine\n');
  expect(await ask(world)).toBeUndefined();
  await holdPrograms(services, location);
  await releasePrograms(services, location);
  put(world, '.envrc', 'mine again\n');
  expect(await ask(world)).toBeUndefined();
  await holdPrograms(services, location);
  expect(await ask(world)).toBeUndefined();
});

test('what changed while a session of another plan is at the project is asked about, as before that session', async () => {
  const world = await make();
  const { services, location } = world;
  const other = { ...location, id: toQualifiedId('Demo/project-root/other') };
  await holdPrograms(services, location);
  put(world, '.envrc', 'evil\n');
  await holdPrograms(services, other);
  await releasePrograms(services, location);
  expect((await ask(world))?.files.map(({ file }) => file)).toEqual(['.envrc']);
  await releasePrograms(services, other);
  expect(await ask(world)).toBeUndefined();
});

test('a change in the repository of the vault is a question as well', async () => {
  const world = await make();
  const { services, location } = world;
  const { root } = services.layout;
  await promisify(execFile)('git', ['init', '--quiet', root]);
  await holdPrograms(services, location);
  writeFileSync(join(root, '.git/info/attributes'), '* filter=evil\n');
  expect((await ask(world))?.files.map(({ file }) => file)).toEqual([join(root, '.git/info/attributes')]);
});

test('a baseline that cannot be read accepts nothing', async () => {
  const world = await make();
  const { services, location } = world;
  await holdPrograms(services, location);
  writeFileSync(join(services.layout.programs, 'Demo.json'), '{');
  expect((await ask(world))?.files.map(({ file }) => file)).toContain('.git/config');
});

describe('a write that a person allowed in the session is not asked about again', () => {
  const edit = (old: string, fresh: string) => ({ old_string: old, new_string: fresh });

  async function check(inputs: readonly object[], tool: string, text: string, isAsked: boolean, change = {}) {
    const world = await make();
    const { services, location } = world;
    await holdPrograms(services, location);
    await ensureDirectory(services.disk, services.layout.decisions);
    for (const input of inputs) {
      const id = services.newUlid();
      const decision = { id, createdAt: 'now', contentHash: 'h', kind: 'tool-request', plan: location.id, session: id };
      const details = { tool_name: tool, input: { file_path: join(world.project, '.vscode/settings.json'), ...input } };
      const answer = { subject: 's', options: [], details, decision: 'accept', by: 'ada', at: 'now', ...change };
      writeFileSync(services.layout.decision(id), formatYaml({ ...decision, ...answer }));
    }
    put(world, '.vscode/settings.json', text);
    expect((await ask(world)) !== undefined).toBe(isAsked);
  }

  test.each([
    ['a file as it was written', [{ content: '{ "a": 1 }' }], 'Write', '{ "a": 1 }', false],
    ['a file that is otherwise now', [{ content: '{ "a": 1 }' }], 'Write', '{ "a": 2 }', true],
    ['an edit', [edit('{}', '{ "a": 1 }')], 'Edit', '{ "a": 1 }\n', false],
    ['an edit and more', [edit('{}', '{ "a": 1 }')], 'Edit', '{ "a": 1 }\nx\n', true],
    ['two edits', [edit('{}', '{ "a": 1 }'), edit('1', '2')], 'Edit', '{ "a": 2 }\n', false],
    ['two edits, of which one failed', [edit('no', 'yes'), edit('{}', '{ 1 }')], 'Edit', '{ 1 }\n', false],
    ['an edit in one of two places', [edit('{}', 'a a'), edit('a', 'b')], 'Edit', 'b b\n', true],
    ['two edits and more', [edit('{}', '{ "a": 1 }'), edit('1', '2')], 'Edit', '{ "a": 3 }\n', true],
  ] as const)('%s', (_name, inputs, tool, text, isAsked) => check(inputs, tool, text, isAsked));

  test.each([
    ['if it was allowed to another plan', { plan: 'Demo/project-root/other' }],
    ['if it was refused', { decision: 'reject' }],
  ])('but %s', (_name, change) => check([{ content: '{ "a": 1 }' }], 'Write', '{ "a": 1 }', true, change));
});
