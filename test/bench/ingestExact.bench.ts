import { exactnessOf, IngestionSimulation, type Taught } from '../support/ingestionSimulation.ts';
import { createRandom } from '../support/seededRandom.ts';
import { type Bench, type BenchRow, sized } from './bench.ts';

const subjects = ['rust', 'testing', 'storage', 'gardening'];

/** Random cycles of three plans whose owners die at random changes of the disk. */
async function ingestExact(): Promise<BenchRow> {
  const seed = Number(process.env['RAVEL_SEED'] ?? 20_261_126);
  const random = createRandom(seed);
  const cycles = sized(1000, 40);
  const projects = Array.from({ length: 10 }, (_, at) => `project-${at}`);
  const simulation = new IngestionSimulation(random, projects);
  await simulation.begin();
  const proven = new Map<string, Set<string>>();
  let deaths = 0;
  for (let cycle = 0; cycle < cycles; cycle += 1) {
    const { id: plan } = simulation.plans[random(simulation.plans.length)] ?? { id: '' as never };
    const taught = Array.from({ length: 1 + random(3) }, (): Taught => {
      const number = random(150);
      const others = number % 3 === 0 ? ` and ${subjects[(number + 1) % subjects.length]}` : '';
      const title = `About ${subjects[number % subjects.length]}${others}, statement ${number}`;
      return {
        title,
        body: `What number ${number} says holds, and its measure is ${number * 7}.`,
        isProven: random(4) > 0,
      };
    }).filter(({ title }, at, all) => all.findIndex((one) => one.title === title) === at);
    const titles = proven.get(plan) ?? new Set();
    proven.set(plan, titles);
    for (const { title, isProven } of taught) if (isProven) titles.add(title);
    await simulation.teach(plan, taught);
    // At most three owners die in a row; the next one comes to its end.
    for (let owners = 0; owners < 3 && random(2) === 0; owners += 1) {
      if (await simulation.own(plan, 1 + random(40))) deaths += 1;
    }
    await simulation.own(plan);
  }
  const { proven: count, lost, doubled, foreign, ends } = await exactnessOf(simulation, proven);
  const wrong = lost.length + doubled.length + foreign.length;
  return {
    id: 'ingest-exact',
    value: wrong,
    unit: 'statements lost, doubled or not proven',
    goal: '0; each proven statement of a plan is taken in once, and no other',
    ok: wrong === 0,
    note: [
      `${cycles} cycles of ${simulation.plans.length} plans, ${deaths} owners died at a change of the disk, ${count} statements proven`,
      [...ends].map(([end, several]) => `${several} ${end}`).join(', '),
      `lost ${lost.length}, doubled ${doubled.length}, not proven ${foreign.length}, seed ${seed}`,
      ...[...lost, ...doubled, ...foreign].slice(0, 5),
    ].join('; '),
  };
}

export const benches: readonly Bench[] = [{ id: 'ingest-exact', run: ingestExact }];
