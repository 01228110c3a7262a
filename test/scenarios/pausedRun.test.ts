import { describe, expect, test } from 'vitest';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { ReasoningPhase } from '../../src/model/phase.ts';
import { decide, makeConflictWorld, onlyApproval, runIntoConflict } from '../support/approvalWorld.ts';
import { failureOf } from '../support/failureOf.ts';
import { Life } from '../support/life.ts';
import { openCore } from '../support/openCore.ts';
import { startOwner } from '../support/ownerProcess.ts';
import { finishDone, formatScenario, nextEvent, type Steps, setScenario } from '../support/phaseWorld.ts';
import { onFirst } from '../support/scenarioRuns.ts';
import { makeWorld, startCore, type World } from '../support/world.ts';

const taskOf = (id: string) => `  - id: ${id}
    title: The task ${id}
    category: core
    status: not_started
    description: |
      What is to be done.
`;
const backlog = `tasks:\n${['one', 'two', 'three', 'four'].map(taskOf).join('')}`;

/**
 * Every work session does its task, and later phases change nothing; the sessions of `slow` take a while. The first cycle
 * begins with the phase `from`.
 */
function makeRunWorld({ from = 'work', slow }: { from?: ReasoningPhase; slow?: ReasoningPhase } = {}): Promise<World> {
  const wait: Steps = [{ say: 'I begin.' }, { wait: '1500ms' }];
  const steps = (phase: ReasoningPhase, ...own: Steps) => [...(phase === slow ? wait : []), ...own, finishDone];
  const done = { call: 'backlog_set_status', with: { id: '${task}', status: 'done' } };
  return makeWorld({
    plan: { 'backlog.yaml': backlog, 'phase.md': `${from}\n` },
    scenario: formatScenario({
      work: steps('work', done),
      'analyse-work': steps('analyse-work'),
      reflect: steps('reflect'),
      triage: steps('triage'),
    }),
  });
}

type Fits = (event: RavelEvent) => boolean;

/** Starts an owner in a process of its own that runs `cycles` cycles, and kills it at the first event that fits. */
async function killedRun(world: World, cycles: number, fits: Fits) {
  const { scenario } = world;
  const owner = await startOwner(world, { harness: 'scripted', scenario, cycles }, 'run_cycle');
  await owner.when(fits);
  await owner.kill();
}

/** The same with an owner in this process, whose session goes on when its life ends. */
async function endedRun(world: World, cycles: number, fits: Fits) {
  const { plan, scenario } = world;
  const life = new Life();
  const ended = new Promise<void>((resolve) => life.onEnd(resolve));
  const core = await openCore(world, { life });
  onFirst(core, fits, () => life.end());
  const run = core.api.request('run_cycle', { plan, scenario, cycles });
  // The dead answer nothing: an answer means that no event fitted.
  const answered = run.then((report) => {
    throw new Error(`The run ended before that: ${JSON.stringify(report)}`);
  });
  await Promise.race([ended, answered]);
  await life.programsEnded();
  await life.quiet();
}

const statusOf = (core: Core, { plan }: World) => core.api.request('status', { plan });

async function cyclesOf(world: World): Promise<number> {
  const log = await world.git('log', '--format=%(trailers:key=Ravel-Phase,valueonly)');
  return log.split('\n').filter((line) => line === 'git-commit-triage').length;
}

const isWorking = (event: RavelEvent) => event.type === 'session.output';
const endsTriage = (event: RavelEvent) => event.type === 'phase.ended' && event.phase === 'triage';

