import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parse } from 'yaml';
import { Likeness, likenessLeast, type Statement } from '../../src/knowledge/likeness/likeness.ts';
import { type Bench, type BenchRow, round } from './bench.ts';

interface Pair {
  readonly id: string;
  readonly label: 'same' | 'contradicting' | 'related' | 'unlike';
  readonly left: Statement;
  readonly right: Statement;
}

interface Scored extends Pick<Pair, 'label'> {
  readonly score: number;
}

const goals = { proposed: 0.95, unlike: 0.05 };

/** Which pairs are proposed to a judge as saying the same or the opposite; half of the pairs chooses, the other half judges. */
async function contradiction(): Promise<BenchRow> {
  const text = await readFile(join(process.cwd(), 'test/fixtures/experts/pairs.yaml'), 'utf8');
  const pairs: readonly Pair[] = parse(text);
  const likeness = new Likeness();
  for (const { left, right } of pairs) for (const statement of [left, right]) likeness.add(statement);
  const scored = pairs.map(({ label, left, right }) => ({ label, score: likeness.between(left, right) }));
  const halves = [0, 1].map((half) => scored.filter((_, at) => at % 2 === half));
  const judged = halves.map((half, at) => figuresOf(halves[1 - at] ?? [], leastFor(half)));
  const inUse = figuresOf(scored, likenessLeast);
  const worst = Math.min(...judged.flatMap(({ same, contradicting }) => [same, contradicting]));
  const unlike = Math.max(...judged.map((one) => one.unlike));
  return {
    id: 'contradiction',
    value: worst,
    unit: 'of the pairs that say the same or the opposite are proposed',
    goal: `≥ ${goals.proposed}, and ≤ ${goals.unlike} of those about different things`,
    ok: worst >= goals.proposed && unlike <= goals.unlike,
    note: [
      `${pairs.length} labelled pairs; the bound chosen on one half and judged on the other, both ways: ${judged.map(words).join('; ')}`,
      `bound in use (${likenessLeast}), all pairs: ${words(inUse)}`,
    ].join('; '),
  };
}

/** Half way between the least of those to propose and the highest of those that are not. */
function leastFor(half: readonly Scored[]): number {
  const proposed = half.filter(({ label }) => label === 'same' || label === 'contradicting').map(({ score }) => score);
  const unlike = half.filter(({ label }) => label === 'unlike').map(({ score }) => score);
  const [lowest = 0] = proposed.sort((a, b) => a - b);
  const highest = unlike.sort((a, b) => b - a)[Math.floor(goals.unlike * unlike.length)] ?? 0;
  return (lowest + highest) / 2;
}

function figuresOf(some: readonly Scored[], least: number) {
  const share = (label: Pair['label']) => {
    const of = some.filter((one) => one.label === label);
    return round(of.filter(({ score }) => score >= least).length / Math.max(1, of.length), 3);
  };
  return {
    same: share('same'),
    contradicting: share('contradicting'),
    related: share('related'),
    unlike: share('unlike'),
  };
}

function words({ same, contradicting, related, unlike }: ReturnType<typeof figuresOf>): string {
  return `same ${same}, contradicting ${contradicting}, related ${related}, unlike ${unlike}`;
}

export const benches: readonly Bench[] = [{ id: 'contradiction', run: contradiction }];
