import * as fs from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import writeFileAtomic from 'write-file-atomic';
import { writeAtomic } from '../../src/base/files.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { type Bench, type BenchRow, measure, median, round, sized } from './bench.ts';

const rounds = sized(200, 2);
const writesPerRound = 20;
const data = Buffer.alloc(4096, 'a');

type Write = (path: string) => Promise<void>;

/** The three contestants take turns, so that other load on the machine hits all of them equally. */
async function run(): Promise<BenchRow> {
  const directory = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  try {
    const contestants = [
      { name: 'ours', write: (path: string) => writeAtomic(nodeDisk, path, data), times: [] as number[] },
      { name: 'hand', write: writeByHand, times: [] as number[] },
      { name: 'peer', write: (path: string) => writeFileAtomic(path, data), times: [] as number[] },
    ];
    for (const { name } of contestants) await writeFile(join(directory, name), data);
    for (let n = -sized(10, 1); n < rounds; n++) {
      for (let turn = 0; turn < contestants.length; turn++) {
        const contestant = contestants[(turn + n + 12) % contestants.length];
        if (contestant === undefined) continue;
        const time = await measure(() => writeMany(contestant.write, join(directory, contestant.name)));
        // The first rounds warm up.
        if (n >= 0) contestant.times.push(time);
      }
    }
    const [ours = [], hand = [], peer = []] = contestants.map(({ times }) => times);
    return toRow(ours, hand, peer);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

function toRow(ours: readonly number[], hand: readonly number[], peer: readonly number[]): BenchRow {
  const ratioTo = (others: readonly number[]) => median(others.map((time, n) => time / (ours[n] ?? Number.NaN)));
  const perSecond = (times: readonly number[]) => Math.round((1000 * writesPerRound) / median(times));
  const [toHand, toPeer] = [ratioTo(hand), ratioTo(peer)];
  return {
    id: 'atomic-write',
    value: round(toHand, 2),
    unit: '× hand-made loop',
    goal: '≥ 0.9, and ahead of write-file-atomic',
    ok: toHand >= 0.9 && toPeer > 1,
    limit: 1,
    note: `ours ${perSecond(ours)}/s, by hand ${perSecond(hand)}/s, write-file-atomic ${perSecond(peer)}/s (ours is ${round(toPeer, 2)} × that, although it also syncs the folder)`,
  };
}

async function writeMany(write: Write, path: string): Promise<void> {
  for (let n = 0; n < writesPerRound; n++) await write(path);
}

let suffix = 0;

/** The fewest steps that survive a power cut: write a new file, sync it, rename it, sync the folder. */
function writeByHand(path: string): Promise<void> {
  const temporary = `${path}.${suffix++}`;
  return new Promise((resolve, reject) => {
    const step = (next: (value: number) => void) => (error: Error | null, value?: number | undefined) => {
      if (error === null) next(value ?? 0);
      else reject(error);
    };
    fs.open(
      temporary,
      'wx',
      step((file) => {
        const rename = () => fs.rename(temporary, path, step(syncFolder));
        const close = () => fs.close(file, step(rename));
        const sync = () => fs.fdatasync(file, step(close));
        fs.write(file, data, step(sync));
      }),
    );
    const syncFolder = () =>
      fs.open(
        dirname(path),
        'r',
        step((folder) => {
          const close = () =>
            fs.close(
              folder,
              step(() => resolve()),
            );
          fs.fsync(folder, step(close));
        }),
      );
  });
}

export const benches: readonly Bench[] = [{ id: 'atomic-write', run }];
