import { spawn } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { createDeferred, type Deferred } from '../../src/base/async.ts';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import type { Disposable } from '../../src/base/disposable.ts';
import { OutputHead, type OutputSink } from '../../src/base/processOutput.ts';
import { type ProcessEnd, type ProcessJob, runProcess } from '../../src/base/runProcess.ts';
import { ManualClock } from '../support/manualClock.ts';

/** The clock of the system, and how many of its timers were neither fired nor disposed of. */
class CountedClock implements Clock {
  pending = 0;
  readonly wallMs = systemClock.wallMs;
  readonly monotonicMs = systemClock.monotonicMs;

  schedule(delayMs: number, callback: () => void): Disposable {
    let isPending = true;
    this.pending++;
    const settle = () => {
      if (isPending) this.pending--;
      isPending = false;
    };
    const timer = systemClock.schedule(delayMs, () => {
      settle();
      callback();
    });
    return {
      dispose() {
        settle();
        timer.dispose();
      },
    };
  }
}

/** `done` resolves once a process has printed `text`. */
function printed(text: string) {
  const done = createDeferred<void>();
  const head = new OutputHead(1_000, 'drop');
  const sink: OutputSink = {
    push(chunk) {
      head.push(chunk);
      if (head.bytes.includes(text)) done.resolve();
      return 'more';
    },
  };
  return { sink, done: done.promise, text: () => head.bytes.toString() };
}

/** A clock that the test moves, and a promise of the moment in which something is scheduled `delayMs` ahead. */
class WatchedClock extends ManualClock {
  readonly #scheduled = new Map<number, Deferred<void>>();

  scheduledAfter(delayMs: number): Promise<void> {
    return this.#of(delayMs).promise;
  }

  override schedule(delayMs: number, callback: () => void): Disposable {
    const timer = super.schedule(delayMs, callback);
    this.#of(delayMs).resolve();
    return timer;
  }

  #of(delayMs: number): Deferred<void> {
    const known = this.#scheduled.get(delayMs) ?? createDeferred<void>();
    this.#scheduled.set(delayMs, known);
    return known;
  }
}

/** How long the output of a process that is gone is waited for. */
const drainMs = 1_000;

interface Case extends Partial<Omit<ProcessJob, 'program' | 'args'>> {
  readonly clock?: Clock;
  readonly stop?: AbortSignal;
}

async function run(script: string, { clock = systemClock, stop, ...job }: Case = {}): Promise<ProcessEnd> {
  const environment = { PATH: process.env['PATH'] ?? '' };
  const whole = { program: '/bin/sh', args: ['-c', script], environment, stdout: new OutputHead(1_000, 'drop') };
  return runProcess({ ...whole, timeoutMs: 60_000, ...job }, { clock, spawn }, stop);
}

describe('a process', () => {
  test('that exits by itself has its code, its output, and what it was given to read', async () => {
    const [stdout, stderr] = [new OutputHead(100, 'end'), new OutputHead(100, 'end')];
    const end = await run('cat; echo aside >&2; exit 7', { stdin: 'given', stdout, stderr });
    expect(end).toEqual({ cause: 'exited', code: 7 });
    expect([stdout.bytes.toString(), stderr.bytes.toString()]).toEqual(['given', 'aside\n']);
  });

  test('that ends without reading is not a failure', async () => {
    expect(await run('exit 0', { stdin: 'x'.repeat(1_000_000) })).toEqual({ cause: 'exited', code: 0 });
  });

  test('that a signal ends has no code', async () => {
    expect(await run('kill -9 $$')).toEqual({ cause: 'exited', code: undefined });
  });

  test('that cannot be started says why', async () => {
    const job = { program: '/nowhere/at/all', args: [], environment: {}, timeoutMs: 60_000 };
    const end = await runProcess({ ...job, stdout: new OutputHead(1, 'drop') }, { clock: systemClock, spawn });
    expect(end).toMatchObject({ cause: 'notStarted', error: { code: 'ENOENT' } });
  });

  test('does not begin after it was stopped', async () => {
    const never = () => {
      throw new Error('was started');
    };
    const job = { program: '/bin/sh', args: [], environment: {}, timeoutMs: 1, stdout: new OutputHead(1, 'drop') };
    const end = await runProcess(job, { clock: systemClock, spawn: never }, AbortSignal.abort());
    expect(end).toEqual({ cause: 'stopped', code: undefined });
  });

  test('that prints enough is ended, and its output is cut there', async () => {
    const stdout = new OutputHead(5, 'end');
    const end = await run('trap "" TERM; echo abcdefgh; while :; do sleep 600; done', { stdout });
    expect(end).toEqual({ cause: 'enoughOutput', code: undefined });
    expect(stdout.bytes.toString()).toBe('abcde');
  });

  test('that printed too much just before it exits has printed enough all the same', async () => {
    const end = await run('echo abcdefgh', { stdout: new OutputHead(5, 'end') });
    expect(end.cause).toBe('enoughOutput');
  });

  test('is ended with its whole group when it is stopped', async () => {
    const controller = new AbortController();
    const { sink, done } = printed('ready');
    const ending = run('sleep 600 & echo ready; wait', { stdout: sink, stop: controller.signal });
    await done;
    controller.abort();
    // Its output is at its end only once the sleeper is gone, too.
    expect(await ending).toEqual({ cause: 'stopped', code: undefined });
  });
});

