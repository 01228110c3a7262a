import { describe, expect, test } from 'vitest';
import type { Diagnostic } from '../../../src/base/errors.ts';
import { runCommandLine } from '../../../src/cli/commandLine.ts';
import { diagnostic, failure } from '../../../src/model/codes.ts';
import type { RequestParams } from '../../../src/model/protocol.ts';
import { createFakePorts, type FakeOptions, jsonLines } from '../fakePorts.ts';
import { samplePlan } from '../samples.ts';

test('ravel init resolves the path from the working directory, and names the vault after the folder', async () => {
  const ports = await createFakePorts({});
  expect(await runCommandLine(['init', 'vaults/mine'], ports)).toBe(0);
  expect(ports.asked).toEqual(['create /here/vaults/mine as mine']);
  expect(ports.written.stdout).toContain('/here/vaults/mine');
});

test('ravel init quotes a path for the shell if it needs that', async () => {
  const ports = await createFakePorts({});
  await runCommandLine(['init', '/my vaults/ann'], ports);
  expect(ports.written.stdout).toMatch(/\n {2}export RAVEL_VAULT='\/my vaults\/ann'(?: {3}|\n)/);
});

test('ravel init --name names the vault', async () => {
  const ports = await createFakePorts({});
  expect(await runCommandLine(['init', '/v', '--name', 'Work', '--json'], ports)).toBe(0);
  expect(jsonLines(ports.written.stdout)).toEqual([{ result: { vault: '/v', name: 'Work' } }]);
});

test('ravel init --adopt makes the vault and adopts the project into it, as one result', async () => {
  const asked: unknown[] = [];
  const answers = {
    adopt(params: unknown) {
      asked.push(params);
      return { plan: samplePlan, project: '/here/shop' };
    },
    inspect_project: () => ({ project: '/here/shop', name: 'shop', hasRootPlan: true, diagnostics: [] }),
  } as never;
  const flags = ['init', 'v', '--adopt', 'shop', '--description', 'The shop and its tests.'];
  const ports = await createFakePorts(answers);
  expect(await runCommandLine(flags, ports)).toBe(0);
  expect(ports.asked[0]).toBe('create /here/v as v');
  expect(asked).toEqual([{ project: '/here/shop', description: 'The shop and its tests.' }]);
  expect(ports.written.stdout).toMatch(/\nNext:\n {2}export RAVEL_VAULT=\/here\/v {3,}this shell/);
  expect(ports.written.stdout).toContain(`Adopted as ${samplePlan}.`);
  const json = await createFakePorts(answers);
  await runCommandLine([...flags, '--json'], json);
  expect(jsonLines(json.written.stdout)).toMatchObject([
    { result: { vault: '/here/v', adopted: { plan: samplePlan } } },
  ]);
});

test('ravel init refuses a description without a project, before it makes a vault', async () => {
  const ports = await createFakePorts({});
  expect(await runCommandLine(['init', 'v', '--description', 'The shop.'], ports)).toBe(2);
  expect(ports.asked).toEqual([]);
  expect(ports.written.stderr).toContain('--adopt');
});

test('ravel init offers the experts that come with Ravel, and --experts adds all of them, or those that are named', async () => {
  const seen: unknown[] = [];
  const check = async (...flags: readonly string[]) => {
    const ports = await createFakePorts({
      add_experts: (params) => {
        seen.push(params);
        return { experts: ['rust'], files: ['experts/rust.md'], kept: [], diagnostics: [] };
      },
    });
    expect(await runCommandLine(['init', '/v', ...flags], ports)).toBe(0);
    return ports.written.stdout;
  };
  expect(await check()).toContain('`ravel experts add` lists them');
  expect(seen).toEqual([]);
  expect(await check('--experts', 'rust', 'ffi')).toContain('Added 1 expert and 0 entries: rust.');
  await check('--experts');
  await check('--experts', 'all');
  expect(seen).toEqual([{ experts: ['rust', 'ffi'] }, {}, {}]);
});

test('ravel init --adopt makes no vault with a description that cannot be one', async () => {
  const ports = await createFakePorts({});
  const words = ['init', 'v', '--adopt', 'shop', '--description', 'x'.repeat(121)];
  expect(await runCommandLine(words, ports)).not.toBe(0);
  expect(ports.written.stderr).toContain('121 characters');
  expect(ports.asked).toEqual([]);
});

