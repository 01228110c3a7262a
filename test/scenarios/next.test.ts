import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { runHere } from '../support/commandHere.ts';
import { makeCycleWorld } from '../support/cycleWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { openCore } from '../support/openCore.ts';
import { addThreeProjects, cards } from '../support/threeProjects.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const task = (id: string, ...dependencies: string[]) =>
  `  - { id: ${id}, title: Do ${id}, category: core, status: not_started, dependencies: [${dependencies.join(', ')}] }\n`;
const backlogOf = (...tasks: readonly string[]) => `tasks:\n${tasks.join('')}`;
const loop = `${task('egg', 'hen')}${task('hen', 'egg')}`;

/** Of `greeter` two tasks are ready, of `bank` one that unblocks two, of its `cards` none, and `mail` is broken. */
async function makeFourPlans(): Promise<World> {
  const world = await makeCycleWorld();
  const folders = await addThreeProjects(world, { cards: 'Issues cards' });
  const write = (id: string, text: string) => writeFile(join(folders[id] ?? '', 'backlog.yaml'), text);
  await write('bank/project-root', backlogOf(task('open'), task('pay', 'open'), task('report', 'pay')));
  await write(cards, backlogOf(loop));
  await write('mail/project-root', 'tasks: [');
  return world;
}

describe('ravel next', () => {
  test('lists what can start over all plans, says why, and counts what it leaves out', async () => {
    const world = await makeFourPlans();
    const environment = { ...world.environment, RAVEL_VAULT: world.vault };
    const told = await runHere(['next'], { environment });
    expect(told).toMatchObject({ code: 0, stderr: '' });
    expect(
      told.stdout
        .split('\n')
        .slice(0, 5)
        .map((line) => line.trimEnd()),
    ).toEqual([
      expect.stringMatching(/^PLAN +TASK +TITLE +WHY/),
      expect.stringMatching(/^bank\/project-root +open +Do open +unblocks 2, the plan never ran/),
      expect.stringMatching(/^greeter\/project-root +add-a-farewell +Add a farewell +unblocks 1, the plan never ran/),
      expect.stringMatching(
        /^greeter\/project-root +greet-in-french +Greet in French +2nd in its plan, the plan never ran/,
      ),
      'Plans left out: 1 with a fault. See `ravel status`.',
    ]);
    const json = await runHere(['next', '--under', 'greeter', '--limit', '1', '--json'], { environment });
    expect(JSON.parse(json.stdout)).toMatchObject({
      result: { tasks: [{ plan: 'greeter/project-root', id: 'add-a-farewell', place: 1 }], more: 1, plans: 1 },
    });
    for (const [args, code] of [
      [['--limit', '0'], 2],
      [['--limit', 'many'], 2],
      [['--under', 'nowhere'], 3],
    ] as const) {
      expect((await runHere(['next', ...args], { environment })).code, args.join(' ')).toBe(code);
    }
  });

  test('leaves out a plan that waits for a person, and puts one that just ran behind', async () => {
    const world = await makeFourPlans();
    const { core } = await startCore(world);
    const { plan, scenario } = world;
    await core.api.request('run_cycle', { plan, harness: 'scripted', scenario });
    const after = await core.api.request('next', {});
    expect(after.tasks[0]).toMatchObject({ plan: 'bank/project-root', id: 'open' });
    expect(after.tasks[1]).toMatchObject({ plan, lastRanMs: expect.any(Number), place: 1 });
    await writeFile(scenario, 'version: 1\nphases:\n  work:\n    - exit: 3\n');
    await core.api.request('run_phase', { plan, harness: 'scripted', scenario });
    const { tasks, leftOut } = await core.api.request('next', {});
    expect(tasks.map(({ plan: of }) => of)).toEqual(['bank/project-root']);
    expect(leftOut).toEqual({ faulted: 1, running: 0, waiting: 1, paused: 0 });
  });

  test('of a vault without plans says so', async () => {
    const world = await makeWorld();
    const environment = { ...world.environment, RAVEL_VAULT: world.vault };
    expect(await runHere(['projects', 'remove', 'greeter'], { environment })).toMatchObject({ code: 0 });
    const core = await openCore(world, { role: 'local' });
    expect(await core.api.request('next', {})).toMatchObject({ tasks: [], more: 0, plans: 0 });
    const failure = await failureOf(() => core.api.request('next', { under: 'greeter' }));
    await core.stop();
    expect(failure).toMatchObject({ code: 'plan/unknown' });
    expect((await runHere(['next'], { environment })).stdout).toMatch(/^There are no plans yet/);
  });
});
