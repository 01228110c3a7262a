import { expect, test } from 'vitest';
import { createDeferred } from '../../src/base/async.ts';
import type { Diagnostic, Severity } from '../../src/base/errors.ts';
import { type LogFields, type Logger, silentLogger } from '../../src/base/log.ts';
import { StartupVerification } from '../../src/housekeeping/startupVerification.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { VaultScanner } from '../../src/vault/vaultScanner.ts';
import { ManualClock } from '../support/manualClock.ts';

type Verify = VaultScanner['verify'];

function make(verify: Verify, isLarge = false) {
  const events: RavelEvent[] = [];
  const logged: (readonly [string, LogFields | undefined])[] = [];
  const log: Logger = { ...silentLogger, warn: (message, fields) => void logged.push([message, fields]) };
  const clock = new ManualClock();
  const services = { clock, emit: (event: RavelEvent) => void events.push(event), log };
  const verification = new StartupVerification({
    services,
    scanner: { verify, isLarge: () => Promise.resolve(isLarge) },
  });
  /** Resolves when nothing is under way any more. */
  const settled = async () => {
    verification.begin();
    await new Promise((resolve) => setImmediate(resolve));
    await verification.stop();
  };
  return { clock, events, logged, verification, settled };
}

function problem(message: string, severity: Severity = 'error', subject = 'Demo/project-root'): Diagnostic {
  return { code: 'yaml/schema', severity, subject, message };
}

const told = (events: readonly RavelEvent[]) =>
  events.map((event) => (event.type === 'diagnostic' ? [event.actor, event.diagnostic.message] : [event.type]));

test('findings in a plan are emitted for the plan, all others for the vault, and errors come first', async () => {
  const diagnostics = [
    problem('unknown key', 'warning'),
    problem('no such expert', 'error', 'expert:cats'),
    problem('broken'),
    problem('no link', 'error', 'Demo'),
  ];
  const { events, logged, settled } = make(async () => ({ diagnostics, plans: 1 }));
  await settled();
  expect(told(events)).toEqual([
    ['vault', 'no such expert'],
    ['Demo/project-root', 'broken'],
    ['vault', 'no link'],
    ['Demo/project-root', 'unknown key'],
  ]);
  expect(logged[1]).toEqual(['broken', { code: 'yaml/schema', subject: 'Demo/project-root' }]);
});

test('of thousands of findings the first hundred are emitted, and the number of the rest is logged', async () => {
  const diagnostics = Array.from({ length: 5_000 }, (_, n) => problem(`the ${n}th`));
  const { events, logged, settled } = make(async () => ({ diagnostics, plans: 5_000 }));
  await settled();
  expect(events).toHaveLength(100);
  expect(logged).toHaveLength(101);
  expect(logged.at(-1)).toEqual(['`ravel verify` tells what else is wrong', { left: 4_900 }]);
});

test('a stop aborts the running verification, and no verification begins after it', async () => {
  const asked = createDeferred<void>();
  let count = 0;
  const verify: Verify = (_onProgress, signal) => {
    count++;
    asked.resolve();
    return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
  };
  const { events, logged, verification } = make(verify);
  verification.begin();
  await asked.promise;
  await verification.stop();
  verification.begin();
  expect([count, events, logged]).toEqual([1, [], []]);
});

test('a failed verification is logged and rejects for no caller', async () => {
  const { events, logged, settled } = make(async () => Promise.reject(new Error('no thread')));
  await settled();
  expect([events, logged]).toEqual([[], [['the vault could not be verified', { error: 'no thread' }]]]);
});

test('a large vault is verified once its owner has lived for some seconds, and not at all for a single command', async () => {
  let count = 0;
  const asked = createDeferred<void>();
  const verify: Verify = async () => {
    count++;
    asked.resolve();
    return { diagnostics: [], plans: 1 };
  };
  const short = make(verify, true);
  await short.settled();
  expect([count, short.logged]).toEqual([0, []]);
  const long = make(verify, true);
  long.verification.begin();
  await new Promise((resolve) => setImmediate(resolve));
  expect(count).toBe(0);
  long.clock.advance(10_000);
  await asked.promise;
  await long.verification.stop();
  expect(count).toBe(1);
});
