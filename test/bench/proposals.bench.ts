import type { RoutingDecision } from '../../src/model/routing.ts';
import type { HistoryIndex } from '../../src/routing/history/historyIndex.ts';
import { proposing } from '../../src/routing/learning/ruleMining.ts';
import { createRandom } from '../support/seededRandom.ts';
import { type Bench, type BenchRow, median, percentile, processorMs, round, sized } from './bench.ts';
import { commonWord, decisionAbout, placeId, readHistory, recipients, wordOf } from './madeUpHistory.ts';

/**
 * Messages of about 60 words. One word in eight is one of the sixty words of its recipient, a few of which are frequent;
 * one message in fifty goes to a wrong recipient.
 */
function* makeDecisions(count: number): Generator<RoutingDecision> {
  const random = createRandom(11);
  for (let n = 0; n < count; n += 1) {
    const at = random(recipients.length);
    const to = placeId(random(50) === 0 ? random(recipients.length) : at);
    const own = () => wordOf(10_000 + at * 60 + Math.min(random(60), random(60)));
    const body = Array.from({ length: 30 + random(60) }, () => (random(8) === 0 ? own() : commonWord(random))).join(
      ' ',
    );
    yield decisionAbout(n, { body, to, from: placeId(random(recipients.length)) });
  }
}

/**
 * Wall-clock milliseconds between two pauses. Other load counts too, so the longest slice says little on a busy
 * machine.
 */
function runInSlices(index: HistoryIndex): { readonly slices: readonly number[]; readonly found: number } {
  const slices: number[] = [];
  const looking = proposing(index, { rules: [], recipients, refused: [] });
  for (;;) {
    const start = performance.now();
    const next = looking.next();
    slices.push(performance.now() - start);
    if (next.done === true) return { slices, found: next.value.length };
  }
}

async function run(id: string, count: number, goalMs: number): Promise<BenchRow> {
  const { index, readMs, bytes } = readHistory(makeDecisions(count));
  const start = processorMs();
  const { slices, found } = runInSlices(index);
  const ms = processorMs() - start;
  return {
    id,
    value: round(ms, 0),
    unit: 'ms',
    goal: `≤ ${goalMs}`,
    ok: ms <= goalMs,
    note:
      `processor time; ${count} decisions, ${found} rules proposed; ${slices.length} slices, by the clock half of them took at most ${round(median(slices), 1)} ms, ` +
      `99 % ${round(percentile(slices, 0.99), 1)} ms, the longest ${round(Math.max(...slices), 0)} ms; ` +
      `made and read in ${round(readMs / 1000, 1)} s; ${round(bytes / count, 0)} bytes for each decision of about 60 words`,
  };
}

export const benches: readonly Bench[] = [
  { id: 'propose-10k', run: () => run('propose-10k', sized(10_000, 300), 300) },
  { id: 'propose-100k', run: () => run('propose-100k', sized(100_000, 1_000), 3000) },
];
