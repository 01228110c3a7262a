import { expect, test } from 'vitest';
import { ActorBackoff } from '../../src/actors/actorBackoff.ts';
import { ManualClock } from '../support/manualClock.ts';

test('a refusing disk is retried after 5, 10, 20 … seconds, and at most every five minutes', () => {
  const clock = new ManualClock();
  let tries = 0;
  const backoff = new ActorBackoff(clock, 10_000, () => tries++);
  for (const [n, waitMs] of [5, 10, 20, 40, 80, 160, 300, 300].map((seconds) => seconds * 1000).entries()) {
    backoff.begin('refused', 'the disk is full');
    clock.advance(waitMs - 1);
    expect([tries, backoff.reason]).toEqual([n, 'the disk is full']);
    clock.advance(1);
    expect([tries, backoff.kind]).toEqual([n + 1, undefined]);
  }
  backoff.forget();
  backoff.begin('refused', 'the disk is full');
  clock.advance(5_000);
  expect(tries).toBe(9);
});

test('a postponed message is retried after five minutes, unless the wait ended earlier', () => {
  const clock = new ManualClock();
  let tries = 0;
  const backoff = new ActorBackoff(clock, 10_000, () => tries++);
  backoff.begin('postponed', 'it is full');
  clock.advance(299_999);
  expect([tries, backoff.kind, backoff.reason]).toEqual([0, 'postponed', 'it is full']);
  clock.advance(1);
  expect([tries, backoff.kind]).toEqual([1, undefined]);
  backoff.begin('postponed', 'it is full');
  backoff.end();
  backoff.end();
  clock.advance(600_000);
  expect([tries, backoff.kind, clock.scheduled]).toEqual([1, undefined, 0]);
});

test('an actor that crashes again and again is started after 0.25, 0.5, 1 … seconds, up to a limit, until all is done', () => {
  const clock = new ManualClock();
  let starts = 0;
  const backoff = new ActorBackoff(clock, 1_500, () => starts++);
  for (const [n, waitMs] of [250, 500, 1_000, 1_500, 1_500].entries()) {
    backoff.begin('crashed', 'it crashed');
    clock.advance(waitMs - 1);
    expect([starts, backoff.kind]).toEqual([n, 'crashed']);
    clock.advance(1);
    expect(starts).toBe(n + 1);
  }
  backoff.forget();
  backoff.begin('crashed', 'it crashed');
  clock.advance(250);
  expect(starts).toBe(6);
});
