import { expect, test } from 'vitest';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { ProcessIdentity } from '../../src/base/processes.ts';
import { watchLeader } from '../../src/harness/leaderWatch.ts';
import { createProcesses } from '../../src/harness/processTable.ts';
import { ManualClock } from '../support/manualClock.ts';

const leader: ProcessIdentity = { pid: 4242, startTime: '7', bootId: 'boot-1' };

/** Watches a leader; `isAlive` is asked once for each look at its identity. */
function watch(isAlive: () => Promise<boolean>) {
  const clock = new ManualClock();
  const over = new AbortController();
  const state = { hasPid: true, looks: 0 };
  const processes = {
    hasPid: () => state.hasPid,
    isAlive: () => {
      state.looks += 1;
      return isAlive();
    },
  };
  return { clock, over, state, gone: watchLeader({ clock, processes }, leader, over.signal) };
}

async function pass(clock: ManualClock, gone: AbortSignal, ms: number): Promise<void> {
  for (let passed = 0; passed < ms && !gone.aborted; passed += 100) {
    await new Promise(setImmediate);
    clock.advance(100);
  }
  await new Promise(setImmediate);
}

test('a process is gone as soon as nothing has its number', async () => {
  const { clock, state, gone } = watch(async () => true);
  await pass(clock, gone, 1000);
  expect(gone.aborted).toBe(false);
  state.hasPid = false;
  await pass(clock, gone, 100);
  expect(gone.aborted).toBe(true);
  expect(state.looks).toBe(0);
});

test('a process whose number another one has is gone within five seconds', async () => {
  const { clock, gone } = watch(async () => false);
  await pass(clock, gone, 4900);
  expect(gone.aborted).toBe(false);
  await pass(clock, gone, 200);
  expect(gone.aborted).toBe(true);
});

test('a process that cannot be looked up is not gone', async () => {
  const { clock, gone, state } = watch(() => Promise.reject(new Error('too many open files')));
  await pass(clock, gone, 60_000);
  expect(gone.aborted).toBe(false);
  expect(state.looks).toBeGreaterThan(5);
});

test('a process is gone as soon as nothing has its number, also while it is being looked up', async () => {
  const { clock, state, gone } = watch(() => new Promise(() => undefined));
  await pass(clock, gone, 10_000);
  expect(gone.aborted).toBe(false);
  expect(state.looks).toBe(1);
  state.hasPid = false;
  await pass(clock, gone, 100);
  expect(gone.aborted).toBe(true);
});

test('nothing is watched after the end of the session', async () => {
  const { clock, over, gone } = watch(async () => true);
  await pass(clock, gone, 1000);
  over.abort();
  await pass(clock, gone, 10_000);
  expect(clock.scheduled).toBe(0);
  expect(gone.aborted).toBe(false);
});

test('on macOS a minute of watching runs ps a dozen times at most', async () => {
  const clock = new ManualClock();
  let runs = 0;
  const run = async (program: string) => {
    if (program === '/bin/ps') runs += 1;
    return program === '/bin/ps' ? 'S Fri Nov  6 18:00:01 2026\n' : 'boot-1\n';
  };
  const processes = createProcesses(nodeDisk, { platform: 'darwin', run });
  const identity = await processes.self();
  runs = 0;
  const over = new AbortController();
  const gone = watchLeader({ clock, processes }, identity, over.signal);
  await pass(clock, gone, 60_000);
  over.abort();
  expect(gone.aborted).toBe(false);
  expect(runs).toBeGreaterThan(8);
  expect(runs).toBeLessThan(13);
});
