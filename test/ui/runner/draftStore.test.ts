import { expect, test } from 'vitest';
import { DraftStores, saveMs } from '../../../src/ui/runner/draftStore.ts';
import { ManualClock } from '../../support/manualClock.ts';

/** Stores of a window, and what its workspace keeps. */
function openWindow(kept = new Map<string, unknown>(), page = 'runner') {
  const clock = new ManualClock();
  let writes = 0;
  const memento = {
    get: (key: string) => kept.get(key),
    async update(key: string, value: unknown) {
      writes += 1;
      if (value === undefined) kept.delete(key);
      else kept.set(key, value);
    },
  };
  const onError = (error: unknown) => {
    throw error;
  };
  return { clock, kept, writes: () => writes, stores: new DraftStores(page, { memento, clock, onError }) };
}

test('drafts come back in the next window of the workspace, for their vault alone', () => {
  const { clock, kept, stores } = openWindow();
  stores.of('/v').set('a/x', 'text');
  clock.advance(saveMs);
  const next = openWindow(kept).stores;
  expect([next.of('/v').all, next.of('/other').all]).toEqual([{ 'a/x': 'text' }, {}]);
  expect(openWindow(kept, 'routing').stores.of('/v').all).toEqual({});
});

test('what is typed without a pause is written once', () => {
  const { clock, writes, stores } = openWindow();
  for (const text of ['t', 'te', 'tex']) stores.of('/v').set('a/x', text);
  clock.advance(saveMs);
  expect(writes()).toBe(1);
});

test('what was typed last is written when the window goes', () => {
  const { kept, stores } = openWindow();
  stores.of('/v').set('a/x', 'text');
  stores.dispose();
  expect(openWindow(kept).stores.of('/v').all).toEqual({ 'a/x': 'text' });
});

test('nothing stays of drafts that were sent', () => {
  const { clock, kept, stores } = openWindow();
  stores.of('/v').set('a/x', 'text');
  clock.advance(saveMs);
  stores.of('/v').set('a/x', '');
  clock.advance(saveMs);
  expect(kept.size).toBe(0);
});
