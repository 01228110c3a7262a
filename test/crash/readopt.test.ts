import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startOwner } from '../support/ownerProcess.ts';
import { finishDone, formatScenario, nextEvent } from '../support/phaseWorld.ts';
import { testReadoption } from '../support/readoptTests.ts';
import { makeWorld, startCore } from '../support/world.ts';

testReadoption('scripted');

test('a work session that was re-adopted keeps its tree: the next one waits', { timeout: 60_000 }, async () => {
  const task = 'tasks:\n  - id: one\n    title: One\n    category: core\n    status: not_started\n';
  const steps = [{ say: 'Working.' }, { hang: true }];
  const world = await makeWorld({ plan: { 'backlog.yaml': task }, scenario: formatScenario({ work: steps }) });
  const owner = await startOwner(world, { harness: 'scripted', scenario: world.scenario });
  await owner.when((event) => event.type === 'session.output' && event.output.kind === 'text');
  await owner.kill();

  const { core, events } = await startCore(world, { sessions: 'processes' });
  const { plan, directory } = await core.api.request('create', { plan: `${world.plan}/second`, description: 'More' });
  await writeFile(join(directory, 'backlog.yaml'), task);
  const scenario = join(world.root, 'second.yaml');
  await writeFile(scenario, formatScenario({ work: [finishDone] }));
  const queued = nextEvent(core, 'run.queued');
  const next = core.api.request('run_phase', { plan, harness: 'scripted', scenario });
  expect(await Promise.race([queued, next])).toMatchObject({ type: 'run.queued', actor: plan, behind: world.plan });
  await core.api.request('stop', { plan: world.plan });
  expect((await next).end).toBe('finished');
  const order = events.flatMap((event) =>
    event.type === 'phase.started' || event.type === 'phase.ended' ? [[event.actor, event.type]] : [],
  );
  expect(order).toEqual([
    [world.plan, 'phase.ended'],
    [plan, 'phase.started'],
    [plan, 'phase.ended'],
  ]);
});