describe('a run over cycles whose owner dies', () => {
  test('is paused once its session has ended its phase, and then continues with the cycles that are left', async () => {
    const world = await makeRunWorld({ slow: 'work' });
    await killedRun(world, 2, isWorking);
    const { core, events } = await startCore(world);
    const paused = nextEvent(core, 'run.paused');
    expect(await statusOf(core, world)).toMatchObject({ running: { phase: 'work' }, paused: { done: 0, cycles: 2 } });
    expect(await paused).toMatchObject({ done: 0, cycles: 2 });
    const row = (await core.api.request('list', {})).plans[0];
    expect(row).toMatchObject({ phase: 'analyse-work', paused: { done: 0, cycles: 2 } });
    expect(row?.running).toBeUndefined();
    expect(events.filter(({ type }) => type === 'session.started')).toHaveLength(0);
    const report = await core.api.request('run_cycle', { plan: world.plan });
    expect([report.stop, await cyclesOf(world)]).toEqual(['cycle-ended', 2]);
    expect((await statusOf(core, world)).paused).toBeUndefined();
  });

  test('stays paused when continuing it fails', async () => {
    const world = await makeRunWorld({ from: 'triage' });
    await endedRun(world, 2, endsTriage);
    const { core } = await startCore(world);
    const memory = await world.readPlan('memory.yaml');
    await world.writePlan('memory.yaml', 'entries: [\n');
    const { plan } = world;
    expect(await failureOf(() => core.api.request('run_cycle', { plan }))).toMatchObject({ code: 'yaml/syntax' });
    expect((await statusOf(core, world)).paused).toEqual({ done: 1, cycles: 2 });
    await world.writePlan('memory.yaml', memory);
    expect(await core.api.request('run_cycle', { plan })).toMatchObject({ stop: 'cycle-ended' });
    expect(await cyclesOf(world)).toBe(2);
  });

  test('counts a cycle that ended while the vault had no owner', async () => {
    const world = await makeRunWorld({ from: 'triage', slow: 'triage' });
    await endedRun(world, 2, endsTriage);
    const { core } = await startCore(world);
    expect(await statusOf(core, world)).toMatchObject({ phase: 'work', paused: { done: 1, cycles: 2 } });
    const report = await core.api.request('run_cycle', { plan: world.plan, resume: true });
    expect([report.stop, await cyclesOf(world)]).toEqual(['cycle-ended', 2]);
  });

  test('is continued by a run_cycle that comes before its session has ended', async () => {
    const world = await makeRunWorld({ slow: 'work' });
    await endedRun(world, 2, isWorking);
    const { core } = await startCore(world);
    const report = await core.api.request('run_cycle', { plan: world.plan });
    expect(report.phases.map(({ phase }) => phase)).toHaveLength(8);
    expect([report.stop, await cyclesOf(world)]).toEqual(['cycle-ended', 2]);
  });

  test('is over if its last cycle ended while the vault had no owner', async () => {
    const world = await makeRunWorld({ from: 'triage', slow: 'triage' });
    await endedRun(world, 1, endsTriage);
    const { core } = await startCore(world);
    const status = await statusOf(core, world);
    expect([status.phase, status.paused]).toEqual(['work', undefined]);
    expect(await failureOf(() => core.api.request('run_cycle', { plan: world.plan, resume: true }))).toMatchObject({
      code: 'run/notPaused',
    });
  });

  test.each(['stop', 'dismiss'] as const)('is forgotten after %s', async (request) => {
    const world = await makeRunWorld({ from: 'triage' });
    await endedRun(world, 2, endsTriage);
    const { core } = await startCore(world);
    expect((await statusOf(core, world)).paused).toEqual({ done: 1, cycles: 2 });
    await core.api.request(request, { plan: world.plan });
    expect((await statusOf(core, world)).paused).toBeUndefined();
    expect(await failureOf(() => core.api.request('run_cycle', { plan: world.plan, resume: true }))).toMatchObject({
      code: 'run/notPaused',
    });
  });
});

describe('a run that ends', () => {
  test('with its last cycle leaves nothing paused', async () => {
    const world = await makeWorld({
      plan: { 'phase.md': 'reflect\n', 'backlog.yaml': backlog },
      scenario: formatScenario({ reflect: [finishDone], triage: [finishDone] }),
    });
    const first = await startCore(world);
    const { plan, scenario } = world;
    expect(await first.core.api.request('run_cycle', { plan, scenario })).toMatchObject({ stop: 'cycle-ended' });
    await first.server.stop();
    await first.core.stop();
    const { core } = await startCore(world);
    expect((await statusOf(core, world)).paused).toBeUndefined();
  });

  test('because its owner stops in order is paused', async () => {
    const world = await makeRunWorld({ slow: 'work' });
    const first = await startCore(world);
    const said = nextEvent(first.core, 'session.output');
    first.core.api
      .request('run_cycle', { plan: world.plan, scenario: world.scenario, cycles: 3 })
      .catch(() => undefined);
    await said;
    await first.server.stop();
    await first.core.stop();
    const { core } = await startCore(world);
    expect((await statusOf(core, world)).paused).toEqual({ done: 0, cycles: 3 });
  });
});

