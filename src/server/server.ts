import { createServer, type Server, type Socket } from 'node:net';
import { dirname } from 'node:path';
import type { Clock } from '../base/clock.ts';
import type { Disk } from '../base/disk.ts';
import { messageOf, systemCode } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { failure } from '../model/codes.ts';
import type { Api } from '../model/protocol.ts';
import { Broadcast } from './broadcast.ts';
import { Connection, type ConnectionSocket, type Farewell } from './connection.ts';
import { isPipe } from './socketPath.ts';

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
  await makeRoom(options);
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
  await listen(server, socketPath);
  if (!isPipe(socketPath)) await options.disk.changeMode(socketPath, 0o600);
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

/** A folder that only this user can enter, without a stale socket in it. */
async function makeRoom({ disk, socketPath }: ServerOptions): Promise<void> {
  if (isPipe(socketPath)) return;
  const folder = dirname(socketPath);
  try {
    await disk.makeDirectory(folder, 0o700).catch(ignoring('EEXIST'));
    const { kind } = await disk.lstat(folder);
    // A link could lead to a folder that others may enter.
    if (kind !== 'directory') throw new Error(`${folder} is not a folder of its own`);
    // Fails when the folder belongs to somebody else, who could read along.
    await disk.changeMode(folder, 0o700);
    await disk.unlink(socketPath).catch(ignoring('ENOENT'));
  } catch (error) {
    throw listenFailure(socketPath, error);
  }
}

function ignoring(code: string): (error: unknown) => void {
  return (error) => {
    if (systemCode(error) !== code) throw error;
  };
}

function listen(server: Server, socketPath: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(listenFailure(socketPath, error)));
    server.listen(socketPath, resolve);
  });
}

function listenFailure(socketPath: string, cause: unknown) {
  const denied = ['EACCES', 'EPERM', 'EROFS'].includes(systemCode(cause) ?? '');
  const message = `The socket ${socketPath} cannot be made: ${messageOf(cause)}.`;
  return failure(denied ? 'disk/denied' : 'disk/failed', socketPath, message, { cause });
}
