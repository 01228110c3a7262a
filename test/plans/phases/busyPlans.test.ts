import { expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { BusyPlans } from '../../../src/plans/phases/busyPlans.ts';
import { WorkTreeQueue } from '../../../src/plans/phases/workTreeQueue.ts';
import { WorkTrees } from '../../../src/plans/phases/workTrees.ts';
import { listUnderWay, recordUnderWay } from '../../../src/vault/underWay.ts';
import { failureOf } from '../../support/failureOf.ts';
import { demoPlan, makePlanWorld } from '../../support/planServices.ts';

const other = toQualifiedId('Other/project-root');

/** Allows only one active actor: the second queues until its signal aborts. */
async function makeBusy() {
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
  const trees = new WorkTrees(services, new WorkTreeQueue());
  const busy = new BusyPlans({ services, actors: { keepActive }, trees });
  return { busy, trees, services, events, location };
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
  const { busy } = await makeBusy();
  const { work, begun, end } = makeWork();
  const first = busy.withPlan(demoPlan, undefined, work);
  await begun;
  expect([busy.has(demoPlan), busy.has(other)]).toEqual([true, false]);
  expect(await failureOf(() => busy.withPlan(demoPlan, undefined, work))).toMatchObject({ code: 'plan/busy' });
  expect(await busy.withPlan(other, undefined, async () => 'other')).toBe('other');
  end();
  expect(await first).toBe('done');
  expect(await busy.withPlan(demoPlan, undefined, async () => 'again')).toBe('again');
});

test('stopping a plan resolves after its run has ended', async () => {
  const { busy } = await makeBusy();
  const { work, begun } = makeWork();
  expect(await busy.stop(demoPlan)).toBe(false);
  const stopped = failureOf(() => busy.withPlan(demoPlan, undefined, work));
  await begun;
  expect(await busy.stop(demoPlan)).toBe(true);
  expect(busy.has(demoPlan)).toBe(false);
  expect(await stopped).toMatchObject({ code: 'run/stopped', subject: demoPlan });
});

test('a caller’s signal stops its own run', async () => {
  const { busy } = await makeBusy();
  const { work, begun } = makeWork();
  const controller = new AbortController();
  const stopped = busy.withPlan(demoPlan, controller.signal, work);
  await begun;
  controller.abort(new Error('enough'));
  await expect(stopped).rejects.toThrow('enough');
});

test('detaching waits for runs that would be left half done, but not for a followed session', async () => {
  const { busy } = await makeBusy();
  const [applying, following] = [makeWork(), makeWork()];
  const applied = busy.withPlan(demoPlan, undefined, applying.work);
  const followed = busy.withPlan(other, undefined, (stop) => busy.whileDetachable(other, () => following.work(stop)));
  await Promise.all([applying.begun, following.begun]);
  let isQuiet = false;
  const quiet = busy.detach().then(() => {
    isQuiet = true;
  });
  expect(busy.isDetached).toBe(true);
  expect(await failureOf(() => busy.withPlan(demoPlan, undefined, applying.work))).toMatchObject({
    code: 'run/stopped',
  });
  expect(isQuiet).toBe(false);
  applying.end();
  await Promise.all([applied, quiet]);
  expect(busy.has(other)).toBe(true);
  following.end();
  await followed;
});

test('a run that queues for an active actor says so, and ends when the plans are detached', async () => {
  const { busy, events } = await makeBusy();
  const first = makeWork();
  const active = busy.withActiveSlot(demoPlan, undefined, (stop) =>
    busy.whileDetachable(demoPlan, () => first.work(stop)),
  );
  await first.begun;
  const queued = failureOf(() => busy.withActiveSlot(other, undefined, async () => 'never'));
  expect(busy.waitsFor(other)).toBe('one is active');
  expect(events).toMatchObject([{ type: 'run.queued', actor: other, reason: 'one is active' }]);
  await busy.detach();
  expect(await queued).toMatchObject({ code: 'run/stopped', subject: other });
  first.end();
  expect(await active).toBe('done');
});

test('a plan that is free again has given its kept tree back', async () => {
  const { busy, trees, location } = await makeBusy();
  await busy.withPlan(location.id, undefined, (stop) => trees.keep(location, stop));
  const taken = await trees.withTree({ ...location, id: other }, 'work', async () => 'taken');
  expect(taken).toBe('taken');
});

test('a plan that fails is settled in the index of running plans before it is free', async () => {
  const { busy, services } = await makeBusy();
  await recordUnderWay(services, demoPlan);
  await expect(busy.withPlan(demoPlan, undefined, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await listUnderWay(services)).toEqual([]);
});
