import { expect, test } from 'vitest';
import { type StopPorts, type StopSteps, stopInOrder } from '../src/coreStop.ts';
import { ManualClock } from './support/manualClock.ts';

const drainMs = 50;

interface Case {
  /** Steps that never end, and steps that fail. */
  readonly hanging?: readonly string[];
  readonly failing?: readonly string[];
  readonly isLost?: boolean;
}

/** Stops parts that write down their names; time passes only while something waits for it. */
async function check({ hanging = [], failing = [], isLost = false }: Case) {
  const log: string[] = [];
  const clock = new ManualClock();
  const step = (name: string) => async () => {
    log.push(name);
    if (hanging.includes(name)) {
      queueMicrotask(() => clock.advance(drainMs));
      await new Promise(() => undefined);
    }
    if (failing.includes(name)) throw new Error(name);
  };
  const steps: StopSteps = {
    outside: step('outside'),
    background: [step('background')],
    phases: step('phases'),
    messages: step('messages'),
    actors: [step('actors')],
    cache: step('cache'),
    records: [step('records')],
    sessions: step('sessions'),
  };
  const ports = {
    clock,
    drainMs,
    lock: { release: step('release') },
    ownership: { stop: () => undefined, isLost },
  } as unknown as StopPorts;
  const failure = await stopInOrder(ports, steps).then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
  return { log: log.join(' '), failure, timers: clock.scheduled };
}

const all = 'outside background phases messages actors cache records';

test.each<[string, Case, string, string | undefined]>([
  ['everything stops, the vault is free', {}, `${all} sessions release`, undefined],
  [
    'a step that fails does not keep the others from it',
    { failing: ['outside'] },
    `${all} sessions release`,
    'outside',
  ],
  ['a step that hangs is given up', { hanging: ['background', 'cache'] }, `${all} sessions release`, undefined],
  ['phases that still write keep the vault locked', { hanging: ['phases'] }, all, undefined],
  ['a lost vault is not released', { isLost: true }, `${all} sessions`, undefined],
  ['what a lost vault cannot write is no error', { isLost: true, failing: ['records'] }, `${all} sessions`, undefined],
])('%s', async (_name, given, log, failure) => {
  expect(await check(given)).toEqual({ log, failure, timers: 0 });
});