describe('a run whose phase did not finish', () => {
  const fails: Steps = [{ exit: 1 }];
  const asks: Steps = [{ finish: { outcome: 'needs-input', summary: 'Which colour?' } }];

  /** A run over two cycles that stopped at its first reflect. */
  async function stoppedRun(reflect: Steps) {
    const world = await makeRunWorld({ from: 'reflect' });
    const scenario = (steps: Steps) =>
      setScenario(world, {
        work: [{ call: 'backlog_set_status', with: { id: '${task}', status: 'done' } }, finishDone],
        'analyse-work': [finishDone],
        reflect: steps,
        triage: [finishDone],
      });
    await scenario(reflect);
    const { core } = await startCore(world);
    const { plan } = world;
    const report = await core.api.request('run_cycle', { plan, scenario: world.scenario, cycles: 2 });
    await scenario([finishDone]);
    return { world, core, plan, report };
  }

  test.each<[string, Steps]>([
    ['failed', fails],
    ['waiting', asks],
  ])('and is %s continues with a retry, up to its last cycle', async (stop, reflect) => {
    const { world, core, plan, report } = await stoppedRun(reflect);
    expect(report.stop).toBe(stop);
    expect((await statusOf(core, world)).paused).toEqual({ done: 0, cycles: 2 });
    const retried = await core.api.request('retry', { plan });
    expect([retried.phase, retried.end, retried.run?.stop]).toEqual(['reflect', 'finished', 'cycle-ended']);
    expect(await cyclesOf(world)).toBe(2);
    expect((await statusOf(core, world)).paused).toBeUndefined();
  });

  test('continues once a decision has let that phase finish', async () => {
    const world = await makeConflictWorld();
    const { core } = await startCore(world);
    const page = await runIntoConflict(core, world, 1);
    const decided = await decide(core.api, page, 'accept', { option: 'person' });
    expect([decided.report?.end, decided.next]).toEqual(['finished', 'resume']);
    await setScenario(world, { triage: [finishDone] });
    const { plan } = world;
    expect(await core.api.request('run_cycle', { plan, resume: true })).toMatchObject({ stop: 'cycle-ended' });
    expect((await statusOf(core, world)).phase).toBe('work');
  });

  test('is forgotten once that phase was rejected', async () => {
    const { world, core } = await stoppedRun(asks);
    await decide(core.api, await onlyApproval(core.api), 'reject');
    expect((await statusOf(core, world)).paused).toBeUndefined();
  });

  test('is forgotten once a person stopped its retry', async () => {
    const { world, core, plan } = await stoppedRun(fails);
    await setScenario(world, { reflect: [{ say: 'I begin.' }, { wait: '1500ms' }, finishDone] });
    const said = nextEvent(core, 'session.output');
    const retried = core.api.request('retry', { plan });
    await said;
    await core.api.request('stop', { plan });
    expect((await retried).run).toBeUndefined();
    expect((await statusOf(core, world)).paused).toBeUndefined();
  });

  test('stays paused while its phase fails again, and is forgotten with the phase', async () => {
    const { world, core, plan } = await stoppedRun(fails);
    await setScenario(world, { reflect: fails });
    expect(await core.api.request('retry', { plan })).toMatchObject({ end: 'failed' });
    expect((await statusOf(core, world)).paused).toEqual({ done: 0, cycles: 2 });
    await core.api.request('dismiss', { plan });
    expect((await statusOf(core, world)).paused).toBeUndefined();
  });
});
