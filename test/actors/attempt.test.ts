import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { attemptTo, unlessDropped } from '../../src/actors/attempt.ts';

test('attemptTo turns an error, thrown at once or later, into a result', async () => {
  const error = new Error('boom');
  expect(await attemptTo(async () => 1)).toEqual({ kind: 'did', value: 1 });
  expect(await attemptTo(() => Promise.reject(error))).toEqual({ kind: 'threw', error });
  const throwing = (): Promise<never> => {
    throw error;
  };
  expect(await attemptTo(throwing)).toEqual({ kind: 'threw', error });
});

test('unlessDropped stops waiting once its signal aborts, and leaves no listener', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  expect(await unlessDropped(Promise.resolve('done'), signal)).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const never = unlessDropped(new Promise(() => undefined), signal);
  controller.abort();
  expect(await never).toEqual({ kind: 'dropped' });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(await unlessDropped(Promise.resolve('done'), signal)).toEqual({ kind: 'dropped' });
});
