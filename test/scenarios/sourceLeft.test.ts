import { describe, expect, test } from 'vitest';
import { runHere } from '../support/commandHere.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { formatScenario, runOptionsOf, type Steps } from '../support/phaseWorld.ts';
import { startCore } from '../support/world.ts';

const edits: Steps = [
  { edit: { path: 'greet.mjs', content: 'export const greet = 1;\n' } },
  { edit: { path: 'src/new.mjs', content: 'export {};\n' } },
];

describe('what a work phase that did not finish changed in the source', { timeout: 60_000 }, () => {
  test.each<[string, Steps]>([
    ['crashed', [...edits, { crash: 'SIGSEGV' }]],
    ['ended without a verdict', [...edits, { exit: 3 }]],
    ['stopped with a question', [...edits, { finish: { outcome: 'needs-input', summary: 'Which colour?' } }]],
  ])('is listed after it %s, and stays listed after it was dismissed', async (_name, work) => {
    const world = await makeCycleWorld({ scenario: formatScenario({ work }) });
    await world.git('add', '--all');
    await world.git('commit', '--quiet', '--message=A plan');
    await world.write('mine.txt', 'not committed\n');
    const { core } = await startCore(world);
    expect((await core.api.request('run_phase', runOptionsOf(world))).end).not.toBe('finished');
    const sourceOf = async () =>
      (await core.api.request('changes', { plan: world.plan })).sets.filter(({ kind }) => kind === 'source');
    const before = await sourceOf();
    expect(before.flatMap(({ files }) => files.map(({ path, status }) => `${status} ${path}`))).toEqual([
      'changed greet.mjs',
      'added src/new.mjs',
    ]);
    await core.api.request('dismiss', { plan: world.plan });
    expect(await sourceOf()).toEqual(before);
    expect(await world.read('greet.mjs')).toBe('export const greet = 1;\n');
  });

  test('is named by the command that dismisses it', async () => {
    const world = await makeCycleWorld({ scenario: formatScenario({ work: [...edits, { exit: 3 }] }) });
    await world.git('add', '--all');
    await world.git('commit', '--quiet', '--message=A plan');
    const { core } = await startCore(world);
    await core.api.request('run_phase', runOptionsOf(world));
    const environment = { ...world.environment, RAVEL_VAULT: world.vault };
    const dismissed = await runHere(['dismiss', 'greeter'], { environment });
    expect(dismissed).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('`ravel changes greeter` lists them.'),
    });
    const listed = await runHere(['changes', 'greeter', '--stat'], { environment });
    expect(listed.stdout).toMatch(/M greet\.mjs .*\n +A src\/new\.mjs /);
  });
});
