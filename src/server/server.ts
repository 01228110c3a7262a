import { createServer, type Socket } from 'node:net';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Api } from '../model/protocol.ts';
import { Broadcast } from './broadcast.ts';
import { Connection, type ConnectionSocket, type Farewell } from './connection.ts';
import { listenAt, makeSocketRoom } from './socketRoom.ts';

/** How long a stopping server waits for clients to take what was written to them. */
const stopGraceMs = 500;
/** How long a client may go on talking once it was told the end. */
const lingerMs = 2_000;

export interface ServerOptions {
  readonly api: Api;
  readonly socketPath: string;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface RavelServer {
  /**
   * Says goodbye to every client, unless told otherwise, closes, and removes the socket. Requests that run on for a plan
   * are not aborted.
   */
  stop(farewell?: Farewell): Promise<void>;
  /** Number of clients connected. */
  clients(): number;
}

/**
 * Serves `api` on a socket: one JSON object per line, as `model/protocol.ts` says. The caller owns the vault, so a socket
 * file that is there already was left by an owner who died, and is removed. Rejects with `disk/denied` or `disk/failed`.
 */
export async function startServer(options: ServerOptions): Promise<RavelServer> {
  const { api, socketPath, clock, log } = options;
  await makeSocketRoom(options.disk, socketPath);
  const clients = new Map<Connection, Socket>();
  const broadcast = new Broadcast((block) => {
    for (const client of clients.keys()) client.sendEvents(block);
  });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const outgoing = endingInTime(socket, clock);
    const connection = new Connection({ api, socket: outgoing, log, flushEvents: () => broadcast.flush() });
    clients.set(connection, socket);
    socket.on('data', (chunk: Buffer) => connection.onData(chunk));
    socket.on('end', () => connection.onEnd());
    socket.on('drain', () => connection.onDrain());
    socket.on('error', (error) => log.debug('a connection broke', { message: messageOf(error) }));
    socket.on('close', () => {
      clients.delete(connection);
      connection.onClose();
    });
  });
  await listenAt(server, socketPath, options.disk);
  const subscription = api.onEvent((event) => broadcast.add(event));

  return {
    clients: () => clients.size,
    async stop(farewell) {
      subscription.dispose();
      broadcast.flush();
      const closed = [
        new Promise<void>((resolve) => server.close(() => resolve())),
        ...[...clients.values()].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
      ];
      for (const client of clients.keys()) client.stop(farewell);
      const deadline = clock.schedule(stopGraceMs, () => {
        for (const socket of clients.values()) socket.destroy();
      });
      await Promise.all(closed);
      deadline.dispose();
    },
  };
}

/**
 * Closes the own side first, for to close both would take back what the client has not read yet; a client that goes on
 * talking for long after that is cut off.
 */
function endingInTime(socket: Socket, clock: Clock): ConnectionSocket {
  return {
    write: (bytes) => socket.write(bytes),
    pause: () => void socket.pause(),
    resume: () => void socket.resume(),
    end() {
      socket.end();
      const deadline = clock.schedule(lingerMs, () => socket.destroy());
      socket.once('close', () => deadline.dispose());
    },
  };
}
