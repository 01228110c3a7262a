import { expect, test } from 'vitest';
import { exactnessOf, IngestionSimulation, type Taught } from '../support/ingestionSimulation.ts';
import { createRandom } from '../support/seededRandom.ts';

const taught: readonly Taught[] = [
  { title: 'Rust tests need a runtime', body: 'Each Rust test makes a runtime of its own.', isProven: true },
  { title: 'Storage is synced', body: 'The storage syncs its folder after a rename.', isProven: true },
  { title: 'A garden needs water', body: 'Nobody is concerned with gardens.', isProven: true },
  { title: 'Testing is quick', body: 'Nothing proves how quick testing is.', isProven: false },
];
const proven = taught.filter(({ isProven }) => isProven).map(({ title }) => title);

/** Two projects prove the same; the owner dies while it takes in what the second one did. Returns whether it died. */
async function tryPoint(cut: number, powerSeed: number | undefined): Promise<boolean> {
  const simulation = new IngestionSimulation(createRandom(7), ['one', 'two']);
  const [one, two] = simulation.plans.map(({ id }) => id);
  if (one === undefined || two === undefined) throw new Error('there are two plans');
  await simulation.begin();
  await simulation.teach(one, taught);
  await simulation.own(one);
  await simulation.teach(two, taught);
  const hasDied = await simulation.own(two, cut);
  if (powerSeed !== undefined) simulation.cutPower(powerSeed);
  await simulation.own(two);
  const all = new Map([one, two].map((plan) => [plan, new Set(proven)]));
  expect(await exactnessOf(simulation, all), `cut ${cut}, power ${powerSeed}`).toMatchObject({
    ...{ proven: 6, lost: [], doubled: [], foreign: [] },
  });
  return hasDied;
}

test.each([
  ['dies', [undefined]],
  ['loses power', [1, 2]],
] as const)('what a plan proved is taken in once, whenever the owner %s', async (_how, seeds) => {
  let tried = 0;
  for (let cut = 1, isOver = false; !isOver; cut += 1) {
    for (const seed of seeds) {
      isOver = !(await tryPoint(cut, seed));
      tried += 1;
    }
  }
  console.log(`crash points: an ingestion: tried ${tried}`);
  expect(tried).toBeGreaterThan(50);
});
