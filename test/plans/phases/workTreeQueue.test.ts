import { expect, test } from 'vitest';
import { createDeferred } from '../../../src/base/async.ts';
import { toQualifiedId } from '../../../src/model/id.ts';
import { type Waiter, WorkTreeQueue } from '../../../src/plans/phases/workTrees.ts';

const one = toQualifiedId('A/project-root');
const two = toQualifiedId('B/project-root');
const three = toQualifiedId('C/project-root');

function record() {
  const queue = new WorkTreeQueue();
  const log: string[] = [];
  const waiterOf = (plan: typeof one, stop?: AbortSignal): Waiter => ({
    plan,
    onWait: (behind) => log.push(`${plan} waits for ${behind}`),
    ...(stop !== undefined && { stop }),
  });
  const run = (tree: string, plan: typeof one, until: Promise<void> = Promise.resolve(), stop?: AbortSignal) =>
    queue.run(tree, waiterOf(plan, stop), async () => {
      log.push(`${plan} begins`);
      await until;
      log.push(`${plan} ends`);
      return plan;
    });
  const take = (tree: string, plan: typeof one) => queue.take(tree, waiterOf(plan));
  return { log, run, take };
}

test('a tree runs one phase at a time and tells each waiting plan which plan is before it', async () => {
  const { log, run } = record();
  const gate = createDeferred<void>();
  const all = [run('/tree', one, gate.promise), run('/tree', two), run('/tree', three)];
  await Promise.resolve();
  expect(log).toEqual([`${two} waits for ${one}`, `${three} waits for ${two}`, `${one} begins`]);
  gate.resolve();
  expect(await Promise.all(all)).toEqual([one, two, three]);
  expect(log.slice(3)).toEqual([`${one} ends`, `${two} begins`, `${two} ends`, `${three} begins`, `${three} ends`]);
});

test('different trees do not wait for each other', async () => {
  const { log, run } = record();
  const gate = createDeferred<void>();
  const first = run('/tree', one, gate.promise);
  await run('/other', two);
  expect(log).toEqual([`${one} begins`, `${two} begins`, `${two} ends`]);
  gate.resolve();
  await first;
});

test('a failed run frees the tree and rejects only for its own caller', async () => {
  const { log, run } = record();
  const failed = run('/tree', one, Promise.reject(new Error('refused')));
  const next = run('/tree', two);
  await expect(failed).rejects.toThrow('refused');
  expect(await next).toBe(two);
  log.length = 0;
  await run('/tree', three);
  expect(log).toEqual([`${three} begins`, `${three} ends`]);
});

test('a taken tree is held until it is released', async () => {
  const { log, run, take } = record();
  const release = await take('/tree', one);
  const next = run('/tree', two);
  await run('/other', three);
  expect(log).toEqual([`${two} waits for ${one}`, `${three} begins`, `${three} ends`]);
  release();
  expect(await next).toBe(two);
});

test('a plan that is stopped while it waits leaves at once, and the running one continues', async () => {
  const { log, run } = record();
  const gate = createDeferred<void>();
  const [working, waiting] = [new AbortController(), new AbortController()];
  const first = run('/tree', one, gate.promise, working.signal);
  const second = run('/tree', two, undefined, waiting.signal);
  const third = run('/tree', three);
  waiting.abort(new Error('stopped'));
  await expect(second).rejects.toThrow('stopped');
  working.abort(new Error('stopped'));
  gate.resolve();
  expect(await Promise.all([first, third])).toEqual([one, three]);
  expect(log).not.toContain(`${two} begins`);
});

test('a run that was stopped before it queued does not wait', async () => {
  const { log, run } = record();
  const gate = createDeferred<void>();
  const first = run('/tree', one, gate.promise);
  await expect(run('/tree', two, Promise.resolve(), AbortSignal.abort(new Error('stopped')))).rejects.toThrow(
    'stopped',
  );
  expect(log).not.toContain(`${two} waits for ${one}`);
  gate.resolve();
  await first;
});
