import { snapshotFiles } from '../../src/housekeeping/snapshots/snapshots.ts';
import { makePlanWorld, type PlanWorld } from './planServices.ts';
import { randomState, type StateTexts } from './randomState.ts';
import { createRandom, type Random } from './seededRandom.ts';

export interface MadeStates {
  readonly world: PlanWorld;
  /** In the order of their commits, whose titles are `State 0` and so on. */
  readonly states: readonly StateTexts[];
  readonly random: Random;
}

/** A plan whose repository has this many random states of it, each in a commit. */
export async function makeStates({
  count,
  seed,
}: {
  readonly count: number;
  readonly seed: number;
}): Promise<MadeStates> {
  const random = createRandom(seed);
  const world = await makePlanWorld({ source: { 'README.md': '# Demo\n' } });
  const states: StateTexts[] = [];
  for (let n = 0; n < count; n++) {
    for (const [file, text] of Object.entries(randomState(random, n))) {
      if (text !== undefined) world.writePlan(file, text);
      else if (world.planText(file) !== undefined) world.removePlan(file);
    }
    await world.git('add', '--all');
    await world.git('commit', '--quiet', '--allow-empty', `--message=State ${n}`);
    states.push(snapshotTexts(world));
  }
  return { world, states, random };
}

/** The files of the root plan that a snapshot has, as they are now. */
export function snapshotTexts(world: PlanWorld): StateTexts {
  return Object.fromEntries(snapshotFiles.map((file) => [file, world.planText(file)]));
}
