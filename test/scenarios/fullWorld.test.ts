import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { failureOf } from '../support/failureOf.ts';
import { expectFullWorld, makeFullWorld, runFullWorld } from '../support/fullWorld.ts';
import { backlogOf, nextEvent, runPhase, scenarioText } from '../support/scenarioRuns.ts';
import { makeWorld, startCore } from '../support/world.ts';

test.each([
  ['YAML', 'yaml', { from: 'never a float', to: 'never, ever a float' }],
  ['Markdown', 'bare', { from: 'a whole number of cents', to: 'always a whole number of cents' }],
])(
  'a plan imported from %s runs a cycle beside another plan and leaves the person’s own work alone',
  { timeout: 60_000 },
  async (_name, form, edit) => {
    const full = await makeFullWorld(fileURLToPath(new URL(`../fixtures/plans/${form}`, import.meta.url)));
    const { core, events } = await startCore(full.world);
    const reports = await runFullWorld(core, full, edit);
    await expectFullWorld(full, reports, edit);
    expect(events.some((event) => event.type === 'run.queued')).toBe(true);
    const merged = events.flatMap((event) => (event.type === 'state.merged' ? [...event.personEdited] : []));
    expect(merged).toEqual(['memory.yaml']);
  },
);

test('a run or phase that is stopped while it waits behind another plan has started nothing', async () => {
  const world = await makeWorld({
    plan: { 'backlog.yaml': backlogOf('first') },
    scenario: scenarioText({ work: [{ say: 'Working.' }, { hang: true }] }),
  });
  const { core, events } = await startCore(world);
  const { plan, scenario } = world;
  const second = { plan: `${plan}/second`, harness: 'scripted', scenario } as const;
  await core.api.request('create', { plan: second.plan, description: 'Another one' });
  await world.writePlan('second/backlog.yaml', backlogOf('second'));
  const working = nextEvent(core, (event) => event.type === 'session.output');
  const first = runPhase(core, world);
  await working;

  const queued = nextEvent(core, (event) => event.type === 'run.queued');
  const cycle = core.api.request('run_cycle', second);
  await queued;
  await core.api.request('stop', { plan: second.plan });
  expect(await cycle).toMatchObject({ phases: [], stop: 'stopped', reason: 'the run was stopped' });

  const again = nextEvent(core, (event) => event.type === 'run.queued');
  const phase = failureOf(() => core.api.request('run_phase', second));
  await again;
  await core.api.request('stop', { plan: second.plan });
  expect(await phase).toMatchObject({ code: 'run/stopped' });

  expect(events.filter((event) => event.type === 'phase.started')).toHaveLength(1);
  const status = await core.api.request('status', { plan: second.plan });
  expect(status.interrupted).toBeUndefined();
  await core.api.request('stop', { plan });
  expect(await first).toMatchObject({ end: 'interrupted' });
});
