import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { onAbort, raceAbort, rejectOnAbort } from '../../src/base/abort.ts';

const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

test('onAbort calls its listener once: at an abort, or at once after one, and not after it was disposed of', () => {
  const controller = new AbortController();
  const { signal } = controller;
  const calls: string[] = [];
  const first = onAbort(signal, () => calls.push('first'));
  onAbort(signal, () => calls.push('second')).dispose();
  expect([calls, listeners(signal)]).toEqual([[], 1]);
  controller.abort();
  onAbort(signal, () => calls.push('third'));
  first.dispose();
  expect([calls, listeners(signal)]).toEqual([['first', 'third'], 0]);
  onAbort(undefined, () => calls.push('never')).dispose();
  expect(calls).toHaveLength(2);
});

test('raceAbort stops waiting once its signal aborts, and leaves no listener', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  expect(await raceAbort(Promise.resolve('done'), signal)).toBe('done');
  expect(listeners(signal)).toBe(0);
  const never = raceAbort(new Promise(() => undefined), signal);
  controller.abort();
  expect(await never).toEqual({ kind: 'aborted' });
  expect(listeners(signal)).toBe(0);
  expect(await raceAbort(Promise.resolve('done'), signal)).toEqual({ kind: 'aborted' });
});

test('rejectOnAbort rejects with the reason once its signal aborts, and leaves no listener', async () => {
  const controller = new AbortController();
  const { signal } = controller;
  expect(await rejectOnAbort(Promise.resolve('done'), signal)).toBe('done');
  expect(await rejectOnAbort(Promise.resolve('done'), undefined)).toBe('done');
  await expect(rejectOnAbort(Promise.reject(new Error('boom')), signal)).rejects.toThrow('boom');
  const never = rejectOnAbort(new Promise(() => undefined), signal);
  controller.abort(new Error('no longer wanted'));
  await expect(never).rejects.toThrow('no longer wanted');
  await expect(rejectOnAbort(new Promise(() => undefined), signal)).rejects.toThrow('no longer wanted');
  expect(listeners(signal)).toBe(0);
});
