import { randomInt } from 'node:crypto';
import { rename, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { expect } from 'vitest';
import { settleAll } from '../../src/base/async.ts';
import { Semaphore } from '../../src/base/semaphore.ts';
import type { Core } from '../../src/core.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import type { RequestName, RequestParams } from '../../src/model/protocol.ts';
import { copyFolder, copyWorld } from './copyWorld.ts';
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

/** A place as it was at a moment. */
export interface KeptPlace {
  /** Puts it where the place stood; what stood there is gone. */
  putBack(): Promise<void>;
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
  /**
   * Keeps the place as it is now, and later puts it back where it stood; undefined while something other than the owner is
   * at work in it. Only for a place that a copy stands for in all that the next owner looks at.
   */
  readonly keep?: (place: Place, cut: number) => KeptPlace | undefined;
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
    keep({ vault }, cut) {
      const root = join(vault, '..');
      // A session outlives its owner, and a copy has none.
      return inProcessSessions.hasBelow(root) ? undefined : keepFolder(root, `${root}-${cut}`);
    },
    async remove({ vault }) {
      await inProcessSessions.endBelow(join(vault, '..'));
      await rm(join(vault, '..'), { recursive: true, force: true });
    },
  };
}

function keepFolder(folder: string, copy: string): KeptPlace {
  copyFolder(folder, copy);
  return {
    async putBack() {
      await rm(folder, { recursive: true, force: true });
      await rename(copy, folder);
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
 *
 * Where a place can be kept, one owner lives to its end and leaves a copy of each moment; only at the others an owner of
 * its own dies.
 */
export async function everyCrashPoint<Place>(scene: CrashScene<Place>): Promise<CrashPoints> {
  const found = new Map<number, readonly Found[]>();
  const seed = Number(process.env['RAVEL_SEED'] ?? randomInt(1_000_000));
  const kept = scene.keep === undefined || isEvery ? undefined : await keepMoments(scene, seed);
  let next = 1;
  let isOver = false;
  const cuts = kept?.others;
  const tryOn = async () => {
    while (!isOver) {
      const cut = cuts === undefined ? next++ : cuts.shift();
      if (cut === undefined) return;
      expect(cut, `${scene.what} never comes to its end`).toBeLessThan(pointsMax);
      const { hasDied, states } = await tryPoint(scene, cut, seed);
      if (hasDied) found.set(cut, states);
      else isOver = true;
    }
  };
  const lookOn = async () => {
    for (const [cut, states] of (await kept?.lookAtAll()) ?? []) found.set(cut, states);
  };
  const lanes = (scene.atOnce ?? usualAtOnce) - (kept === undefined ? 0 : 1);
  const trying = [lookOn(), ...Array.from({ length: lanes }, tryOn)].map((lane) =>
    lane.catch((error: unknown) => {
      isOver = true;
      throw error;
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
    throw failureAt({ scene, cut, seed, death }, cause);
  } finally {
    await scene.remove?.(place);
  }
}

function failureAt(
  { scene, cut, seed, death }: { scene: { what: string }; cut: number; seed: number; death: string },
  cause: unknown,
): Error {
  const where = `RAVEL_SEED=${seed}, crash point ${cut} of ${scene.what}, where ${death}`;
  return new Error(`${where}: ${String(cause)}`, { cause });
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

interface KeptMoments {
  /** Moments at which no copy stands for the place; an owner has to die at each of them. */
  readonly others: number[];
  /** Lets the next owner look at each copy, and at the end. */
  lookAtAll(): Promise<ReadonlyMap<number, readonly Found[]>>;
}

/** Lets an owner live to its end, and keeps the place of each moment. Its changes happen one after the other. */
async function keepMoments<Place>(scene: CrashScene<Place>, seed: number): Promise<KeptMoments> {
  const place = await scene.make('kept');
  const kept = new Map<number, { readonly copy: KeptPlace; readonly isTold: boolean; readonly death: string }>();
  const others: number[] = [];
  const turns = new Semaphore(1);
  let moments: number | undefined;
  let changing = 0;
  let isTold = false;
  const keep = (what: string, isAtRest: boolean): void => {
    if (moments === undefined) return;
    moments++;
    const copy = isAtRest ? scene.keep?.(place, moments) : undefined;
    if (copy === undefined) others.push(moments);
    else kept.set(moments, { copy, isTold, death: `it died before ${what}` });
  };
  const life: Life = new Life({
    during: (name, work, path) => (changes.has(name) ? inTurn(`${name} of ${basename(path)}`, work) : undefined),
    beforeProgram: (program, args) => {
      if (isReading(program, args)) return;
      keep(`the start of ${basename(program)} ${args.slice(0, 6).join(' ')}`, changing === 0 && !life.hasPrograms);
    },
  });
  const inTurn = async (what: string, work: () => Promise<unknown>): Promise<unknown> => {
    const turn = await turns.acquire();
    try {
      await life.programsEnded();
      keep(what, !life.hasPrograms);
      changing++;
      return await work();
    } finally {
      changing--;
      turn.dispose();
    }
  };
  const begin = () => {
    moments = 0;
  };
  const tell = () => {
    isTold = true;
  };
  await scene.run(place, { life, begin, tell });
  life.end();
  await life.quiet();
  const end = { cut: (moments ?? 0) + 1, isTold };
  return {
    others,
    async lookAtAll() {
      const found = new Map<number, readonly Found[]>();
      try {
        await scene.look(place, end);
        for (const [cut, { copy, isTold: wasTold, death }] of kept) {
          await copy.putBack();
          const state = await scene.look(place, { cut, isTold: wasTold }).catch((cause: unknown) => {
            throw failureAt({ scene, cut, seed, death }, cause);
          });
          found.set(cut, [state]);
        }
        return found;
      } finally {
        await scene.remove?.(place);
      }
    },
  };
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
