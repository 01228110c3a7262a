import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { expect } from 'vitest';
import type { RequestName } from '../../src/model/protocol.ts';
import type { OwnerOrder } from '../fixtures/owner.ts';
import { copyWorld } from './copyWorld.ts';
import type { CoreScene, CrashPlace, CrashScene, Found, MemoryPlace } from './crashPoints.ts';
import { MemoryDisk } from './memoryDisk.ts';
import { runOwner } from './ownerProcess.ts';
import { bundleProgram } from './program.ts';
import { createRandom } from './seededRandom.ts';
import type { World } from './world.ts';

const packageRoot = resolve(import.meta.dirname, '../..');
type Signal = NonNullable<OwnerOrder['signal']>;

/** The same for an owner in a process of its own. */
export interface SignalScene<Name extends RequestName> extends Omit<CoreScene<Name>, 'from' | 'atOnce'> {
  /** What ends the owner; each of the three unless told. */
  readonly signals?: readonly Signal[];
  /** How often each of them does, unless all points are asked for. */
  readonly samples?: number;
}

/** As a scene on a disk in memory looks: at a copy of what a real process has left there. */
export function lookInMemory(
  look: CrashScene<MemoryPlace>['look'],
  template: World,
  ...folders: readonly string[]
): CrashScene<CrashPlace>['look'] {
  return (place, point) =>
    look({ world: { ...template, ...place }, disk: MemoryDisk.copyOf(join(place.vault, '..'), ...folders) }, point);
}

/**
 * Ends a real process by a signal before some changes of its disk, each time from the start: at random ones, or before all
 * of them if `RAVEL_EVERY_CRASH` is set. No acknowledged effect may be lost, and none may happen twice. Resolves with what
 * the request comes to if nothing ends its owner.
 */
export async function someSignals<Name extends RequestName>(scene: SignalScene<Name>): Promise<unknown> {
  const { what, template, request, params, look, signals = ['SIGKILL', 'SIGTERM', 'SIGINT'], samples = 2 } = scene;
  const seed = Number(process.env['RAVEL_SEED'] ?? randomInt(1_000_000));
  const random = createRandom(seed);
  const program = await bundleProgram(join(packageRoot, 'test/fixtures/owner.ts'));
  const whole = await runOwner(program, await copyWorld(template, 'whole'), { request, params });
  const { operations = 0 } = whole ?? {};
  expect(operations, `${what} changes the disk`).toBeGreaterThan(0);
  const isEvery = process.env['RAVEL_EVERY_CRASH'] !== undefined;
  const points = signals.flatMap((signal) =>
    Array.from({ length: isEvery ? operations : samples }, (_, n) => ({
      signal,
      signalAt: isEvery ? n + 1 : 1 + random(operations),
    })),
  );
  const found: (Found & { readonly at: string })[] = [];
  for (const { signal, signalAt } of points) {
    const place = await copyWorld(template, `${signal}-${signalAt}-${found.length}`);
    const told = await runOwner(program, place, { request, params, signalAt, signal });
    const at = `${signal} before change ${signalAt}`;
    const state = await look(place, { cut: signalAt, isTold: told?.result !== undefined }).catch((cause: unknown) => {
      throw new Error(`RAVEL_SEED=${seed}, after ${at} of ${what}: ${String(cause)}`, { cause });
    });
    found.push({ ...state, at });
    await rm(join(place.vault, '..'), { recursive: true, force: true });
  }
  const lost = found.filter(({ isOwed, times }) => isOwed && times === 0).map(({ at }) => at);
  const doubled = found.filter(({ times }) => times > 1).map(({ at }) => at);
  console.log(
    `crash points: ${what}, by ${signals.join(', ')}: tried ${found.length}, lost ${lost.length}, doubled ${doubled.length} (seed ${seed})`,
  );
  expect({ lost, doubled }, `RAVEL_SEED=${seed}, signals during ${what}`).toEqual({ lost: [], doubled: [] });
  expect(found).toHaveLength(points.length);
  return whole?.result;
}
