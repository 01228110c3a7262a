import { expect, test } from 'vitest';
import { endAfterGrace, endedEvent } from '../../src/harness/sessionEnd.ts';
import type { Ulid } from '../../src/model/id.ts';
import { ManualClock } from '../support/manualClock.ts';

const session = '01M00000000000000000000000' as Ulid;

test('the event of a session’s end has the exit code only when it is known', () => {
  const ended = { type: 'session.ended', session, end: 'exited', durationMs: 5 };
  expect(endedEvent(session, { end: 'exited', durationMs: 5 })).toEqual(ended);
  expect(endedEvent(session, { end: 'exited', durationMs: 5, exitCode: 0 })).toEqual({ ...ended, exitCode: 0 });
});

test('a session that has finished is ended after its grace period', async () => {
  const clock = new ManualClock();
  let ends = 0;
  const finished = Promise.resolve();
  const grace = endAfterGrace(clock, finished, 100, () => ends++);
  await finished;
  clock.advance(99);
  expect(ends).toBe(0);
  clock.advance(1);
  expect(ends).toBe(1);
  grace.dispose();
});

test.each(['before', 'after'])('a session that ends by itself %s it has finished is left alone', async (when) => {
  const clock = new ManualClock();
  let ends = 0;
  const finished = Promise.resolve();
  const grace = endAfterGrace(clock, finished, 100, () => ends++);
  if (when === 'before') grace.dispose();
  await finished;
  grace.dispose();
  clock.advance(200);
  expect(ends).toBe(0);
});
