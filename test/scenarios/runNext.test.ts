import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { runHere } from '../support/commandHere.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { startRavel } from '../support/runProgram.ts';
import { addThreeProjects, cards } from '../support/threeProjects.ts';
import type { World } from '../support/world.ts';

const task = (id: string) => `tasks:\n  - { id: ${id}, title: Do ${id}, category: core, status: not_started }\n`;

/** `greeter` has a cycle to play; `bank` and `mail` have a task each, and repositories of their own. */
async function makeThreeProjects(): Promise<World> {
  const world = await makeCycleWorld();
  const folders = await addThreeProjects(world, { cards: 'Issues cards' });
  for (const project of ['bank', 'mail']) {
    await promisify(execFile)('git', ['init', '--quiet', join(world.root, project)], { env: world.environment });
    await writeFile(join(folders[`${project}/project-root`] ?? '', 'backlog.yaml'), task(`${project}-task`));
  }
  return world;
}

const environmentOf = (world: World) => ({ ...world.environment, RAVEL_VAULT: world.vault });

test('ravel run --next works through the plans in order, leaves one that fails, and sums up', async () => {
  const world = await makeThreeProjects();
  const environment = environmentOf(world);
  const args = ['run', '--next', '--harness', 'scripted', '--scenario', world.scenario, '--cycles', '3'];
  const ran = await runHere([...args, '--plans', `greeter,bank,${cards}`, '--json'], { environment });
  const last = JSON.parse(ran.stdout.trimEnd().split('\n').at(-1) ?? '');
  // The scenario is written for the greeter: in the bank its work fails, and the bank is not tried again.
  expect(last.result.cycles).toMatchObject([
    { plan: 'greeter/project-root', task: 'add-a-farewell', outcome: 'cycle-ended' },
    { plan: 'bank/project-root', task: 'bank-task', outcome: 'failed' },
    { plan: 'greeter/project-root' },
  ]);
  expect(ran.code).toBe(1);
  const { stdout } = await runHere(['next'], { environment });
  expect(stdout).toMatch(/mail\/project-root +mail-task/);
  expect(stdout).not.toMatch(/bank\/project-root +bank-task/);
});

test('the first interrupt stops every plan that runs; what is left of them can be run as usual', async () => {
  const world = await makeThreeProjects();
  const environment = environmentOf(world);
  await writeFile(world.scenario, 'version: 1\nphases:\n  work:\n    - say: I am at it\n    - hang: true\n');
  const args = ['run', '--next', '--harness', 'scripted', '--scenario', world.scenario, '--at-most', '2', '--json'];
  const running = startRavel([...args, '--under', 'greeter'], { environment });
  await running.printed('I am at it');
  running.child.kill('SIGINT');
  const ran = await running.ended;
  expect(ran.code).toBe(130);
  const last = JSON.parse(ran.stdout.trimEnd().split('\n').at(-1) ?? '');
  expect(last.result).toMatchObject({ end: 'interrupted', cycles: [{ outcome: 'stopped' }] });
  const { stdout } = await runHere(['status', 'greeter'], { environment });
  expect(stdout).toMatch(/ravel retry greeter/);
});
