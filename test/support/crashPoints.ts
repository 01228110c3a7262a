import { randomInt } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { settleAll } from '../../src/base/async.ts';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { RequestName, RequestParams } from '../../src/model/protocol.ts';
import { copyWorld } from './copyWorld.ts';
import { inProcessSessions } from './inProcessSessions.ts';
import { Life } from './life.ts';
import { MemoryDisk } from './memoryDisk.ts';
import { openCore } from './openCore.ts';
import { onFirst } from './scenarioRuns.ts';
import { diskChanges } from './tracingDisk.ts';
import type { World } from './world.ts';

export type CrashPlace = Awaited<ReturnType<typeof copyWorld>>;

/** What the next owner found and made of what a dead one left. */
export interface Found {
  /** A word for the state, of which a scene has few. */
  readonly end: string;
  /** How often the effect of the request stands in the world. */
  readonly times: number;
  /** Whether the dead owner had accepted the request, or told of its effect, so that it must stand there. */
  readonly isOwed: boolean;
}

/** A dead owner to be: what it does and when, as the test counts. */
export interface Dying {
  readonly life: Life;
  /** From here on its moments count. */
  begin(): void;
  /** What was asked for is told: it must hold from here on. */
  tell(): void;
}

export interface CrashScene<Place> {
  /** What the owner is asked for, as a noun. */
  readonly what: string;
  /** A world of its own for each point, which stands right before the request. */
  readonly make: (name: string) => Promise<Place>;
  /** An owner from its start to its end. */
  readonly run: (place: Place, dying: Dying) => Promise<void>;
  /** Opens the next owner, lets it come to rest, and looks; throws at a state that must not be. */
  readonly look: (place: Place, point: { readonly cut: number; readonly isTold: boolean }) => Promise<Found>;
  readonly remove?: (place: Place) => Promise<void>;
  /** The place as it is after a power cut, where the power goes with the owner; the seed says what that loses. */
  readonly afterPowerCut?: (place: Place, seed: number) => Place;
  /** How many worlds are tried at once. */
  readonly atOnce?: number;
}

/** A request to an owner of a copied world. */
export interface CoreScene<Name extends RequestName> extends Pick<CrashScene<CrashPlace>, 'what' | 'look' | 'atOnce'> {
  readonly template: World;
  readonly request: Name;
  readonly params: RequestParams<Name>;
  /** What the counting waits for; without it for nothing. Moments before it are tried where all are asked for. */
  readonly from?: (event: RavelEvent) => boolean;
}

/** The same scene, each time with another copy of its world; what counts is the request and the owner's stop after it. */
export function sceneOf<Name extends RequestName>(scene: CoreScene<Name>): CrashScene<CrashPlace> {
  const { template, request, params, from, ...rest } = scene;
  return {
    ...rest,
    make: (name) => copyWorld(template, name),
    async run(place, { life, begin, tell }) {
      // A verification in the background would change the disk between the changes that are counted, at any of them.
      const core = await openCore(place, { life, verifiesItself: true });
      if (from === undefined || isEvery) begin();
      else onFirst(core, from, begin);
      await core.api.request(request, params);
      tell();
      await core.stop();
    },
    async remove({ vault }) {
      await inProcessSessions.endBelow(join(vault, '..'));
      await rm(join(vault, '..'), { recursive: true, force: true });
    },
  };
}

/** A world on a disk in memory, under the paths of the real one, which stays as it is; git sees the real one. */
export interface MemoryPlace {
  readonly world: World;
  readonly disk: MemoryDisk;
}

export interface MemoryScene extends Pick<CrashScene<MemoryPlace>, 'what' | 'look'> {
  readonly template: World;
  /** Folders elsewhere that it reads. */
  readonly folders?: readonly string[];
  readonly act: (core: Core, place: MemoryPlace) => Promise<unknown>;
}

/** As `sceneOf`, for a request that changes nothing by git: many times as fast, and its power can be cut. */
export function memorySceneOf({ template, folders = [], act, ...scene }: MemoryScene): CrashScene<MemoryPlace> {
  return {
    ...scene,
    make: async () => ({ world: template, disk: MemoryDisk.copyOf(template.root, ...folders) }),
    async run(place, { life, begin, tell }) {
      const core = await openCore(place.world, { life, disk: place.disk, verifiesItself: true });
      begin();
      await act(core, place);
      tell();
      await core.stop();
    },
  };
}

/** Cuts the power at each point too, in a few ways. */
export function withPowerCuts(scene: CrashScene<MemoryPlace>): CrashScene<MemoryPlace> {
  return {
    ...scene,
    what: `${scene.what}, by the power`,
    afterPowerCut: ({ world, disk }, seed) => ({ world, disk: disk.afterPowerCut(seed) }),
  };
}

export interface CrashPoints {
  readonly tried: number;
  /** How the points ended, in the order in which they come. */
  readonly ends: readonly string[];
}

const pointsMax = 3000;
const usualAtOnce = 3;
/** In how many ways the power is cut at each point. */
const cutsOfPower = 4;

