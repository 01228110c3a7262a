import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ViewKeeper } from '../../src/housekeeping/viewKeeper.ts';
import { PlanDirectory } from '../../src/plans/planDirectory.ts';
import { editPlanFile } from '../../src/plans/proposals/planWriter.ts';
import { renewViews } from '../../src/plans/proposals/renewViews.ts';
import { makePlanWorld } from '../support/planServices.ts';

async function start() {
  const world = await makePlanWorld();
  const keeper: ViewKeeper = new ViewKeeper({
    services: world.services,
    directory: new PlanDirectory(world.services.disk, world.layout),
  });
  const services = { ...world.services, planWritten: (plan: typeof world.plan) => keeper.take(plan) };
  const phase = () => /^phase: (.*)$/m.exec(world.planText('backlog.md') ?? '')?.[1];
  const setAge = (name: string, seconds: number) =>
    utimes(join(world.layout.plan(world.plan), name), 1_700_000_000 - seconds, 1_700_000_000 - seconds);
  return { world, keeper, services, phase, setAge };
}

describe('the phase in a view', () => {
  test('is what phase.md says, also if only that file changed', async () => {
    const { world, services, keeper, phase } = await start();
    world.writePlan('backlog.yaml', 'tasks: []\n');
    await renewViews(services, world.plan);
    await editPlanFile(services, world.plan, 'phase.md', () => 'dream\n');
    await keeper.stop();
    expect(phase()).toBe('dream');
  });

  test('of a plan whose files changed while the vault had no owner is renewed by the next one', async () => {
    const { world, services, keeper, phase, setAge } = await start();
    world.writePlan('backlog.yaml', 'tasks: []\n');
    await renewViews(services, world.plan);
    world.writePlan('phase.md', 'reflect\n');
    await setAge('backlog.md', 10);
    keeper.begin();
    await keeper.settled();
    expect(phase()).toBe('reflect');
  });

  test('is renewed after a copy that kept an older time of phase.md', async () => {
    const { world, services, keeper, phase, setAge } = await start();
    world.writePlan('backlog.yaml', 'tasks: []\n');
    await renewViews(services, world.plan);
    for (const name of ['backlog.md', 'memory.md', 'session-log.md']) await setAge(name, 0);
    world.writePlan('phase.md', 'dream\n');
    await setAge('phase.md', 1000);
    keeper.begin();
    await keeper.settled();
    expect(phase()).toBe('dream');
  });

  test('is not written again if no file is newer', async () => {
    const { world, services, keeper, setAge } = await start();
    world.writePlan('backlog.yaml', 'tasks: []\n');
    await renewViews(services, world.plan);
    world.writePlan('backlog.md', 'Mine.\n');
    for (const name of ['backlog.md', 'memory.md', 'session-log.md']) await setAge(name, -1_000_000_000);
    keeper.begin();
    await keeper.settled();
    // It would have been reported as edited.
    expect(world.events).toEqual([]);
  });
});
