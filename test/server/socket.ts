import { createConnection, type Socket } from 'node:net';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../src/base/clock.ts';
import { nodeDisk } from '../../src/base/nodeDisk.ts';
import type { Api } from '../../src/model/protocol.ts';
import { type RavelServer, startServer } from '../../src/server/server.ts';
import { Collector } from '../support/fakeApi.ts';
import { makeTemporaryDirectory } from '../support/temporaryDirectory.ts';

/** A socket path in a folder that does not exist yet, short enough for every system. Call it inside a test. */
export async function freshSocketPath(): Promise<string> {
  return join(await makeTemporaryDirectory(), 'run', 's');
}

export interface LogRecord {
  readonly message: string;
  readonly fields?: Readonly<Record<string, unknown>>;
}

export interface TestServer extends RavelServer {
  readonly socketPath: string;
  readonly logged: readonly LogRecord[];
}

export async function serve(api: Api, chosenPath?: string, clock: Clock = systemClock): Promise<TestServer> {
  const socketPath = chosenPath ?? (await freshSocketPath());
  const logged: LogRecord[] = [];
  const record = (message: string, fields?: Readonly<Record<string, unknown>>) => {
    logged.push(fields === undefined ? { message } : { message, fields });
  };
  const log = { debug: () => undefined, info: record, warn: record, error: record };
  const server = await startServer({ api, socketPath, disk: nodeDisk, clock, log });
  return { ...server, socketPath, logged };
}

/** A client that sends raw lines, to do what a well-behaved client never does. */
export interface RawClient {
  readonly socket: Socket;
  readonly lines: Collector<Record<string, unknown>>;
  readonly closed: Promise<void>;
  send(...lines: readonly unknown[]): void;
}

export async function connectRaw(socketPath: string): Promise<RawClient> {
  const socket = createConnection(socketPath);
  const lines = new Collector<Record<string, unknown>>();
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk) => {
    const parts = (text + chunk).split('\n');
    text = parts.pop() ?? '';
    for (const part of parts) if (part !== '') lines.add(JSON.parse(part));
  });
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', reject);
  });
  socket.on('error', () => undefined);
  return {
    socket,
    lines,
    closed,
    send: (...sent) => {
      socket.write(sent.map((line) => `${JSON.stringify(line)}\n`).join(''));
    },
  };
}

/** Uses a server with one client, and ends both. */
export async function withServer(
  fake: Api,
  use: (client: RawClient, server: TestServer) => Promise<void>,
): Promise<void> {
  const server = await serve(fake);
  const client = await connectRaw(server.socketPath);
  try {
    await use(client, server);
  } finally {
    client.socket.destroy();
    await server.stop();
  }
}
