import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { RoutingHistory } from '../../src/routing/history/routingHistory.ts';
import { createRandom } from '../support/seededRandom.ts';
import { type Bench, type BenchRow, measure, median, round, sized } from './bench.ts';
import { commonWord, decisionAbout, placeId } from './madeUpHistory.ts';

const decisions = sized(50_000, 1_000);
const rounds = sized(9, 1);
const limitSeconds = 0.3;

/** What an owner does about its first message, new or sent again, beside a long history; and what a bare append takes. */
async function run(): Promise<BenchRow> {
  const folder = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  const path = join(folder, 'routing-history.jsonl');
  try {
    const bytes = await writeHistory(path);
    const [first, again]: [number[], number[]] = [[], []];
    for (let n = 0; n < rounds; n++) {
      first.push(
        await timeOwner(path, (history) => history.append(decisionAbout(decisions + n, { body: 'One more' }))),
      );
      again.push(await timeOwner(path, async (history) => void (await history.find(decisionAbout(n, {}).message))));
    }
    const seconds = round(Math.max(median(first), median(again)) / 1000, 3);
    return {
      id: 'history-first',
      value: seconds,
      unit: 's, the slower median',
      goal: `≤ ${limitSeconds}`,
      ok: seconds <= limitSeconds,
      note: `${decisions} decisions, ${round(bytes / 1e6, 0)} MB: a new message ${round(median(first), 1)} ms, one sent again ${round(median(again), 0)} ms`,
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function timeOwner(path: string, work: (history: RoutingHistory) => Promise<void>): Promise<number> {
  const history = new RoutingHistory({ disk: nodeDisk, path });
  const time = await measure(() => work(history));
  await history.stop();
  return time;
}

/** Bytes of the file. */
async function writeHistory(path: string): Promise<number> {
  const random = createRandom(1);
  const file = await open(path, 'w');
  try {
    let bytes = 0;
    let lines: string[] = [];
    for (let n = 0; n < decisions; n++) {
      const body = Array.from({ length: 60 }, () => commonWord(random)).join(' ');
      lines.push(`${JSON.stringify(decisionAbout(n, { body, to: placeId(n) }))}\n`);
      if (lines.length < 1_000 && n < decisions - 1) continue;
      bytes += (await file.write(lines.join(''))).bytesWritten;
      lines = [];
    }
    return bytes;
  } finally {
    await file.close();
  }
}

export const benches: readonly Bench[] = [{ id: 'history-first', run }];
