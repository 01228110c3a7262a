import { expect, test } from 'vitest';
import { Hindrance } from '../../src/actors/hindrance.ts';
import { ManualClock } from '../support/manualClock.ts';

test('a refusing disk is retried after 5, 10, 20 … seconds, and at most every five minutes', () => {
  const clock = new ManualClock();
  let tries = 0;
  const hindrance = new Hindrance(clock, 10_000, () => tries++);
  for (const [n, waitMs] of [5, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1000).entries()) {
    hindrance.begin('refused', 'the disk is full');
    clock.advance(waitMs - 1);
    expect([tries, hindrance.reason]).toEqual([n, 'the disk is full']);
    clock.advance(1);
    expect([tries, hindrance.kind]).toEqual([n + 1, undefined]);
  }
  hindrance.forget();
  hindrance.begin('refused', 'the disk is full');
  clock.advance(5_000);
  expect(tries).toBe(9);
});

test('a postponed message is retried after five minutes, unless the wait ended earlier', () => {
  const clock = new ManualClock();
  let tries = 0;
  const hindrance = new Hindrance(clock, 10_000, () => tries++);
  hindrance.begin('postponed', 'it is full');
  clock.advance(299_999);
  expect([tries, hindrance.kind, hindrance.reason]).toEqual([0, 'postponed', 'it is full']);
  clock.advance(1);
  expect([tries, hindrance.kind]).toEqual([1, undefined]);
  hindrance.begin('postponed', 'it is full');
  hindrance.end();
  hindrance.end();
  clock.advance(600_000);
  expect([tries, hindrance.kind, clock.scheduled]).toEqual([1, undefined, 0]);
});

test('an actor that crashes again and again is started after 0.25, 0.5, 1 … seconds, up to a limit, until all is done', () => {
  const clock = new ManualClock();
  let starts = 0;
  const hindrance = new Hindrance(clock, 1_500, () => starts++);
  for (const [n, waitMs] of [250, 500, 1_000, 1_500, 1_500].entries()) {
    hindrance.begin('crashed', 'it crashed');
    clock.advance(waitMs - 1);
    expect([starts, hindrance.kind]).toEqual([n, 'crashed']);
    clock.advance(1);
    expect(starts).toBe(n + 1);
  }
  hindrance.forget();
  hindrance.begin('crashed', 'it crashed');
  clock.advance(250);
  expect(starts).toBe(6);
});
