import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { runHere } from '../support/commandHere.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { startCore } from '../support/world.ts';

test('ravel changes shows the diff of a session, its claims and who it was; ravel history what each cycle made', async () => {
  const world = await makeCycleWorld();
  const { core } = await startCore(world);
  const { plan, scenario } = world;
  await core.api.request('run_cycle', { plan, harness: 'scripted', scenario });
  const { cycles } = await core.api.request('history', { plan });
  const work = cycles[0]?.phases.find(({ phase }) => phase === 'work')?.session ?? '';
  const environment = { ...world.environment, RAVEL_VAULT: world.vault };
  const told = await runHere(['changes', work], { environment });
  expect(told).toMatchObject({ code: 0, stderr: '' });
  expect(told.stdout).toMatch(/ work · task add-a-farewell · finished · changed by the session\n/);
  expect(told.stdout).toMatch(
    /\ncommit [0-9a-f]{8} Say goodbye {2}\d files?, \+\d+ −0\n {2}A farewell\.mjs {2}\+\d+ −0\n/,
  );
  expect(told.stdout).toMatch(/\n\+export function farewell\(name\) \{\n/);
  expect(told.stdout).toMatch(/\n {2}✓ proved {2}c1 {2}farewell\.mjs exports farewell\n {6}change: farewell\.mjs /);
  expect(told.stdout).toMatch(/\n {2}✗ (?:not proved|contradicted) {2}c3 {2}The greeting is translated\n/);

  const stat = await runHere(['changes', work, '--stat'], { environment });
  expect(stat.stdout).toContain('Claims');
  expect(stat.stdout).not.toContain('@@');

  // What is committed can be taken back with the patch, so it is one that git understands.
  const patch = await runHere(['changes', work, '--patch'], { environment });
  const file = join(world.root, 'session.patch');
  await writeFile(file, patch.stdout);
  await world.git('apply', '--reverse', '--check', '--include=*.mjs', file);
  await expect(world.git('apply', '--check', '--include=*.mjs', file)).rejects.toThrow();

  const json = JSON.parse((await runHere(['changes', work, '--json'], { environment })).stdout).result;
  expect(json.diffs.map(({ path }: { readonly path: string }) => path)).toContain('greet.mjs');

  const history = await runHere(['history', 'greeter', '--since', 'yesterday'], { environment });
  expect(history.stdout).toMatch(/\n1 +total +complete .*\n +task add-a-farewell, 6 commits\n/);
  expect(history.stdout).toMatch(/\n +commit +[0-9a-f]{8}\n +Say goodbye\n/);
  // With one plan none needs to be named; with more, those that ran last are shown.
  expect((await runHere(['history'], { environment })).stdout).toBe(
    (await runHere(['history', 'greeter'], { environment })).stdout,
  );
  await core.api.request('create', { plan: `${plan}/quiet`, description: 'Greets in silence' });
  const everywhere = await runHere(['history'], { environment });
  expect(everywhere.stdout).toMatch(new RegExp(`^${plan}\\nCYCLE`));
  expect(everywhere.stdout).not.toContain('quiet');
  const listed = JSON.parse((await runHere(['history', '--json'], { environment })).stdout).result;
  expect(listed.plans.map((one: { readonly plan: string }) => one.plan)).toEqual([plan]);
  const newest = cycles[0]?.phases.filter(({ phase }) => !phase.startsWith('git-')).at(-1)?.session ?? '';
  expect((await runHere(['changes', '--stat'], { environment })).stdout).toContain(`${plan} ${newest}`);
  for (const [args, code] of [
    [['changes', 'nowhere'], 3],
    [['changes', work, '--files', 'all'], 2],
    [['history', 'greeter', '--since', 'tomorrow'], 2],
    [['history', 'greeter', '--limit', '0'], 2],
  ] as const) {
    expect((await runHere(args, { environment })).code, args.join(' ')).toBe(code);
  }
});
