import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { systemClock } from '../../src/base/clock.ts';
import { silentLogger } from '../../src/base/log.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { RavelEvent } from '../../src/model/event.ts';
import { startServer } from '../../src/server/server.ts';
import { createFakeApi } from '../support/fakeApi.ts';
import { type Bench, type BenchRow, median, round, sized } from './bench.ts';
import { openNats } from './natsPeer.ts';
import { type Closing, compareWithPeers, isThere } from './peers.ts';

const rounds = sized(15, 1);
const eventsPerTurn = 64;
const event = {
  at: '2026-01-02T03:04:05Z',
  actor: 'demo/project-root',
  type: 'session.output',
  session: '01HZY0000000000000000000S1',
  seq: 12_345,
  output: { kind: 'text', text: 'a line of some words' },
} as RavelEvent;

interface Contestant {
  readonly times: number[];
  readonly clients: readonly Socket[];
  /** Bytes that each client receives for one event. */
  readonly eventBytes: number;
  emit(): void;
}

const eventBytes = Buffer.byteLength(`{"event":${JSON.stringify(event)}}\n`);

/** Events delivered per second to clients in this process; the contestants take turns. */
async function run(clientCount: number, turns: number): Promise<BenchRow> {
  const directory = await mkdtemp(join(tmpdir(), 'ravel-bench-'));
  const closing: Closing = [() => rm(directory, { recursive: true, force: true })];
  try {
    const ours = await serveOurs(join(directory, 'ours', 's'), clientCount, closing);
    const bare = await serveBare(join(directory, 'bare', 's'), clientCount, closing);
    const nats = await openNats(event, clientCount, closing);
    const contestants: readonly Contestant[] = isThere(nats) ? [ours, bare, nats] : [ours, bare];
    for (let n = -sized(3, 1); n < rounds; n++) {
      for (const contestant of n % 2 === 0 ? contestants : contestants.toReversed()) {
        const time = await deliver(contestant, turns);
        // The first rounds warm up.
        if (n >= 0) contestant.times.push(time);
      }
    }
    const ratio = median(bare.times.map((time, n) => time / (ours.times[n] ?? Number.NaN)));
    const perSecond = (times: readonly number[]) => (1000 * turns * eventsPerTurn * clientCount) / median(times);
    const millions = (times: readonly number[]) => `${round(perSecond(times) / 1e6, 1)} M/s`;
    const compared = compareWithPeers(ours.times, [nats], millions);
    return {
      id: `fanout-${clientCount}`,
      value: round(ratio, 2),
      unit: '× one encode and one write per turn',
      goal: '≥ 0.6, and ahead of NATS',
      ok: ratio >= 0.6 && compared.ok,
      limit: 1,
      note: `ours ${millions(ours.times)}, bare ${millions(bare.times)}; ${compared.note}; clients in the same process`,
    };
  } finally {
    for (const close of closing.reverse()) await close();
  }
}

async function serveOurs(path: string, count: number, closing: Closing): Promise<Contestant> {
  const api = createFakeApi({});
  const server = await startServer({ api, socketPath: path, disk: nodeDisk, clock: systemClock, log: silentLogger });
  closing.push(() => server.stop());
  const clients = await connectAll(path, count, closing);
  for (const client of clients) {
    const attached = new Promise((resolve) => client.once('data', resolve));
    client.write('{"id":1,"request":"attach"}\n');
    await attached;
  }
  return { times: [], clients, eventBytes, emit: () => api.emit(event) };
}

async function serveBare(path: string, count: number, closing: Closing): Promise<Contestant> {
  await mkdir(dirname(path));
  const sockets: Socket[] = [];
  const server = createServer((socket) => sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(path, resolve));
  closing.push(() => new Promise<void>((resolve) => server.close(() => resolve())));
  const clients = await connectAll(path, count, closing);
  while (sockets.length < count) await new Promise((resolve) => setImmediate(resolve));
  let lines: string[] = [];
  return {
    times: [],
    clients,
    eventBytes,
    emit() {
      if (lines.length === 0) {
        setImmediate(() => {
          const bytes = Buffer.from(lines.join(''));
          lines = [];
          for (const socket of sockets) socket.write(bytes);
        });
      }
      lines.push(`{"event":${JSON.stringify(event)}}\n`);
    },
  };
}

async function connectAll(path: string, count: number, closing: Closing): Promise<Socket[]> {
  const clients = Array.from({ length: count }, () => createConnection(path));
  closing.push(async () => {
    for (const client of clients) client.destroy();
  });
  await Promise.all(clients.map((client) => new Promise((resolve) => client.once('connect', resolve))));
  return clients;
}

/** Milliseconds until every client has every event. */
async function deliver({ clients, eventBytes: bytesEach, emit }: Contestant, turns: number): Promise<number> {
  const wanted = turns * eventsPerTurn * bytesEach;
  const start = performance.now();
  const received = clients.map(
    (client) =>
      new Promise<void>((resolve) => {
        let bytes = 0;
        const count = (chunk: Buffer) => {
          bytes += chunk.length;
          if (bytes < wanted) return;
          client.off('data', count);
          resolve();
        };
        client.on('data', count);
      }),
  );
  for (let turn = 0; turn < turns; turn++) {
    for (let n = 0; n < eventsPerTurn; n++) emit();
    await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(received);
  return performance.now() - start;
}

export const benches: readonly Bench[] = [
  { id: 'fanout-10', run: () => run(10, sized(300, 10)) },
  { id: 'fanout-100', run: () => run(100, sized(60, 3)) },
];
