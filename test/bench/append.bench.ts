import * as fs from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Supervisor } from '../../src/actors/supervisor.ts';
import { systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import { createUlids } from '../../src/base/ulid.ts';
import { type QualifiedId, toQualifiedId, type Ulid } from '../../src/model/id.ts';
import type { NewMessage } from '../../src/model/message.ts';
import { letPeersAppend, openAppendPeers } from './appendPeers.ts';
import { type Bench, type BenchRow, median, round, sized } from './bench.ts';
import { type Closing, compareWithPeers } from './peers.ts';

const rounds = sized(20, 1);
const newUlid = createUlids(systemClock);
/** Together with its envelope, a line of about 1 KiB. */
const body = 'a'.repeat(760);

interface Place {
  readonly directory: string;
  readonly supervisor: Supervisor;
  readonly close: () => Promise<void>;
}

/** A supervisor whose actors are busy forever, so that the bench measures only how messages are accepted. */
async function makePlace(): Promise<Place> {
  const directory = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  const supervisor = new Supervisor({
    disk: nodeDisk,
    clock: systemClock,
    mailboxes: join(directory, 'mailboxes'),
    deadLetters: join(directory, 'dead-letters'),
    limits: { activeMax: 100, idleMs: 300_000, crashes: 3, crashWindowMs: 60_000 },
    crashTimes: { load: async () => [], save: async () => undefined },
    spawn: async () => ({
      handle: (_message, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason));
        }),
      stop: async () => undefined,
    }),
    events: { changed: nothing, handled: nothing, dead: nothing, diagnostic: nothing },
  });
  await supervisor.start();
  const close = async () => {
    await supervisor.stop();
    await rm(directory, { recursive: true, force: true });
  };
  return { directory, supervisor, close };
}

function nothing(): void {
  // The bench does not look at events.
}

function makeMessage(to: QualifiedId): NewMessage {
  return { id: newUlid() as Ulid, type: 'dispatch', from: 'person', to, reason: 'The bench measures it', body };
}

/** Makes a mailbox and keeps its actor busy. */
async function prepare(supervisor: Supervisor, n: number): Promise<QualifiedId> {
  const actor = toQualifiedId(`P${n}/project-root`);
  for (let warm = 0; warm < 20; warm++) await supervisor.send(makeMessage(actor));
  return actor;
}

/** A line of the same length, for contestants that only write. */
function encodeBare(seq: number, to: QualifiedId): string {
  const message = makeMessage(to);
  return `${JSON.stringify({ seq, ...message, ts: '2026-01-02T03:04:05Z', depth: 0, origin: message.id, crc: '00000000' })}\n`;
}

async function appendOne(): Promise<BenchRow> {
  const { directory, supervisor, close } = await makePlace();
  const file = fs.openSync(join(directory, 'bare'), 'a');
  try {
    const perRound = sized(200, 20);
    const ours: number[] = [];
    const bare: number[] = [];
    const pool: number[] = [];
    const actor = await prepare(supervisor, 0);
    const line = encodeBare(1, actor);
    for (let n = -sized(3, 1); n < rounds; n++) {
      const own: number[] = [];
      const sync: number[] = [];
      const hops: number[] = [];
      for (let count = 0; count < perRound; count++) {
        own.push(await microseconds(() => supervisor.send(makeMessage(actor))));
        sync.push(
          await microseconds(() => {
            fs.writeSync(file, line);
            fs.fdatasyncSync(file);
          }),
        );
        hops.push(await microseconds(() => writeByCallback(file, line)));
      }
      // The first rounds warm up.
      if (n < 0) continue;
      ours.push(median(own));
      bare.push(median(sync));
      pool.push(median(hops));
    }
    const ratio = median(ours.map((time, n) => time / (bare[n] ?? Number.NaN)));
    const times = [ours, bare, pool].map((values) => Math.round(median(values)));
    return {
      id: 'append-1',
      value: round(ratio, 2),
      unit: '× bare write + fdatasync (p50)',
      goal: '≤ 1.5',
      ok: ratio <= 1.5,
      limit: 1,
      note: `p50: ours ${times[0]} µs, bare ${times[1]} µs (blocks the thread), bare with callbacks ${times[2]} µs; messages of 1 KiB; ours also seals, encodes and adds a checksum`,
    };
  } finally {
    fs.closeSync(file);
    await close();
  }
}

async function appendMany(): Promise<BenchRow> {
  const { directory, supervisor, close } = await makePlace();
  const file = fs.openSync(join(directory, 'bare'), 'a');
  const closing: Closing = [];
  try {
    const [inFlight, perRound] = [64, sized(6_400, 256)];
    const peers = await openAppendPeers(directory, closing);
    const ours: number[] = [];
    const bare: number[] = [];
    const warmUps = sized(5, 1);
    for (let n = -warmUps; n < rounds; n++) {
      // A mailbox holds a limited number of waiting messages, so each round has its own.
      const actor = await prepare(supervisor, n + warmUps);
      let left = perRound;
      const send = async () => {
        while (left-- > 0) await supervisor.send(makeMessage(actor));
      };
      const start = performance.now();
      await Promise.all(Array.from({ length: inFlight }, send));
      const middle = performance.now();
      for (let seq = 1; seq <= perRound; seq += inFlight) {
        let batch = '';
        for (let m = 0; m < inFlight; m++) batch += encodeBare(seq + m, actor);
        fs.writeSync(file, batch);
        fs.fdatasyncSync(file);
      }
      const end = performance.now();
      const encode = (seq: number) => encodeBare(seq, actor);
      const work = { messages: perRound, inFlight, encode, message: JSON.parse(encode(1)) as object };
      await letPeersAppend(peers, work, n >= 0);
      if (n < 0) continue;
      ours.push(middle - start);
      bare.push(end - middle);
    }
    const ratio = median(bare.map((time, n) => time / (ours[n] ?? Number.NaN)));
    const perSecond = (times: readonly number[]) => `${Math.round(perRound / median(times))} k/s`;
    const compared = compareWithPeers(ours, peers, perSecond);
    return {
      id: 'append-64',
      value: round(ratio, 2),
      unit: '× encode + bare group commit',
      goal: '≥ 0.7, and ahead of SQLite, Redis and LevelDB',
      ok: ratio >= 0.7 && compared.ok,
      limit: 1,
      note: `ours ${perSecond(ours)}, bare ${perSecond(bare)} (blocks the thread); ${compared.note}; 64 in flight, encoding included`,
    };
  } finally {
    for (const end of closing.reverse()) await end();
    fs.closeSync(file);
    await close();
  }
}

async function microseconds(work: () => unknown): Promise<number> {
  const start = performance.now();
  await work();
  return 1000 * (performance.now() - start);
}

function writeByCallback(file: number, line: string): Promise<void> {
  return new Promise((resolve, reject) => {
    fs.write(file, line, (writeError) => {
      if (writeError !== null) reject(writeError);
      else fs.fdatasync(file, (syncError) => (syncError === null ? resolve() : reject(syncError)));
    });
  });
}

export const benches: readonly Bench[] = [
  { id: 'append-1', run: appendOne },
  { id: 'append-64', run: appendMany },
];