describe('ravel adopt', () => {
  async function check(
    args: readonly string[],
    options: FakeOptions,
    expected: { code: number; params?: RequestParams<'adopt'>; stderr?: string },
  ) {
    const seen: RequestParams<'adopt'>[] = [];
    const ports = await createFakePorts(
      {
        adopt: (params) => {
          if (params.description === undefined && !params.project.endsWith('clone')) {
            throw failure('plan/badDescription', params.project, 'The description is empty.');
          }
          seen.push(params);
          return { plan: samplePlan, directory: '/vault/projects/demo/project-root' };
        },
        inspect_project: ({ project }) => ({
          project,
          name: 'demo',
          hasRootPlan: true,
          adoptedAs: 'demo',
          diagnostics,
        }),
      },
      options,
    );
    expect(await runCommandLine(['adopt', ...args], ports)).toBe(expected.code);
    expect(seen).toEqual(expected.params === undefined ? [] : [expected.params]);
    expect(ports.written.stderr).toContain(expected.stderr ?? '');
    return ports;
  }

  let diagnostics: Diagnostic[] = [];
  test('says what will keep its phases from running', async () => {
    diagnostics = [diagnostic('git/notARepository', '/here/demo', '/here/demo is in no git repository.')];
    const params = { project: '/here/demo', description: 'A parser' };
    const ports = await check(['demo', '--description', 'A parser'], {}, { code: 0, params });
    expect(ports.written.stdout).toMatch(
      /Adopted as [\s\S]*warning git\/notARepository[\s\S]*Run `git init`[\s\S]*\nNext:\n {2}ravel plan "GOAL" --under demo\/project-root {3,}[\s\S]*\n {2}ravel state/,
    );
    diagnostics = [];
  });

  test('sends the project with its description and its name', () =>
    check(
      ['../demo', '--description', 'A parser', '--name', 'demo'],
      {},
      { code: 0, params: { project: '/demo', description: 'A parser', name: 'demo' } },
    ));
  test('needs no description for a project that has a root plan', () =>
    check(['clone', '--name', 'demo'], {}, { code: 0, params: { project: '/here/clone', name: 'demo' } }));
  test('does not ask a script for the description', () =>
    check(['demo'], {}, { code: 2, stderr: 'The description is missing.\n  help: Add --description' }));
  test('asks a person until the description is valid', () =>
    check(
      ['demo'],
      { isTty: true, answers: ['', 'x'.repeat(121), 'A parser'] },
      { code: 0, params: { project: '/here/demo', description: 'A parser' }, stderr: '121/120: ' },
    ));
  test('fails if the person gives no description', () => check(['demo'], { isTty: true, answers: [] }, { code: 2 }));
  test('asks nothing with --json', () =>
    check(['demo', '--json'], { isTty: true, answers: ['A parser'] }, { code: 2 }));
});

test('ravel create sends the plan and its description', async () => {
  const ports = await createFakePorts({ create: (params) => ({ plan: samplePlan, directory: params.description }) });
  expect(await runCommandLine(['create', 'demo/project-root/x', '--description', 'Lexer'], ports)).toBe(0);
  expect(ports.written.stdout).toContain('Lexer');
});

test('ravel create says where the files of an earlier plan are, and the next step', async () => {
  const putAway = 'archive/plans/demo-01';
  const ports = await createFakePorts({ create: () => ({ plan: samplePlan, directory: '/v', putAway }) });
  expect(await runCommandLine(['create', 'demo/project-root/x', '--description', 'Lexer'], ports)).toBe(0);
  expect(ports.written.stdout).toContain('The files of an earlier plan of this id are now in archive/plans/demo-01');
  expect(ports.written.stdout).toContain(
    `Next:\n  ravel state backlog add ${samplePlan} --title TEXT --category TEXT   adds a task\n`,
  );
});

describe('ravel verify', () => {
  async function check(severities: readonly ('error' | 'warning')[], code: number, text: string): Promise<void> {
    const diagnostics = severities.map((severity) => diagnostic('yaml/schema', 'demo', 'Wrong.', { severity }));
    const ports = await createFakePorts({ verify: () => ({ diagnostics, plans: 3 }) });
    expect(await runCommandLine(['verify'], ports)).toBe(code);
    expect(ports.written.stdout).toContain(text);
  }

  test('exits with 0 if all is well', () => check([], 0, '3 plans: all is well.'));
  test('exits with 0 after warnings', () => check(['warning', 'warning'], 0, '3 plans: 2 warnings.'));
  test('exits with 2 after errors', () => check(['error', 'warning'], 2, '3 plans: 1 error, 1 warning.'));
});

test('ravel adopt says that uncommitted files are to be committed first', async () => {
  const ports = await createFakePorts({
    adopt: () => ({ plan: samplePlan, directory: '/vault/projects/demo/project-root' }),
    inspect_project: ({ project }) => ({ project, name: 'demo', hasRootPlan: true, diagnostics: [], uncommitted: 2 }),
  });
  expect(await runCommandLine(['adopt', 'demo'], ports)).toBe(0);
  expect(ports.written.stdout).toContain('The project has 2 uncommitted files. Commit them before the first run');
});
