import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { ClassicLevel } from 'classic-level';
import { hostParts } from '../../packaging/installHost.mjs';
import { type AbsentPeer, type Closing, isThere, type Peer, startProgram } from './peers.ts';
import { sqliteChild } from './sqliteChild.mjs';

/** The messages that one round makes durable. */
export interface AppendWork {
  readonly messages: number;
  /** How many messages wait for their acknowledgement at the same time. */
  readonly inFlight: number;
  /** One message as a line. */
  encode(seq: number): string;
  /** The same message as an object, for a peer that encodes it in another process. */
  readonly message: object;
}

export interface AppendPeer extends Peer {
  /** Milliseconds until all messages are durable. */
  append(work: AppendWork): Promise<number>;
}

/** SQLite, Redis and LevelDB, each set to acknowledge a message only when it is on the disk. */
export async function openAppendPeers(
  directory: string,
  closing: Closing,
): Promise<readonly (AppendPeer | AbsentPeer)[]> {
  return [
    await openSqlite(directory, closing),
    await openRedis(directory, closing),
    await openLevel(directory, closing),
  ];
}

/** One transaction for all messages in flight, with a synced write-ahead log. */
async function openSqlite(directory: string, closing: Closing): Promise<AppendPeer | AbsentPeer> {
  for (const [n, program] of [process.execPath, hostParts.node].entries()) {
    const child = existsSync(program) ? await startSqlite(program, join(directory, `sqlite-${n}`), closing) : undefined;
    if (child === undefined) continue;
    return {
      ...{ name: 'SQLite', times: [] },
      async append({ message, messages, inFlight }) {
        child.send({ message, messages, inFlight });
        const [{ ms }] = (await once(child, 'message')) as [{ readonly ms: number }];
        return ms;
      },
    };
  }
  return { name: 'SQLite', remedy: 'run with Node 24, or run node packaging/installHost.mjs' };
}

/** Returns undefined when that Node has no SQLite. */
async function startSqlite(program: string, file: string, closing: Closing): Promise<ChildProcess | undefined> {
  const child = fork(sqliteChild, [file], {
    execPath: program,
    execArgv: ['--no-warnings'],
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  const exited = once(child, 'exit');
  const isReady = await Promise.race([once(child, 'message').then(() => true), exited.then(() => false)]);
  if (!isReady) return undefined;
  closing.push(async () => {
    child.disconnect();
    await exited;
  });
  return child;
}

/** A stream over a Unix socket; Redis syncs before each answer. */
async function openRedis(directory: string, closing: Closing): Promise<AppendPeer | AbsentPeer> {
  const folder = join(directory, 'redis');
  const path = join(directory, 'redis.sock');
  await mkdir(folder);
  const options = [
    ...['--port', '0', '--unixsocket', path, '--dir', folder, '--save', ''],
    ...['--appendonly', 'yes', '--appendfsync', 'always', '--auto-aof-rewrite-percentage', '0'],
  ];
  const ready = await startProgram('redis-server', options, /ready to accept connections/i, closing);
  if (ready === undefined) return { name: 'Redis', remedy: 'put redis-server on PATH' };
  const socket = createConnection(path);
  await once(socket, 'connect');
  closing.push(async () => socket.destroy());
  return { name: 'Redis', times: [], append: (work) => addToStream(socket, work) };
}

/** Sends one more message for each answer, so that the number in flight stays the same. */
function addToStream(socket: Socket, { messages, inFlight, encode }: AppendWork): Promise<number> {
  const start = performance.now();
  let sent = 0;
  let answered = 0;
  const send = (count: number) => {
    let text = '';
    for (let n = 0; n < count; n++) text += streamCommand(encode(++sent));
    socket.write(text);
  };
  return new Promise((resolve, reject) => {
    const read = (chunk: Buffer) => {
      const answers = chunk.toString('latin1');
      if (/(?:^|\n)-[A-Z]/.test(answers)) reject(new Error(`Redis refuses: ${answers.slice(0, 500)}`));
      // Each answer is the id of an entry: a `$`, its length, then digits.
      const count = answers.split('$').length - 1;
      answered += count;
      if (answered < messages) return send(Math.min(count, messages - sent));
      socket.off('data', read);
      resolve(performance.now() - start);
    };
    socket.on('data', read);
    send(inFlight);
  });
}

function streamCommand(line: string): string {
  const words = ['XADD', 'mailbox', '*', 'm', line];
  return `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`;
}

/** One synced batch for all messages in flight. LevelDB does not group single writes by itself. */
async function openLevel(directory: string, closing: Closing): Promise<AppendPeer> {
  const database = new ClassicLevel<string, string>(join(directory, 'level'));
  await database.open();
  closing.push(() => database.close());
  let last = 0;
  const put = (value: string) => ({ type: 'put' as const, key: String(++last).padStart(12, '0'), value });
  return {
    ...{ name: 'LevelDB', times: [] },
    async append({ messages, inFlight, encode }) {
      const start = performance.now();
      for (let seq = 1; seq <= messages; seq += inFlight) {
        const batch = Array.from({ length: inFlight }, (_each, n) => put(encode(seq + n)));
        await database.batch(batch, { sync: true });
      }
      return performance.now() - start;
    },
  };
}

/** Lets each peer on this machine do one round; keeps its time when `isCounted`. */
export async function letPeersAppend(
  peers: readonly (AppendPeer | AbsentPeer)[],
  work: AppendWork,
  isCounted: boolean,
): Promise<void> {
  for (const peer of peers.filter((one) => isThere<AppendPeer>(one))) {
    const time = await peer.append(work);
    if (isCounted) peer.times.push(time);
  }
}
