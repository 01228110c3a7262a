import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/commandHere.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const stale = `tasks:
- id: add-a-comma
  title: Add a comma
  category: feature
  status: in_progress
  results: |
    It is there.
`;

function ravel(world: World, words: readonly string[], stdin?: string) {
  const environment = { ...world.environment, RAVEL_VAULT: world.vault };
  return runHere(['state', ...words], { environment, ...(stdin !== undefined && { stdin }) });
}

test('a body from standard input is stored as it is, with exactly one line end at its end', async () => {
  const world = await makeWorld({ plan: { 'backlog.yaml': stale } });
  const text = 'Größe:\n\n  - "a" # no remark\n\n';
  const set = await ravel(world, ['backlog', 'set-description', 'greeter', 'add-a-comma', '--body', '-'], text);
  expect(set).toEqual({ code: 0, stdout: 'Set the description of add-a-comma.\n', stderr: '' });
  const shown = await ravel(world, ['backlog', 'show', 'greeter', 'add-a-comma', '--json']);
  expect(JSON.parse(shown.stdout).result.description).toBe(`${text.trimEnd()}\n`);
});

test('repair-stale-statuses lists what it repaired, and exits 0 with and without repairs', async () => {
  const world = await makeWorld({ plan: { 'backlog.yaml': stale } });
  const repair = () => ravel(world, ['backlog', 'repair-stale-statuses', 'greeter']);
  const first = await repair();
  expect(first).toMatchObject({ code: 0, stderr: '' });
  expect(first.stdout).toContain('add-a-comma  in_progress → done  results_non_empty\nRepaired 1 stale status.\n');
  expect(await repair()).toEqual({ code: 0, stdout: 'Repaired no stale statuses.\n', stderr: '' });
});

test('an error in a file of the plan names the whole path of the file', async () => {
  const world = await makeWorld({ plan: { 'backlog.yaml': 'tasks:\n- id: [\n' } });
  const { core } = await startCore(world);
  for (const [verb, args] of [
    ['backlog/list', {}],
    ['backlog/add', { title: 'Rest', category: 'c', description: 'd' }],
  ] as const) {
    const problem = await failureOf(() => core.api.request('state', { plan: world.plan, verb, args }));
    expect(problem.file).toBe(join(world.vault, 'projects/greeter/project-root/backlog.yaml'));
  }
});

test('with --json an error is one line with its code, and the exit code is that of its kind', async () => {
  const world = await makeWorld();
  const show = ['backlog', 'show', 'greeter', 'none', '--json'];
  const missing = await ravel(world, show);
  expect(missing).toMatchObject({ code: 3, stderr: '' });
  expect(JSON.parse(missing.stdout)).toMatchObject({ error: { code: 'state/unknownRecord' } });
  const both = await ravel(world, ['session', 'list', 'greeter', '--limit', '1', '--all', '--json']);
  expect(both.code).toBe(2);
  expect(JSON.parse(both.stdout)).toMatchObject({ error: { code: 'state/badArguments' } });
});

test('processes that add tasks at the same time lose none, with an owner and without', {
  timeout: 60_000,
}, async () => {
  const world = await makeWorld();
  const add = (title: string) =>
    ravel(world, ['backlog', 'add', 'greeter', '--title', title, '--category', 'core', '--json']);
  const answers = await Promise.all([add('Same'), add('Same'), add('Other')]);
  await startCore(world);
  answers.push(...(await Promise.all([add('Same'), add('Another')])));
  expect(answers.map(({ code }) => code)).toEqual([0, 0, 0, 0, 0]);
  const ids = answers.map(({ stdout }) => JSON.parse(stdout).result.id).sort();
  expect(ids).toEqual(['another', 'other', 'same', 'same-2', 'same-3']);
  const file = await world.readPlan('backlog.yaml');
  expect([...file.matchAll(/^ *- id: (.*)$/gm)].map(([, id]) => id).sort()).toEqual(ids);
});

test('after a cycle phase-summary render lists what each phase did to the records', { timeout: 60_000 }, async () => {
  const world = await makeCycleWorld();
  const { core } = await startCore(world);
  await core.api.request('run_cycle', { plan: world.plan, harness: 'scripted', scenario: world.scenario });
  const render = async (...words: string[]) => {
    const { code, stdout } = await ravel(world, ['phase-summary', 'render', 'greeter', '--phase', ...words]);
    expect(code).toBe(0);
    return stdout.trimEnd().split('\n');
  };
  expect(await render('triage')).toEqual([
    '[REPRIORITISED] Say it in Spanish (say-it-in-spanish)',
    '[OBSOLETE] Add a farewell (add-a-farewell)',
  ]);
  expect(await render('dream')).toEqual([
    '[STALE] Modules are ESM only (modules-are-esm)',
    '[OBSOLETE] ESM only (esm-only)',
    '[STATS] 37 words before',
    '        32 words after',
  ]);
  expect((await render('reflect'))[0]).toBe('[NEW] Tests run with node --test (tests-run-with-node-test)');
  expect((await render('triage', '--baseline', '')).map((line) => line.split(' ')[0])).toEqual(['[NEW]', '[NEW]']);
});
