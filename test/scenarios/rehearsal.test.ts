import { execFile } from 'node:child_process';
import { mkdir, readFile, rename, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { exactTree } from '../support/exactTree.ts';
import { makeRehearsalPlace } from '../support/rehearsals.ts';
import { analysis, done, scenarioText } from '../support/scenarioRuns.ts';
import type { World } from '../support/world.ts';

test('a rehearsal tells what a cycle would change, and changes nothing but its copy', async () => {
  const world = await makeCycleWorld();
  await world.write('.gitignore', 'build/\n');
  await world.git('add', '.gitignore');
  await world.write('notes.txt', 'A person is writing this.\n');
  await world.write('build/large.bin', 'x'.repeat(1000));
  await world.write('README.md', '# Greeter, edited\n');
  const place = await makeRehearsalPlace(world);
  const before = place.exact();
  const { code, stderr, stdout, report } = await place.rehearse('--scenario', world.scenario);
  expect({ code, stderr, lines: stdout.trim().split('\n').length }).toEqual({ code: 0, stderr: '', lines: 1 });
  expect(place.exact()).toEqual(before);
  expect(await place.left()).toEqual([]);
  expect(report).toMatchObject({
    plan: world.plan,
    project: world.project,
    harness: 'scripted',
    costUsd: 0,
    withheld: [],
    questions: [],
    copy: { leftOut: [] },
  });
  expect(report?.report.stop).toBe('cycle-ended');
  expect(report?.report.phases.map(({ phase, end }) => `${phase} ${end}`)).toEqual(
    ['work', 'analyse-work', 'reflect', 'dream', 'triage'].map((phase) => `${phase} finished`),
  );
  // What was dirty before is no change of the rehearsal.
  expect(report?.files).toEqual([
    { path: 'farewell.mjs', status: 'added', added: 3, removed: 0 },
    { path: 'farewell.test.mjs', status: 'added', added: 5, removed: 0 },
    { path: 'greet.mjs', status: 'changed', added: 1, removed: 1 },
  ]);
  expect(report?.patch).toContain('+  return `Hello, ${name}`;');
  const titles = report?.commits.map(({ message }) => message.split('\n')[0]);
  expect(titles?.slice(0, 2)).toEqual(['Say goodbye', 'Put a comma into the greeting']);
  expect(report?.commits.map(({ message }) => message).join('\n')).not.toMatch(/^Ravel-/m);
  expect(report?.commits[0]?.paths).toEqual(['farewell.mjs', 'farewell.test.mjs']);
  expect(report?.tasks.map(({ id, change }) => `${id} ${change}`)).toEqual([
    'say-it-in-spanish changed',
    'add-a-farewell removed',
  ]);
  expect(report?.memory.map(({ id, change }) => `${id} ${change}`).sort()).toEqual([
    'esm-only removed',
    'modules-are-esm changed',
    'tests-run-with-node-test added',
  ]);
  expect(report?.refusals.map(({ phase }) => phase)).toEqual(
    expect.arrayContaining(['analyse-work', 'reflect', 'dream']),
  );
  expect(stdout).not.toContain(place.temporary);
}, 90_000);

const run = promisify(execFile);

const received = `received:
- id: 01JD0000000000000000000001
  from: greeter/project-root/fresh
  at: 2026-11-01T00:00:00Z
  reason: somebody asked
  body: |
    Please greet in German.
  state: new
`;

test('what a session sends, asks or writes elsewhere does not leave the copy, and the report names all of it', async () => {
  const world = await makeCycleWorld();
  await world.writePlan('backlog.yaml', `${await world.readPlan('backlog.yaml')}${received}`);
  await world.writePlan('fresh/plan-state.md', '---\nschema-version: 1\ndescription: Greets anew\n---\n');
  const at = (path: string) => join(world.project, path);
  const named = { 'target-project': 'shop' };
  const scenario = scenarioText({
    work: [
      { edit: { path: at('greet.mjs'), content: 'gone\n' } },
      { edit: { path: join(world.vault, 'routing.yaml'), content: 'gone\n' } },
      { run: { command: `echo gone > ${at('greet.mjs')}; echo gone > ${join(world.root, 'home/gone')}; true` } },
      { edit: { path: 'here.txt', content: 'In the copy.\n' } },
      { call: 'backlog_set_status', with: { id: '${task}', status: 'done' } },
      { call: 'message_dispatch', with: { ...named, reason: 'The shop needs it', body: 'Greet the shop.' } },
      {
        call: 'message_ask',
        with: { 'target-expert': 'french', reason: 'We need the word', body: 'Salut or bonjour?' },
        expect: 'refused',
      },
      done,
    ],
    'analyse-work': analysis(['Write here', 'here.txt']),
    reflect: [done],
    dream: [done],
    triage: [
      { call: 'received_decline', with: { id: '01JD0000000000000000000001', reason: 'We greet in French alone.' } },
      done,
    ],
  });
  await writeFile(world.scenario, scenario);
  const place = await makeRehearsalPlace(world);
  const before = place.exact();
  const { code, report, stdout } = await place.rehearse('--scenario', world.scenario);
  expect(code, stdout).toBe(0);
  expect(report?.withheld.map(({ type, to, reason }) => [type, to, reason])).toEqual([
    ['query', 'french', 'We need the word'],
    ['dispatch', 'shop', 'The shop needs it'],
    ['reply', 'greeter/project-root/fresh', 'declined'],
  ]);
  expect(report?.files.map(({ path }) => path)).toEqual(['here.txt']);
  expect(report?.refusals.map(({ gate, subject }) => [gate, subject])).toEqual(
    expect.arrayContaining([
      ['protected', 'Write'],
      ['protected', 'Bash'],
    ]),
  );
  expect(place.exact()).toEqual(before);
  expect(await place.left()).toEqual([]);
}, 90_000);

test('the copy has no links out, no hooks, no remotes and no filters, and shares no file with the original', async () => {
  const world = await makeCycleWorld();
  const outside = join(world.root, 'outside');
  await mkdir(outside);
  await writeFile(join(outside, 'secret.txt'), 'outside\n');
  await symlink('../../outside', join(world.project, 'out'));
  await symlink('greet.mjs', join(world.project, 'inside.mjs'));
  // By its words it leads to nothing inside; over the other link, to nothing outside.
  await mkdir(join(world.project, 'deep/er'), { recursive: true });
  await symlink('../..', join(world.project, 'deep/er/top'));
  await symlink('top/../../outside/none', join(world.project, 'deep/er/through'));
  await symlink(join(world.project, 'greet.mjs'), join(world.project, 'whole.mjs'));
  await world.write('.gitattributes', '*.lfs filter=marks\n');
  await world.write('data.lfs', 'pointer\n');
  const marks = (name: string) => `touch ${join(world.root, `ran-${name}`)}; cat`;
  for (const name of ['clean', 'smudge']) await world.git('config', `filter.marks.${name}`, marks(name));
  await world.git('config', '--global', 'filter.marks.clean', marks('global'));
  await world.git('remote', 'add', 'origin', 'https://example.invalid/x.git');
  await world.git('add', '-A');
  await world.git('commit', '--quiet', '-m', 'Links and filters');
  await world.git('config', 'core.fsmonitor', marks('monitor'));
  for (const name of ['pre-commit', 'post-commit', 'reference-transaction']) await world.hook(name, marks(name));
  for (const name of ['clean', 'global'])
    await rename(join(world.root, `ran-${name}`), join(outside, name)).catch(() => undefined);
  const scenario = scenarioText({
    work: [
      { edit: { path: 'data.lfs', content: 'new pointer\n' } },
      { run: { command: 'cat inside.mjs; ls' } },
      { call: 'backlog_set_status', with: { id: '${task}', status: 'done' } },
      done,
    ],
    'analyse-work': analysis(['Change the data', 'data.lfs']),
    reflect: [done],
    dream: [done],
    triage: [done],
  });
  await writeFile(world.scenario, scenario);
  const place = await makeRehearsalPlace(world);
  const before = place.exact();
  const { code, report, stdout } = await place.rehearse('--scenario', world.scenario, '--keep');
  expect(code, stdout).toBe(0);
  expect(place.exact()).toEqual(before);
  expect(report?.copy.leftOut).toEqual(['deep/er/through', 'out', 'whole.mjs']);
  expect(report?.files.map(({ path }) => path)).toEqual(['data.lfs']);
  const folder = report?.copy.folder ?? '';
  const config = await readFile(join(folder, 'repository/greeter/.git/config'), 'utf8');
  expect(config).not.toMatch(/filter|remote|hook|fsmonitor/);
  const numbers = (tree: readonly string[]) => new Set(tree.map((line) => line.split(' ')[2]));
  const originals = numbers(before);
  expect([...numbers(exactTree(folder))].filter((number) => originals.has(number))).toEqual([]);
  // What a person keeps, no later rehearsal removes.
  await place.rehearse('--scenario', 'none.yaml');
  expect(await place.left()).toHaveLength(1);
}, 90_000);

describe('a plan that cannot run is refused as its run would be, and nothing is left:', () => {
  const cases: Readonly<Record<string, { make: (world: World) => Promise<unknown>; args?: string[]; code: string }>> = {
    'a broken backlog': { make: (world) => world.writePlan('backlog.yaml', 'tasks: [}\n'), code: 'yaml/syntax' },
    'a detached head': { make: (world) => world.git('checkout', '--quiet', '--detach'), code: 'git/detachedHead' },
    'a running phase': { make: (world) => writeRunState(world, running), code: 'plan/busy' },
    'an open question': { make: (world) => writeRunState(world, waiting), code: 'plan/waiting' },
    'an unknown plan': { make: async () => undefined, args: ['other/project-root'], code: 'plan/unknown' },
    'a project on another machine': { make: forgetProject, code: 'project/missing' },
    'a folder without a repository': {
      make: (world) => rename(join(world.project, '.git'), join(world.root, 'away')),
      code: 'git/notARepository',
    },
    'a copy over the limit': { make: makeLarge, args: ['--copy-limit', '1'], code: 'rehearsal/tooLarge' },
    'a task that is not there': { make: async () => undefined, args: ['--task', 'none'], code: 'state/unknownRecord' },
  };
  test.each(Object.entries(cases))('%s', async (_name, { make, args = [], code }) => {
    const world = await makeCycleWorld();
    await make(world);
    const place = await makeRehearsalPlace(world);
    const before = place.exact();
    const ran = await place.rehearseHere(...args);
    expect(ran.error?.code, ran.stdout + ran.stderr).toBe(code);
    expect(ran.stdout).not.toContain(place.temporary);
    expect(place.exact()).toEqual(before);
    expect(await place.left()).toEqual([]);
  });

  test('without a task that is ready the report says so', async () => {
    const world = await makeCycleWorld();
    await world.writePlan('backlog.yaml', 'tasks: []\n');
    const place = await makeRehearsalPlace(world);
    const { code, report } = await place.rehearse();
    expect({ code, stop: report?.report.stop }).toEqual({ code: 0, stop: 'nothing-ready' });
  });
});

const running =
  'running:\n  phase: work\n  step: session\n  session: 01JD0000000000000000000002\n  startedAt: 2026-11-01T00:00:00Z\n';
const waiting =
  'waiting:\n  phase: work\n  session: 01JD0000000000000000000002\n  approval: 01JD0000000000000000000003\n  kind: needs-input\n  reason: Which word?\n';

async function writeRunState(world: World, text: string): Promise<void> {
  await mkdir(join(world.vault, 'runtime/plans'), { recursive: true });
  await writeFile(join(world.vault, 'runtime/plans', 'greeter%2Fproject-root.yaml'), text);
}

async function forgetProject(world: World): Promise<void> {
  await rename(world.project, join(world.root, 'elsewhere'));
}

async function makeLarge(world: World): Promise<void> {
  await world.write('large.txt', 'x'.repeat(1024 * 1024 + 1));
}

test('another working tree with a submodule and borrowed objects becomes a repository of its own', async () => {
  const world = await makeCycleWorld();
  await world.git('add', '-A');
  await world.git('commit', '--quiet', '-m', 'Plan it');
  const at = (name: string) => join(world.root, name);
  await world.git('init', '--quiet', at('library'));
  await writeFile(at('library/lib.mjs'), 'export const word = 1;\n');
  await world.git('-C', at('library'), 'add', '-A');
  await world.git('-C', at('library'), 'commit', '--quiet', '-m', 'A library');
  await world.git('clone', '--quiet', '--shared', world.project, at('borrowing'));
  const files = ['-c', 'protocol.file.allow=always', '-C', at('borrowing')];
  await world.git(...files, 'submodule', '--quiet', 'add', at('library'), 'lib');
  await world.git(...files, 'commit', '--quiet', '-m', 'With a library');
  await world.git(...files, 'worktree', 'add', '--quiet', at('linked'), '-b', 'linked');
  await world.git('-c', 'protocol.file.allow=always', '-C', at('linked'), 'submodule', '--quiet', 'update', '--init');
  await writeFile(at('linked/lib/lib.mjs'), 'export const word = 2;\n');
  await rename(join(world.vault, 'projects/greeter'), at('first-link'));
  await symlink(at('linked/ravel'), join(world.vault, 'projects/greeter'));
  const place = await makeRehearsalPlace(world);
  const before = place.exact();
  const { code, report, stdout } = await place.rehearse('--keep');
  expect(code, stdout).toBe(0);
  expect(place.exact()).toEqual(before);
  expect(report?.project).toBe(at('linked'));
  expect(report?.files).toEqual([]);
  expect(report?.tasks).toMatchObject([
    {
      id: 'add-a-farewell',
      fields: [
        { name: 'status', before: 'not_started', after: 'done' },
        { name: 'results', after: 'Rehearsed: no source was changed.\n' },
      ],
    },
  ]);
  const copy = join(report?.copy.folder ?? '', 'repository/linked');
  // None of the originals is needed any more.
  for (const name of ['borrowing', 'linked', 'library', 'repository']) await rename(at(name), at(`${name}-away`));
  const git = (...args: string[]) => run('git', ['-C', copy, ...args], { env: world.environment });
  expect((await git('fsck', '--no-dangling')).stdout).toBe('');
  expect((await git('branch', '--show-current')).stdout).toBe('linked\n');
  expect((await git('status', '--porcelain')).stdout).toBe(' M lib\n');
  expect(await readFile(join(copy, 'lib/lib.mjs'), 'utf8')).toBe('export const word = 2;\n');
}, 90_000);

test('a vault in the repository of its project is copied with it', async () => {
  const world = await makeCycleWorld();
  const vault = join(world.project, 'vault');
  await rename(world.vault, vault);
  await rename(join(vault, '.git'), join(world.root, 'vault-git'));
  const place = await makeRehearsalPlace({ ...world, vault });
  const before = place.exact();
  const { code, report, stdout } = await place.rehearse();
  expect(code, stdout).toBe(0);
  expect(report?.files).toEqual([]);
  expect(place.exact()).toEqual(before);
  expect(await place.left()).toEqual([]);
}, 90_000);
