import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { raceAbort, settle } from '../../src/actors/settle.ts';

test('settle turns an error, thrown at once or later, into a result', async () => {
  const error = new Error('boom');
  expect(await settle(async () => 1)).toEqual({ kind: 'did', value: 1 });
  expect(await settle(() => Promise.reject(error))).toEqual({ kind: 'threw', error });
  const throwing = (): Promise<never> => {
    throw error;
  };
  expect(await settle(throwing)).toEqual({ kind: 'threw', error });
});

test('raceAbort stops waiting once its signal aborts, and leaves no listener', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  expect(await raceAbort(Promise.resolve('done'), signal)).toBe('done');
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  const never = raceAbort(new Promise(() => undefined), signal);
  controller.abort();
  expect(await never).toEqual({ kind: 'aborted' });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
  expect(await raceAbort(Promise.resolve('done'), signal)).toEqual({ kind: 'aborted' });
});
