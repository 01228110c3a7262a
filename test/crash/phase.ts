import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { startServer } from '../../src/server/server.ts';
import type { OwnerOrder } from '../fixtures/owner.ts';
import { copyWorld } from '../support/copyWorld.ts';
import { openCore } from '../support/openCore.ts';
import { bundleProgram } from '../support/program.ts';
import { makeWorld } from '../support/world.ts';

const packageRoot = resolve(import.meta.dirname, '../..');

const scenario = `version: 1
phases:
  reflect:
    - call: memory_add
      with: { title: Learned, body: Something. }
    - finish: { outcome: done, summary: Learned something. }
`;

const memoryBefore = 'entries: [] # nothing yet\n';

/** Ends the owner by this signal before every change of the disk during a phase, each time from the start. */
export function describeCrashes(signal: NonNullable<OwnerOrder['signal']>): void {
  test(`the owner gets ${signal} before every change of the disk during a phase`, { timeout: 1_200_000 }, async () => {
    const template = await makeWorld({
      scenario,
      plan: { 'memory.yaml': memoryBefore, 'phase.md': 'reflect\n' },
    });
    const owner = await bundleProgram(resolve(packageRoot, 'test/fixtures/owner.ts'));
    const whole = await runOwner(owner, await copyWorld(template, 'whole'), {});
    expect(whole.report?.end).toBe('finished');

    const ends = new Map<string, number>();
    let tried = 0;
    for (let signalAt = 1; ; signalAt++) {
      const world = await copyWorld(template, `${signal}-${signalAt}`);
      const run = await runOwner(owner, world, { signalAt, signal });
      // The whole run had fewer changes than this: every one of them was tried.
      if (run.operations !== undefined && run.operations < signalAt) break;
      const end = await endStateAfterRestart(world).catch((error: unknown) => {
        throw new Error(`after ${signal} before change ${signalAt}: ${error}`, { cause: error });
      });
      ends.set(end, (ends.get(end) ?? 0) + 1);
      tried++;
      await rm(join(world.vault, '..'), { recursive: true, force: true });
    }
    expect(tried).toBeGreaterThan(100);
    // Early ends leave the state before, late ones the state after; a run that tried them all has seen both.
    expect([...ends.keys()].sort()).toEqual(['after', 'before']);
  });
}

type Place = Awaited<ReturnType<typeof copyWorld>>;

interface OwnerRun {
  readonly operations?: number;
  readonly report?: { readonly end: string };
}

async function runOwner(
  program: string,
  place: Place,
  signal: Pick<OwnerOrder, 'signal' | 'signalAt'>,
): Promise<OwnerRun> {
  const order: OwnerOrder = {
    vault: place.vault,
    environment: place.environment,
    packageRoot,
    request: 'run_phase',
    params: { plan: place.plan, harness: 'scripted', scenario: place.scenario },
    ...signal,
  };
  const child = spawn(process.execPath, [program, JSON.stringify(order)], { stdio: ['ignore', 'pipe', 'inherit'] });
  const closed = once(child, 'close');
  let run: OwnerRun = {};
  for await (const line of createInterface({ input: child.stdout })) {
    const told: { operations: number; result: { end: string } } = JSON.parse(line);
    run = { operations: told.operations, report: told.result };
  }
  await closed;
  return run;
}

/** Starts a new owner, waits until nothing goes on any more, and says which state the plan is in; throws at a third one. */
async function endStateAfterRestart(place: Place): Promise<'before' | 'after'> {
  const core = await openCore(place);
  const { api, socketPath } = core;
  const server = await startServer({ api, socketPath, disk: nodeDisk, clock: systemClock, log: silentLogger });
  try {
    await settled(core.api, place);
    return await endState(core.api, place);
  } finally {
    await server.stop();
    await core.stop();
  }
}

type Api = Awaited<ReturnType<typeof openCore>>['api'];

/** Resolves once what goes on after a recovery has ended, which the ledger's last line says. */
async function settled(api: Api, place: Place): Promise<void> {
  const ended = new Promise<void>((done) => {
    api.onEvent((event) => {
      if (event.type === 'recovered' && event.outcome !== 'readopted') done();
    });
  });
  if ((await ledgerOutcomes(place)).at(-1) === 'readopted') await ended;
}

async function ledgerOutcomes(place: Place): Promise<string[]> {
  const ledger = await readFile(join(place.vault, 'runtime/ledger.jsonl'), 'utf8');
  return ledger
    .split('\n')
    .filter((line) => line !== '')
    .map((line): string => JSON.parse(line).outcome);
}

async function endState(api: Api, place: Place): Promise<'before' | 'after'> {
  const status = await api.request('status', { plan: place.plan });
  const directory = join(place.project, 'ravel/project-root');
  const memory = await readFile(join(directory, 'memory.yaml'), 'utf8');
  const phase = await readFile(join(directory, 'phase.md'), 'utf8');
  const outcomes = await ledgerOutcomes(place);
  if (phase === 'reflect\n') {
    expect(memory).toBe(memoryBefore);
    if (status.interrupted !== undefined) expect(outcomes).toContain('interrupted');
    return 'before';
  }
  expect(phase).toBe('triage\n');
  expect(memory).toContain('id: learned');
  expect(memory.match(/- id:/g)).toHaveLength(1);
  expect(status.interrupted).toBeUndefined();
  expect(status.waiting).toBeUndefined();
  return 'after';
}
