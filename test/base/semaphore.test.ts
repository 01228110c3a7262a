import { describe, expect, test } from 'vitest';
import { createDeferred, nextTurn } from '../../src/base/async.ts';
import { Semaphore, SerialQueue } from '../../src/base/semaphore.ts';

const never = new AbortController().signal;

test('a semaphore lets two run at a time, and the others in the order they came', async () => {
  const turns = new Semaphore(2);
  const begun: string[] = [];
  const take = async (name: string) => {
    const turn = await turns.acquire(never);
    begun.push(name);
    return turn;
  };
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map(take);
  await nextTurn();
  expect(begun).toEqual(['a', 'b']);
  const first = await a;
  first?.dispose();
  first?.dispose();
  await nextTurn();
  expect(begun).toEqual(['a', 'b', 'c']);
  for (const turn of [b, c]) (await turn)?.dispose();
  await d;
  expect(begun).toEqual(['a', 'b', 'c', 'd']);
});

test('a caller that stops waiting does not cost the next one its turn', async () => {
  const turns = new Semaphore(1);
  const first = await turns.acquire(never);
  const stop = new AbortController();
  const second = turns.acquire(stop.signal);
  const third = turns.acquire(never);
  stop.abort(new Error('no longer wanted'));
  await expect(second).rejects.toThrow('no longer wanted');
  first.dispose();
  await third;
  await expect(turns.acquire(stop.signal)).rejects.toThrow('no longer wanted');
});

test('run gives its turn back also if its work fails, and an abort ends only the waiting', async () => {
  const semaphore = new Semaphore(1);
  await expect(semaphore.run(() => Promise.reject(new Error('boom')))).rejects.toThrow('boom');
  const stop = new AbortController();
  const work = createDeferred<string>();
  const first = semaphore.run(() => work.promise, stop.signal);
  const second = semaphore.run(async () => 'second', stop.signal);
  const third = semaphore.run(async () => 'third');
  stop.abort(new Error('no longer wanted'));
  await expect(second).rejects.toThrow('no longer wanted');
  work.resolve('first');
  expect(await Promise.all([first, third])).toEqual(['first', 'third']);
});

describe('SerialQueue', () => {
  test('runs one task at a time, in order', async () => {
    const queue = new SerialQueue();
    const steps: string[] = [];
    const gate = createDeferred<void>();
    const first = queue.run(async () => {
      steps.push('first starts');
      await gate.promise;
      steps.push('first ends');
    });
    const second = queue.run(() => steps.push('second'));
    const drained = queue.drained().then(() => steps.push('drained'));
    gate.resolve();
    await Promise.all([first, second, drained]);
    expect(steps).toEqual(['first starts', 'first ends', 'second', 'drained']);
  });

  test('passes a failure to its caller and runs the rest', async () => {
    const queue = new SerialQueue();
    const failed = queue.run(() => Promise.reject(new Error('no')));
    const thrown = queue.run(() => {
      throw new Error('thrown');
    });
    const fine = queue.run(() => 2);
    await expect(failed).rejects.toThrow('no');
    await expect(thrown).rejects.toThrow('thrown');
    await expect(fine).resolves.toBe(2);
  });
});
