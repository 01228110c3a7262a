import { expect, test } from 'vitest';
import { createDeferred, runInSlices } from '../../../src/base/async.ts';
import { Proposer } from '../../../src/routing/learning/proposer.ts';

function make(every: number, work: (signal: AbortSignal) => Promise<unknown> = async () => undefined) {
  let looks = 0;
  const errors: unknown[] = [];
  const propose = (signal: AbortSignal) => {
    looks++;
    return work(signal);
  };
  const proposer = new Proposer({ every, propose, onError: (error) => errors.push(error) });
  const route = (count: number) => {
    for (let at = 0; at < count; at++) proposer.recordRouted();
  };
  return { proposer, route, errors, looks: () => looks };
}

test.each([
  [3, 2, 0],
  [3, 3, 1],
  [0, 100, 0],
])(
  'looking every %i messages, the proposer has looked after %i messages %i times',
  async (every, messages, expected) => {
    const { proposer, route, looks } = make(every);
    route(messages);
    await proposer.stop();
    expect(looks()).toBe(expected);
  },
);

test('the proposer looks once at a time, and messages routed meanwhile count for the next look', async () => {
  const look = createDeferred<void>();
  const { proposer, route, looks } = make(3, () => look.promise);
  route(7);
  expect(looks()).toBe(1);
  look.resolve();
  await look.promise;
  await new Promise(setImmediate);
  route(1);
  expect(looks()).toBe(2);
  await proposer.stop();
  route(10);
  expect(looks()).toBe(2);
});

test('a look that its owner’s stop ends is not an error', async () => {
  const { proposer, route, errors } = make(1, (signal) => runInSlices(forever(), signal));
  route(1);
  await proposer.stop();
  expect(errors).toEqual([]);
});

function* forever(): Generator<undefined, void> {
  for (;;) yield;
}

test('a failed look is reported, and the next one is made', async () => {
  const { proposer, route, looks, errors } = make(1, async () => {
    throw new Error('no disk');
  });
  route(1);
  await new Promise(setImmediate);
  route(1);
  await proposer.stop();
  expect([looks(), errors.length]).toEqual([2, 2]);
});
