import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import { CachedPromise } from '../../src/base/cachedPromise.ts';

test('Kept makes its value once for concurrent callers, and again after renew or forget', async () => {
  const kept = new CachedPromise<number>();
  let made = 0;
  const make = async () => ++made;
  expect(kept.current).toBeUndefined();
  expect(await Promise.all([kept.get(make), kept.get(make)])).toEqual([1, 1]);
  expect(await kept.current).toBe(1);
  expect(await kept.renew(make)).toBe(2);
  kept.forget();
  expect(await kept.get(make)).toBe(3);
});

test('Kept makes its value again after a failure', async () => {
  const kept = new CachedPromise<number>();
  await expect(kept.get(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await kept.get(async () => 1)).toBe(1);
});

test('a late failure does not discard a newer value', async () => {
  const kept = new CachedPromise<number>();
  const old = createDeferred<number>();
  const failing = kept.get(() => old.promise);
  const newer = kept.renew(async () => 2);
  old.reject(new Error('no'));
  await expect(failing).rejects.toThrow('no');
  expect(kept.current).toBe(newer);
});
