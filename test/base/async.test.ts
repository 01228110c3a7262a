import { describe, expect, test } from 'vitest';
import {
  createDeferred,
  forEachYielding,
  runInSlices,
  runToEnd,
  settleAll,
  settleInOrder,
  withTimeout,
} from '../../src/base/async.ts';
import { ManualClock } from '../support/manualClock.ts';

describe('createDeferred', () => {
  test('is resolved or rejected from outside', async () => {
    const good = createDeferred<number>();
    const bad = createDeferred<number>();
    good.resolve(1);
    bad.reject(new Error('no'));
    await expect(good.promise).resolves.toBe(1);
    await expect(bad.promise).rejects.toThrow('no');
  });
});

describe('withTimeout', () => {
  test('passes the outcome on and leaves no timer behind', async () => {
    const clock = new ManualClock();
    await expect(withTimeout(clock, 100, Promise.resolve(1), () => new Error('late'))).resolves.toBe(1);
    await expect(withTimeout(clock, 100, Promise.reject(new Error('no')), () => new Error('late'))).rejects.toThrow(
      'no',
    );
    expect(clock.scheduled).toBe(0);
  });

  test('rejects when the time is up, not before, and makes the error only then', async () => {
    const clock = new ManualClock();
    const made: string[] = [];
    const result = withTimeout(clock, 100, new Promise<never>(() => undefined), () => {
      made.push('error');
      return new Error('late');
    });
    clock.advance(99);
    expect(made).toEqual([]);
    clock.advance(1);
    await expect(result).rejects.toThrow('late');
  });
});

describe('settleAll', () => {
  test('waits for every promise and rejects with the first error in the order given', async () => {
    const [slow, late] = [createDeferred<void>(), createDeferred<void>()];
    let settled = false;
    const all = settleAll([slow.promise, Promise.reject(new Error('second')), late.promise]);
    const ended = all
      .catch((error: unknown) => error)
      .finally(() => {
        settled = true;
      });
    slow.resolve();
    await slow.promise;
    expect(settled).toBe(false);
    late.reject(new Error('third'));
    expect(await ended).toMatchObject({ message: 'second' });
    await expect(settleAll([Promise.resolve(1)])).resolves.toBeUndefined();
  });
});

test('settleInOrder takes every step in order and throws the first error at the end', async () => {
  const taken: string[] = [];
  const take = (name: string, error?: Error) => async () => {
    await Promise.resolve();
    taken.push(name);
    if (error !== undefined) throw error;
  };
  const throwing = () => {
    throw new Error('at once');
  };
  const steps = [take('one'), take('two', new Error('no')), throwing, () => undefined, take('three')];
  await expect(settleInOrder(steps)).rejects.toThrow('no');
  expect(taken).toEqual(['one', 'two', 'three']);
  await expect(settleInOrder([take('four')])).resolves.toBeUndefined();
});

test('forEachYielding keeps the order and yields to the event loop after 500 items', async () => {
  const [done, others]: [number[], number[]] = [[], []];
  setImmediate(() => others.push(done.length));
  const work = forEachYielding(Array.from({ length: 1200 }, (_, n) => n).values(), (n) => done.push(n));
  await work;
  expect(done).toEqual(done.toSorted((a, b) => a - b));
  expect({ done: done.length, others }).toEqual({ done: 1200, others: [500] });
});

describe('a generator that pauses', () => {
  function* count(done: number[]): Generator<undefined, string> {
    for (let n = 0; n < 3; n++) {
      done.push(n);
      yield;
    }
    return 'over';
  }

  test('yields to the event loop at each pause', async () => {
    const [done, others]: [number[], number[]] = [[], []];
    setImmediate(() => others.push(done.length));
    expect(await runInSlices(count(done))).toBe('over');
    expect({ done, others }).toEqual({ done: [0, 1, 2], others: [1] });
  });

  test('stops at the next pause after an abort', async () => {
    const done: number[] = [];
    const stopping = new AbortController();
    setImmediate(() => stopping.abort(new Error('stopped')));
    await expect(runInSlices(count(done), stopping.signal)).rejects.toThrow('stopped');
    expect(done).toEqual([0]);
  });

  test('can run without pauses', () => {
    expect(runToEnd(count([]))).toBe('over');
  });
});