/**
 * Lets the owner die at every moment at which its death leaves another world: before each change of the disk, and before
 * each program that it starts to change something. The next owner takes over what that left. No acknowledged effect may be
 * lost, and none may happen twice.
 */
export async function everyCrashPoint<Place>(scene: CrashScene<Place>): Promise<CrashPoints> {
  const found = new Map<number, readonly Found[]>();
  const seed = Number(process.env['RAVEL_SEED'] ?? randomInt(1_000_000));
  let next = 1;
  let isOver = false;
  const tryOn = async () => {
    while (!isOver) {
      const cut = next++;
      expect(cut, `${scene.what} never comes to its end`).toBeLessThan(pointsMax);
      const { hasDied, states } = await tryPoint(scene, cut, seed);
      if (hasDied) found.set(cut, states);
      else isOver = true;
    }
  };
  const trying = Array.from({ length: scene.atOnce ?? usualAtOnce }, () =>
    tryOn().finally(() => {
      isOver = true;
    }),
  );
  // Also after a failure the others come to their end before their worlds are removed.
  await settleAll(trying);
  const sorted = [...found].sort(([a], [b]) => a - b);
  const points = sorted.flatMap(([cut, states]) => states.map((state) => [cut, state] as const));
  const lost = points.flatMap(([cut, { isOwed, times }]) => (isOwed && times === 0 ? [cut] : []));
  const doubled = points.flatMap(([cut, { times }]) => (times > 1 ? [cut] : []));
  console.log(`crash points: ${scene.what}: tried ${points.length}, lost ${lost.length}, doubled ${doubled.length}`);
  expect({ lost, doubled }, `RAVEL_SEED=${seed}, crash points of ${scene.what}`).toEqual({ lost: [], doubled: [] });
  return { tried: points.length, ends: points.map(([, { end }]) => end) };
}

async function tryPoint<Place>(
  scene: CrashScene<Place>,
  cut: number,
  seed: number,
): Promise<{ readonly states: readonly Found[]; readonly hasDied: boolean }> {
  const place = await scene.make(`cut-${cut}`);
  const { afterPowerCut: cutPower } = scene;
  let death = 'it came to its end';
  try {
    const { isTold, diedAt } = await runUntil((dying) => scene.run(place, dying), cut, cutPower !== undefined);
    const hasDied = diedAt !== undefined;
    if (hasDied) death = `it died before ${diedAt}`;
    if (cutPower === undefined) return { states: [await scene.look(place, { cut, isTold })], hasDied };
    const states: Found[] = [];
    for (let n = 0; n < cutsOfPower; n++) states.push(await scene.look(cutPower(place, seed + n), { cut, isTold }));
    return { states, hasDied };
  } catch (cause) {
    const where = `RAVEL_SEED=${seed}, crash point ${cut} of ${scene.what}, where ${death}`;
    throw new Error(`${where}: ${String(cause)}`, { cause });
  } finally {
    await scene.remove?.(place);
  }
}

/** Runs an owner that dies at its n-th moment. */
async function runUntil(
  run: (dying: Dying) => Promise<void>,
  cut: number,
  isPowerCut = false,
): Promise<{ readonly isTold: boolean; readonly diedAt?: string }> {
  let left = Number.POSITIVE_INFINITY;
  let diedAt: string | undefined;
  let isTold = false;
  const count = (what: string): void => {
    left--;
    if (left > 0) return;
    diedAt = what;
    life.end();
  };
  const life = new Life({
    beforeOperation: (name, path) => {
      if (changes.has(name) || (isPowerCut && syncs.has(name))) count(`${name} of ${basename(path)}`);
    },
    beforeProgram: (program, args) => {
      if (!isReading(program, args)) count(`the start of ${basename(program)} ${args.slice(0, 6).join(' ')}`);
    },
  });
  const died = new Promise<void>((resolve) => life.onEnd(resolve));
  const running = run({
    life,
    begin: () => {
      left = cut;
    },
    tell: () => {
      isTold = true;
    },
  });
  await Promise.race([running, died]);
  if (diedAt === undefined) return { isTold };
  await life.programsEnded();
  await life.quiet();
  return { isTold, diedAt };
}

/** What a sync changes shows after a power cut alone, not after the death of a process. */
const syncs: ReadonlySet<string> = new Set(['file.sync', 'syncDirectory']);
const isEvery = process.env['RAVEL_EVERY_CRASH'] !== undefined;

/** A file that is made is a change as well. */
const changes: ReadonlySet<string> = new Set([
  ...[...diskChanges].filter((name) => isEvery || !syncs.has(name)),
  'create',
]);

const readingCommands = new Set([
  ...['cat-file', 'check-ignore', 'diff', 'diff-files', 'diff-index', 'diff-tree', 'for-each-ref', 'log', 'ls-files'],
  ...['ls-tree', 'merge-base', 'rev-list', 'rev-parse', 'show', 'show-ref', 'status', 'var', 'version'],
]);

function isReading(program: string, args: readonly string[]): boolean {
  if (program !== 'git') return false;
  let at = 0;
  while (args[at]?.startsWith('-') === true) at += args[at] === '-c' ? 2 : 1;
  return readingCommands.has(args[at] ?? '') || args.includes('--get') || args.includes('--list');
}
