import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import type { RavelEvent } from '../../src/model/event.ts';
import type { RequestParams } from '../../src/model/protocol.ts';
import type { PhaseReport } from '../../src/model/requests/runs.ts';
import type { OwnerOrder } from '../fixtures/owner.ts';
import { bundleProgram } from './program.ts';
import { spawnProgram } from './spawnProgram.ts';
import type { World } from './world.ts';

const packageRoot = resolve(import.meta.dirname, '../..');

/** An owner of a vault in a process of its own, which runs one phase and may be killed meanwhile. */
export interface OwnerProcess {
  readonly pid: number;
  /** Events as they came; it grows. */
  readonly events: readonly RavelEvent[];
  /** Resolves with the first event that fits; rejects when the owner ended without one. */
  when(fits: (event: RavelEvent, index: number) => boolean): Promise<RavelEvent>;
  /** The phase's report; undefined when the owner was killed. */
  readonly ended: Promise<PhaseReport | undefined>;
  /** Most memory that it ever held, in MiB, as the last event told; Linux alone. */
  peakMebibytes(): number;
  /** SIGKILL; resolves once the process is gone. */
  kill(): Promise<void>;
}

/** Lets a process of its own run the next phase of the world's plan, or a run over cycles. Call it inside a test. */
export async function startOwner<Name extends 'run_phase' | 'run_cycle' = 'run_phase'>(
  world: Pick<World, 'vault' | 'environment' | 'plan'>,
  params: Omit<RequestParams<Name>, 'plan'>,
  request: Name | 'run_phase' = 'run_phase',
): Promise<OwnerProcess> {
  const program = await bundleProgram(join(packageRoot, 'test/fixtures/owner.ts'));
  const { vault, environment, plan } = world;
  const order: OwnerOrder = {
    ...{ vault, environment, packageRoot },
    request,
    params: { plan, ...params },
    printEvents: true,
  };
  const child = spawnProgram(process.execPath, [program, JSON.stringify(order)]);
  const closed = once(child, 'close');
  const { pid = 0, stdout } = child;
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await closed;
  });
  const events: RavelEvent[] = [];
  const waiting = new Set<() => void>();
  let report: PhaseReport | undefined;
  let peak = 0;
  const ended = read();
  return { pid, events, when, ended, peakMebibytes: () => peak, kill };

  async function read(): Promise<PhaseReport | undefined> {
    for await (const line of createInterface({ input: stdout })) {
      const told: { readonly event?: RavelEvent; readonly result?: PhaseReport } = JSON.parse(line);
      if (told.event !== undefined) events.push(told.event);
      if (told.result !== undefined) report = told.result;
      peak = Math.max(peak, readPeak(pid));
      for (const look of waiting) look();
    }
    await closed;
    return report;
  }

  function when(fits: (event: RavelEvent, index: number) => boolean): Promise<RavelEvent> {
    return new Promise((found, missed) => {
      const look = () => {
        const event = events.find(fits);
        if (event === undefined) return;
        waiting.delete(look);
        found(event);
      };
      waiting.add(look);
      look();
      ended.then(() => missed(new Error(`the owner ended before that: ${JSON.stringify(events.at(-1))}`)), missed);
    });
  }

  async function kill(): Promise<void> {
    child.kill('SIGKILL');
    await closed;
  }
}

/** 0 for a process that is gone. */
function readPeak(pid: number): number {
  try {
    return Number(/^VmHWM:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/**
 * Lets an owner in a process of its own answer one request, and ends it by a signal before one of its changes of the disk
 * where that is ordered. What it came to, and how many changes that took; undefined if the signal was sooner.
 */
export async function runOwner(
  program: string,
  { vault, environment }: Pick<World, 'vault' | 'environment'>,
  order: Pick<OwnerOrder, 'request' | 'params' | 'signal' | 'signalAt'>,
): Promise<{ readonly operations: number; readonly result: unknown } | undefined> {
  const whole: OwnerOrder = { vault, environment, packageRoot, ...order };
  const child = spawnProgram(process.execPath, [program, JSON.stringify(whole)]);
  const closed = once(child, 'close');
  let end: { operations: number; result: unknown } | undefined;
  for await (const line of createInterface({ input: child.stdout })) end = JSON.parse(line);
  await closed;
  return end;
}
