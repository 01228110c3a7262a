import { expect, onTestFinished, test } from 'vitest';
import type { CallThread } from '../../src/base/callThread.ts';
import { IdleThread } from '../../src/base/idleThread.ts';
import { ManualClock } from '../support/manualClock.ts';
import { bundleProgram } from '../support/program.ts';

interface Offered {
  double(number: number): number;
  stick(what: null): void;
}

async function make(ends: 'by itself' | 'at once') {
  const program = await bundleProgram(new URL('../fixtures/offeredCalls.ts', import.meta.url).pathname);
  const clock = new ManualClock();
  const idle = new IdleThread<Offered>({ clock, idleMs: 1000, ends });
  onTestFinished(() => idle.stop());
  let starts = 0;
  const use = (): CallThread<Offered> =>
    idle.use(program, () => {
      starts += 1;
      return {};
    });
  return { idle, clock, use, starts: () => starts };
}

test.each(['by itself', 'at once'] as const)(
  'a thread serves all of its users, and ends %s once the last of them was gone for a while',
  async (ends) => {
    const { idle, clock, use, starts } = await make(ends);
    const first = use();
    expect(use()).toBe(first);
    idle.release();
    await clock.advance(5000);
    expect([await first.call('double', 2), idle.isRunning, starts()]).toEqual([4, true, 1]);
    idle.release();
    await clock.advance(900);
    expect(use()).toBe(first);
    await clock.advance(5000);
    expect(await first.call('double', 3)).toBe(6);
    idle.release();
    await clock.advance(1000);
    expect(idle.isRunning).toBe(false);
    await first.gone;
    const second = use();
    expect([await second.call('double', 4), starts()]).toEqual([8, 2]);
    idle.release();
  },
);

test('a thread that died is replaced for the next user', async () => {
  const { idle, use, starts } = await make('at once');
  const first = use();
  await first.kill('the test wants it');
  await first.gone;
  expect(idle.isRunning).toBe(false);
  expect(await use().call('double', 5)).toBe(10);
  expect(starts()).toBe(2);
});

test('a thread that is stuck is stopped at once, and its user is told', async () => {
  const { idle, use } = await make('at once');
  const stuck = expect(use().call('stick', null)).rejects.toThrow('not needed any more');
  await idle.stop();
  await stuck;
});
