import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { Gathering } from '../../src/base/gathering.ts';
import { ManualClock } from '../support/manualClock.ts';

function start(work: (keys: string) => Promise<void> = async () => undefined) {
  const clock = new ManualClock();
  const done: string[] = [];
  const errors: unknown[] = [];
  const gathering = new Gathering<string>({
    ...{ clock, delayMs: 100, onError: (error: unknown) => errors.push(error) },
    async work(keys) {
      done.push([...keys].join(' '));
      await work([...keys].join(' '));
    },
  });
  return { clock, done, errors, gathering };
}

test('what comes within the delay is done once, and later keys wait for the next time', async () => {
  const { clock, done, gathering } = start();
  for (const key of ['a', 'b', 'a']) gathering.add(key);
  expect(done).toEqual([]);
  clock.advance(100);
  await gathering.settled();
  gathering.add('c');
  await gathering.stop();
  gathering.add('d');
  clock.advance(100);
  await gathering.settled();
  expect(done).toEqual(['a b', 'c']);
});

test('work is never done twice at a time, and a failure does not end it', async () => {
  const [first, began] = [createDeferred<void>(), createDeferred<void>()];
  const { done, errors, gathering } = start((keys) => {
    began.resolve();
    return keys === 'a' ? first.promise : Promise.resolve();
  });
  gathering.add('a');
  const settling = gathering.settled();
  await began.promise;
  gathering.add('b');
  const stopping = gathering.stop();
  expect(done).toEqual(['a']);
  first.reject(new Error('no'));
  await Promise.all([settling, stopping]);
  expect(done).toEqual(['a', 'b']);
  expect(errors).toEqual([new Error('no')]);
});
