import { join } from 'node:path';
import { figuresOf, type LearningRun, playMessages, reachOf } from '../support/learningCurve.ts';
import { loadRoutingCorpus, shuffled } from '../support/routingCorpus.ts';
import { type Bench, type BenchRow, round } from './bench.ts';

const corpus = loadRoutingCorpus(join(process.cwd(), 'test', 'fixtures', 'routing', '/'));
/**
 * The order that is told of; the others show how much of a figure is the order. Whatever is tried out is chosen by the orders
 * 1 to 3, so that none of these was fitted.
 */
const headline = 11;
const others = [12, 13, 14, 15];
/** Messages before the goals hold. */
const learned = 200;
const windowSize = 50;
const goals = { free: 0.8, right: 0.97 };

/** As the settings are: `routing.margin`, and the least score that leads. */
const scores = { margin: 0.2, least: 0.4 };

function play(seed: number, isScored: boolean): LearningRun {
  return playMessages({
    places: corpus.places,
    concerns: corpus.concerns,
    messages: shuffled(corpus.messages, seed),
    seed,
    wrongShare: 0.05,
    proposeEvery: 10,
    declineAfter: 5,
    ...(isScored && { scores }),
  });
}

/** Messages seen, what no model decided of the last 50, and how much of that time was right. */
function run(id: string, isScored: boolean): BenchRow {
  const first = play(headline, isScored);
  process.stdout.write(`${id}\n${curveOf(first).join('\n')}\n`);
  const { free, freeOfUnnamed, right, bySteps } = figuresOf(first.steps.slice(learned));
  const spread = others.map((seed) => play(seed, isScored));
  const figures = spread.map(({ steps }) => figuresOf(steps.slice(learned)));
  const contradicting = [first, ...spread].reduce((sum, one) => sum + one.contradicting.length, 0);
  const steps = Object.entries(bySteps).map(([step, each]) => `${step} ${each.right}/${each.decided}`);
  const reach = reachOf(shuffled(corpus.messages, headline), learned, 3);
  return {
    id,
    value: percent(free),
    unit: '% without a model',
    goal: `≥ ${percent(goals.free)}, ≥ ${percent(goals.right)} % right, no accepted rule contradicts`,
    ok: free >= goals.free && right >= goals.right && contradicting === 0,
    note: [
      `of the ${first.steps.length - learned} messages after the first ${learned}: ${percent(right)} % right (${steps.join(', ')})`,
      `${percent(freeOfUnnamed)} % free of those that name nobody`,
      `${first.rules.length} rules; ${contradicting} of all accepted contradicted a decision`,
      `four other orders: free ${rangeOf(figures.map((each) => each.free))}, right ${rangeOf(figures.map((each) => each.right))}`,
      `a word that three earlier messages for the same place have, and none elsewhere, is in ${percent(reach)} %`,
    ].join('; '),
  };
}

function curveOf({ steps }: LearningRun): string[] {
  const rows: string[] = ['seen  free of last 50  right of last 50'];
  for (let seen = windowSize; seen <= steps.length; seen += 25) {
    const { free, right } = figuresOf(steps.slice(seen - windowSize, seen));
    rows.push(
      `${String(seen).padStart(4)}  ${String(percent(free)).padStart(13)} %  ${String(percent(right)).padStart(14)} %`,
    );
  }
  return rows;
}

function percent(share: number): number {
  return round(100 * share, 0);
}

function rangeOf(shares: readonly number[]): string {
  return `${percent(Math.min(...shares))} to ${percent(Math.max(...shares))} %`;
}

export const benches: readonly Bench[] = [
  { id: 'learning', run: () => Promise.resolve(run('learning', false)) },
  { id: 'learning-scores', run: () => Promise.resolve(run('learning-scores', true)) },
];
