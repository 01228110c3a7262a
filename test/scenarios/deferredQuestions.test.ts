import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { dayMs } from '../../src/base/units.ts';
import type { Core } from '../../src/core.ts';
import { askDeferredAgain } from '../../src/plans/approvals/approvals.ts';
import { VaultLayout } from '../../src/vault/layout.ts';
import { failureOf } from '../support/failureOf.ts';
import { absorbing, candidatesOf, futures, makeIngestionWorld, reflect } from '../support/ingestionWorld.ts';
import { makeReflectWorld, nextEvent, runOptionsOf } from '../support/phaseWorld.ts';
import { startCore, type World } from '../support/world.ts';

const firstReview = '[knowledge]\ningestion = "review-first"\n';

/** The time of this machine, with days that a test adds. */
class MovedClock {
  days = 0;
  readonly wallMs = () => systemClock.wallMs() + this.days * dayMs;
  readonly monotonicMs = () => systemClock.monotonicMs();
  readonly schedule: typeof systemClock.schedule = (delayMs, callback) => systemClock.schedule(delayMs, callback);
}

/** A statement of a plan that waits for a person. */
async function waiting(): Promise<{ readonly world: World; readonly core: Core; readonly clock: MovedClock }> {
  const world = await makeIngestionWorld({
    ...{ learned: [futures], absorb: [{ steps: absorbing }], settings: firstReview },
  });
  const clock = new MovedClock();
  const { core } = await startCore(world, { clock });
  expect(await reflect(core, world)).toMatchObject({ state: 'waiting' });
  return { world, core, clock };
}

const open = async (core: Core, deferred?: boolean) =>
  core.api.request('approvals', deferred === undefined ? {} : { deferred });

test('a statement that a person defers is lost to no owner, comes back by itself, and is then taken in', async () => {
  const { world, core, clock } = await waiting();
  const [question] = (await open(core)).approvals;
  const approval = question?.approval ?? '';
  const { until } = await core.api.request('defer', { approval, days: 3 });
  expect(Math.round((Date.parse(until) - clock.wallMs()) / dayMs)).toBe(3);
  expect(await open(core)).toMatchObject({ approvals: [], deferred: 1 });
  expect((await open(core, true)).approvals).toEqual([{ ...question, deferredUntil: until }]);
  await core.stop();

  const { core: next } = await startCore(world, { clock });
  expect(await open(next)).toMatchObject({ approvals: [], deferred: 1 });
  expect(candidatesOf(world)).toMatchObject([{ state: 'waiting', title: futures.title }]);
  clock.days = 3;
  expect((await open(next)).approvals).toMatchObject([{ approval, contentHash: question?.contentHash }]);
  const end = nextEvent(next, 'knowledge.candidate');
  const contentHash = question?.contentHash ?? '';
  await next.api.request('decide', { approval, contentHash, decision: 'accept' });
  expect(await end).toMatchObject({ title: futures.title, state: 'added' });
});

test('a question can be answered while it is deferred, and its answer holds', async () => {
  const { world, core } = await waiting();
  const [{ approval = '', contentHash = '' } = {}] = (await open(core)).approvals;
  await core.api.request('defer', { approval, days: 30 });
  await core.api.request('decide', { approval, contentHash, decision: 'reject', reason: 'Known' });
  expect(candidatesOf(world)).toMatchObject([{ state: 'rejected' }]);
  expect((await open(core, true)).approvals).toEqual([]);
  expect(await failureOf(() => core.api.request('defer', { approval, days: 1 }))).toMatchObject({
    code: 'approval/decided',
  });
});

test('what comes back is told once', async () => {
  const { world, core, clock } = await waiting();
  const [{ approval = '' } = {}] = (await open(core)).approvals;
  await core.api.request('defer', { approval, days: 1 });
  const told: string[] = [];
  const services = {
    ...{ disk: nodeDisk, clock, layout: new VaultLayout(world.vault) },
    emit: ({ type }: { readonly type: string }) => told.push(type),
  };
  expect(await askDeferredAgain(services as never, async () => false)).toBe(0);
  clock.days = 1;
  expect([
    await askDeferredAgain(services as never, async () => false),
    await askDeferredAgain(services as never, async () => false),
  ]).toEqual([1, 0]);
  expect(told).toEqual(['approval.opened']);
});

test('a question that a phase waits for cannot be deferred', async () => {
  const world = await makeReflectWorld([{ finish: { outcome: 'needs-input', summary: 'Which colour?' } }]);
  const { core } = await startCore(world);
  await core.api.request('run_phase', runOptionsOf(world));
  const [{ approval = '' } = {}] = (await open(core)).approvals;
  expect(await failureOf(() => core.api.request('defer', { approval, days: 1 }))).toMatchObject({
    code: 'approval/notDeferrable',
  });
  expect((await open(core)).approvals).toHaveLength(1);
});
