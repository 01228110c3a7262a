import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { failureOf } from '../support/failureOf.ts';
import {
  finishDone,
  formatScenario,
  goodReflection,
  makeReflectWorld,
  nextEvent,
  runOptionsOf,
  stateOf,
  whenPrinted,
} from '../support/phaseWorld.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';
import { type BadEnd, checkBadEnd, checkRetry, typesOf } from './badEnds.ts';

test('a plan whose tasks are all blocked runs no phase', async () => {
  const backlog = `tasks:
- id: wait
  title: Wait
  category: core
  status: blocked
  blocked_reason: For rain.
`;
  const world = await makeWorld({ plan: { 'backlog.yaml': backlog } });
  const { core, events } = await startCore(world);
  const before = await stateOf(world);
  expect(await failureOf(() => core.api.request('run_phase', runOptionsOf(world)))).toMatchObject({
    code: 'plan/nothingReady',
  });
  const report = await core.api.request('run_cycle', runOptionsOf(world));
  expect(report).toMatchObject({ phases: [], stop: 'nothing-ready', reason: expect.stringContaining('is ready') });
  expect(typesOf(events)).toEqual(['run.ended']);
  expect(await stateOf(world)).toEqual(before);
});

describe('a running phase', () => {
  test('is interrupted by stop, and the session of the retry is told so', async () => {
    const world = await makeReflectWorld([
      { call: 'memory_add', with: { title: 'Half', body: 'Not finished.' } },
      { say: 'Working.' },
      { hang: true },
    ]);
    const running = await startCore(world);
    const bad: BadEnd = { end: 'interrupted', reason: 'it was stopped' };
    await checkBadEnd(world, running, bad, async () => {
      const working = whenPrinted(running.core, 'Working.');
      const run = running.core.api.request('run_phase', runOptionsOf(world));
      await working;
      expect(await running.core.api.request('stop', { plan: world.plan })).toEqual({ stopped: true });
      return run;
    });
    expect(await running.core.api.request('stop', { plan: world.plan })).toEqual({ stopped: false });
    await checkRetry(world, running, bad);
    expect(await world.readPlan('memory.yaml')).not.toContain('Half');
  });

  test('refuses another run, a retry and a dismissal of its plan as busy', async () => {
    const world = await makeReflectWorld([{ say: 'Working.' }, { hang: true }]);
    const { core } = await startCore(world);
    const working = whenPrinted(core, 'Working.');
    const run = core.api.request('run_phase', runOptionsOf(world));
    await working;
    for (const request of ['run_phase', 'run_cycle', 'retry'] as const) {
      expect(await failureOf(() => core.api.request(request, runOptionsOf(world)))).toMatchObject({
        code: 'plan/busy',
      });
    }
    expect(await failureOf(() => core.api.request('dismiss', { plan: world.plan }))).toMatchObject({
      code: 'plan/busy',
    });
    await core.api.request('stop', { plan: world.plan });
    expect((await run).end).toBe('interrupted');
  });
});

describe('two plans of one project', () => {
  test('run their work phases one after the other', async () => {
    const { world, core, events, second, first } = await startTwo('work');
    const queued = nextEvent(core, 'run.queued');
    const next = core.api.request('run_phase', second);
    expect(await queued).toMatchObject({ actor: second.plan, phase: 'work', behind: world.plan });
    await core.api.request('stop', { plan: world.plan });
    expect([(await first).end, (await next).end]).toEqual(['interrupted', 'finished']);
    const order = events.flatMap((event) =>
      ['run.queued', 'phase.started', 'phase.ended'].includes(event.type) ? [[event.actor, event.type]] : [],
    );
    expect(order).toEqual([
      [world.plan, 'phase.started'],
      [second.plan, 'run.queued'],
      [world.plan, 'phase.ended'],
      [second.plan, 'phase.started'],
      [second.plan, 'phase.ended'],
    ]);
  });

  test('run work and the retry of a commit one after the other', async () => {
    // A hook that came while a session runs would be asked about first.
    const { world, core, second, first } = await startTwo('reflect', async ({ hook, root }) =>
      hook('pre-commit', `[ -e '${join(root, 'today')}' ] || { echo Not today. >&2; exit 1; }`),
    );
    const queuedFirst = nextEvent(core, 'run.queued');
    const refused = core.api.request('run_phase', second);
    await queuedFirst;
    await core.api.request('stop', { plan: world.plan });
    expect((await first).end).toBe('interrupted');
    expect(await refused).toMatchObject({ end: 'interrupted', next: 'git-commit-reflect' });
    await writeFile(join(world.root, 'today'), '');

    const working = whenPrinted(core, 'Working.');
    const again = core.api.request('retry', runOptionsOf(world));
    await working;
    const queued = nextEvent(core, 'run.queued');
    const commit = core.api.request('retry', second);
    expect(await queued).toMatchObject({ actor: second.plan, phase: 'git-commit-reflect', behind: world.plan });
    await core.api.request('stop', { plan: world.plan });
    expect((await again).end).toBe('interrupted');
    expect(await commit).toMatchObject({ end: 'finished', next: 'triage' });
  });

  /** The root plan works and does not end by itself; a second plan is about to run `phase`. */
  async function startTwo(phase: 'work' | 'reflect', prepare?: (world: World) => Promise<unknown>) {
    const task = 'tasks:\n  - id: one\n    title: One\n    category: core\n    status: not_started\n';
    const world = await makeWorld({
      plan: { 'backlog.yaml': task },
      scenario: formatScenario({ work: [{ say: 'Working.' }, { hang: true }] }),
    });
    await prepare?.(world);
    const { core, events } = await startCore(world);
    const { plan, directory } = await core.api.request('create', {
      plan: `${world.plan}/second`,
      description: 'The other half',
    });
    await writeFile(join(directory, 'backlog.yaml'), task);
    await writeFile(join(directory, 'phase.md'), `${phase}\n`);
    const scenario = join(world.root, 'second.yaml');
    await writeFile(scenario, formatScenario({ work: [finishDone], reflect: goodReflection }));
    const second = { plan, harness: 'scripted', scenario } as const;
    const working = whenPrinted(core, 'Working.');
    const first = core.api.request('run_phase', runOptionsOf(world));
    await working;
    return { world, core, events, second, first };
  }
});
