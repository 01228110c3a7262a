import { expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { RunLocks } from '../../../src/plans/phases/runLocks.ts';
import { WorkTrees } from '../../../src/plans/phases/workTrees.ts';
import { listUnderWay, recordUnderWay } from '../../../src/vault/underWay.ts';
import { failureOf } from '../../support/failureOf.ts';
import { demoPlan, makePlanWorld } from '../../support/planServices.ts';

const other = toQualifiedId('Other/project-root');

/** Allows only one active actor: the second queues until its signal aborts. */
async function makeLocks() {
  const { services, events, location } = await makePlanWorld();
  let active = 0;
  const keepActive = async <T>(
    _actor: string,
    signal: AbortSignal,
    work: () => Promise<T>,
    onQueued?: (reason: string) => void,
  ): Promise<T> => {
    active++;
    if (active === 1) return work();
    onQueued?.('one is active');
    await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    return work();
  };
  const trees = new WorkTrees(services, () => undefined);
  const locks = new RunLocks({ services, actors: { keepActive }, trees });
  return { locks, trees, services, events, location };
}

/** Work that lasts until it is stopped or `end` is called. */
function makeWork() {
  const [begun, end] = [createDeferred<void>(), createDeferred<void>()];
  const work = async (stop: AbortSignal) => {
    begun.resolve();
    stop.addEventListener('abort', () => end.reject(stop.reason));
    await end.promise;
    return 'done';
  };
  return { work, begun: begun.promise, end: end.resolve };
}

test('a second run of a busy plan is refused, and another plan still runs', async () => {
  const { locks } = await makeLocks();
  const { work, begun, end } = makeWork();
  const first = locks.withPlan(demoPlan, undefined, work);
  await begun;
  expect([locks.has(demoPlan), locks.has(other)]).toEqual([true, false]);
  expect(await failureOf(() => locks.withPlan(demoPlan, undefined, work))).toMatchObject({ code: 'plan/busy' });
  expect(await locks.withPlan(other, undefined, async () => 'other')).toBe('other');
  end();
  expect(await first).toBe('done');
  expect(await locks.withPlan(demoPlan, undefined, async () => 'again')).toBe('again');
});

test('stopping a plan resolves after its run has ended', async () => {
  const { locks } = await makeLocks();
  const { work, begun } = makeWork();
  expect(await locks.stop(demoPlan)).toBe(false);
  const stopped = failureOf(() => locks.withPlan(demoPlan, undefined, work));
  await begun;
  expect(await locks.stop(demoPlan)).toBe(true);
  expect(locks.has(demoPlan)).toBe(false);
  expect(await stopped).toMatchObject({ code: 'run/stopped', subject: demoPlan });
});

test('a caller’s signal stops its own run', async () => {
  const { locks } = await makeLocks();
  const { work, begun } = makeWork();
  const controller = new AbortController();
  const stopped = locks.withPlan(demoPlan, controller.signal, work);
  await begun;
  controller.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
});

test('detaching waits for runs that would be left half done, but not for a followed session', async () => {
  const { locks } = await makeLocks();
  const [applying, following] = [makeWork(), makeWork()];
  const applied = locks.withPlan(demoPlan, undefined, applying.work);
  const followed = locks.withPlan(other, undefined, (stop) => locks.whileDetachable(other, () => following.work(stop)));
  await Promise.all([applying.begun, following.begun]);
  let isQuiet = false;
  const quiet = locks.detach().then(() => {
    isQuiet = true;
  });
  expect(locks.isDetached).toBe(true);
  expect(await failureOf(() => locks.withPlan(demoPlan, undefined, applying.work))).toMatchObject({
    code: 'run/stopped',
  });
  expect(isQuiet).toBe(false);
  applying.end();
  await Promise.all([applied, quiet]);
  expect(locks.has(other)).toBe(true);
  following.end();
  await followed;
});

test('a run that queues for an active actor says so, and ends when the plans are detached', async () => {
  const { locks, events } = await makeLocks();
  const first = makeWork();
  const active = locks.withActiveSlot(demoPlan, undefined, (stop) =>
    locks.whileDetachable(demoPlan, () => first.work(stop)),
  );
  await first.begun;
  const queued = failureOf(() => locks.withActiveSlot(other, undefined, async () => 'never'));
  expect(locks.waitsFor(other)).toBe('one is active');
  expect(events).toMatchObject([{ type: 'run.queued', actor: other, reason: 'one is active' }]);
  await locks.detach();
  expect(await queued).toMatchObject({ code: 'run/stopped', subject: other });
  first.end();
  expect(await active).toBe('done');
});

test('a plan that is free again has given its kept tree back', async () => {
  const { locks, trees, location } = await makeLocks();
  await locks.withPlan(location.id, undefined, (stop) => trees.keep(location, stop));
  const taken = await trees.withTree({ ...location, id: other }, 'work', async () => 'taken');
  expect(taken).toBe('taken');
});

test('a plan that fails is settled in the index of running plans before it is free', async () => {
  const { locks, services } = await makeLocks();
  await recordUnderWay(services, demoPlan);
  await expect(locks.withPlan(demoPlan, undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await listUnderWay(services)).toEqual([]);
});
