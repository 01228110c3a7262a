import { describe, expect, test } from 'vitest';
import { AsyncQueue, createDeferred, SerialQueue, settleAll, withTimeout } from '../../src/base/async.ts';
import { ManualClock } from '../support/manualClock.ts';

describe('createDeferred', () => {
  test('is settled from outside', async () => {
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

  test('rejects when the time is over, not before', async () => {
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

describe('SerialQueue', () => {
  test('runs one at a time, in order', async () => {
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

  test('a failure reaches its caller only', async () => {
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

async function collect<T>(queue: AsyncQueue<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const value of queue) values.push(value);
  return values;
}

describe('AsyncQueue', () => {
  test('delivers what was pushed before and after the consumer came', async () => {
    const queue = new AsyncQueue<number>();
    queue.push(1);
    queue.push(2);
    const all = collect(queue);
    await Promise.resolve();
    queue.push(3);
    queue.close();
    queue.push(4);
    expect(await all).toEqual([1, 2, 3]);
  });

  test('delivers what came before a failure, then throws', async () => {
    const queue = new AsyncQueue<number>();
    queue.push(1);
    queue.fail(new Error('broken'));
    queue.close();
    const seen: number[] = [];
    const read = async () => {
      for await (const value of queue) seen.push(value);
    };
    await expect(read()).rejects.toThrow('broken');
    expect(seen).toEqual([1]);
  });

  test('wakes a consumer that waits', async () => {
    const queue = new AsyncQueue<number>();
    const iterator = queue[Symbol.asyncIterator]();
    const next = iterator.next();
    await Promise.resolve();
    queue.push(7);
    expect(await next).toEqual({ value: 7, done: false });
    const last = iterator.next();
    await Promise.resolve();
    queue.close();
    expect(await last).toEqual({ value: undefined, done: true });
  });

  test('takes values that are pushed while the consumer works', async () => {
    const queue = new AsyncQueue<number>();
    queue.push(1);
    const seen: number[] = [];
    for await (const value of queue) {
      seen.push(value);
      if (value < 4) queue.push(value + 1);
      else queue.close();
    }
    expect(seen).toEqual([1, 2, 3, 4]);
  });

  test('delivers a long backlog whole, in order', async () => {
    const queue = new AsyncQueue<number>();
    const values = Array.from({ length: 10_000 }, (_, n) => n);
    for (const value of values) queue.push(value);
    queue.close();
    expect(await collect(queue)).toEqual(values);
  });

  test('has one consumer', async () => {
    const queue = new AsyncQueue<number>();
    queue.close();
    await collect(queue);
    await expect(collect(queue)).rejects.toThrow('one consumer');
  });
});

describe('settleAll', () => {
  test('waits for all, and rejects with the first error in order', async () => {
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