describe('when its time is up, a process', () => {
  test('is killed at once unless it has a grace', async () => {
    const clock = new ManualClock();
    const { sink, done } = printed('ready');
    const ending = run('trap "exit 3" TERM; echo ready; sleep 600 & wait', { clock, stdout: sink, timeoutMs: 100 });
    await done;
    clock.advance(100);
    expect(await ending).toEqual({ cause: 'timedOut', code: undefined });
  });

  test('can put things in order in its grace', async () => {
    const clock = new WatchedClock();
    const { sink, done } = printed('ready');
    const job = { clock, stdout: sink, timeoutMs: 100, graceMs: 500 };
    const ending = run('trap "exit 3" TERM; echo ready; sleep 600 & wait', job);
    await done;
    clock.advance(100);
    // It is gone, and what it started still holds its output.
    await clock.scheduledAfter(drainMs);
    clock.advance(500);
    expect(await ending).toEqual({ cause: 'timedOut', code: 3 });
  });

  test('stays timed out, even if it is stopped afterwards', async () => {
    const clock = new WatchedClock();
    const controller = new AbortController();
    const { sink, done } = printed('ready');
    const job = { clock, stdout: sink, timeoutMs: 100, graceMs: 500, stop: controller.signal };
    const ending = run('trap "" TERM; echo ready; while :; do sleep 600; done', job);
    await done;
    clock.advance(100);
    controller.abort();
    await clock.scheduledAfter(500);
    clock.advance(500);
    expect(await ending).toEqual({ cause: 'timedOut', code: undefined });
  });
});

describe('what a process leaves in its group', () => {
  const isRunning = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  test('is left alone, and its hold of the output lasts a second', async () => {
    const clock = new WatchedClock();
    const { sink, done, text } = printed('\n');
    const ending = run('sleep 600 & echo $!', { clock, stdout: sink });
    await Promise.all([done, clock.scheduledAfter(drainMs)]);
    clock.advance(drainMs);
    expect(await ending).toEqual({ cause: 'exited', code: 0 });
    const sleeper = Number(text());
    expect(isRunning(sleeper)).toBe(true);
    process.kill(sleeper, 'SIGKILL');
  });

  test('is killed on request', async () => {
    // The pipe is at its end only once the sleeper, which holds it, is gone.
    const watch = spawn('/bin/sh', ['-c', 'cat <&3; echo over'], { stdio: ['ignore', 'pipe', 'ignore', 'pipe'] });
    const over = createDeferred<void>();
    watch.stdout?.on('data', () => over.resolve());
    const [, , , pipe] = watch.stdio;
    const handle: unknown = pipe === null || pipe === undefined ? undefined : Reflect.get(pipe, '_handle');
    const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
    if (typeof descriptor !== 'number') throw new Error('the pipe has no descriptor');
    const end = await run('sleep 600 >/dev/null & exit 0', { descriptors: [descriptor], killsRest: true });
    expect(end).toEqual({ cause: 'exited', code: 0 });
    if (pipe !== null && pipe !== undefined) pipe.destroy();
    await over.promise;
  });
});

test.each([
  ['exited', 'exit 0', {}],
  ['timedOut', 'sleep 600', { timeoutMs: 50, graceMs: 10 }],
  ['enoughOutput', 'yes', { stdout: new OutputHead(5, 'end') }],
] as const)('no timer is left after an end for which the cause is "%s"', async (cause, script, job) => {
  const clock = new CountedClock();
  const end = await run(script, { clock, ...job });
  expect([end.cause, clock.pending]).toEqual([cause, 0]);
});
