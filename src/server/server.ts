import { createServer, type Socket } from 'node:net';
import { settleAll } from '../base/async.ts';
import { CachedPromise } from '../base/cachedPromise.ts';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { Disk } from '../base/disk.ts';
import { messageOf } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import type { Caller } from '../base/processes.ts';
import { isForPerson, personOnly } from '../model/personOnly.ts';
import type { Api } from '../model/protocol.ts';
import { Broadcast } from './broadcast.ts';
import { type CloseNotice, Connection, type ConnectionOptions, type ConnectionSocket } from './connection.ts';
import { sessionApi } from './sessionApi.ts';
import { listenAt, makeSocketRoom } from './socketRoom.ts';

/** How long a stopping server waits for clients to take what was written to them. */
const stopGraceMs = 500;
/** How long a client may go on talking once it was told the end. */
const lingerMs = 2_000;

export interface ServerOptions {
  readonly api: Api;
  readonly socketPath: string;
  /** Where the tools of sessions are served; a server without it starts no sessions. */
  readonly sessionSocketPath?: string;
  /**
   * Finds out who connected, by the descriptor of our end of the connection; undefined for one that is closed already.
   * It is asked once a connection, before the first request that is for a person. Without it, every process counts as one.
   */
  readonly identify?: (descriptor: number | undefined) => Promise<Caller>;
  readonly disk: Disk;
  readonly clock: Clock;
  readonly log: Logger;
}

export interface RavelServer {
  /**
   * Says goodbye to every client, unless told otherwise, closes, and removes the sockets. Requests that run on for a plan
   * are not aborted.
   */
  stop(notice?: CloseNotice): Promise<void>;
  /** Number of clients connected. */
  clients(): number;
}

/**
 * Serves `api` on a socket: one JSON object per line, as `model/protocol.ts` says; and to sessions what is theirs on
 * another. The caller owns the vault, so a socket file that is there already was left by an owner who died, and is
 * removed. Rejects with `disk/denied` or `disk/failed`.
 */
export async function startServer(options: ServerOptions): Promise<RavelServer> {
  const { api, sessionSocketPath } = options;
  const main = await listen(options, api);
  const listeners = [main];
  if (sessionSocketPath !== undefined) {
    const forSessions = { ...options, socketPath: sessionSocketPath, isSession: true };
    try {
      listeners.push(await listen(forSessions, sessionApi(api)));
    } catch (error) {
      await main.stop();
      throw error;
    }
  }
  const subscription = api.onEvent((event) => main.broadcast.add(event));
  return {
    clients: () => listeners.reduce((sum, listener) => sum + listener.clients(), 0),
    async stop(notice) {
      subscription.dispose();
      main.broadcast.flush();
      await settleAll(listeners.map((listener) => listener.stop(notice)));
    },
  };
}

/** One socket and its clients. */
interface Listener extends RavelServer {
  readonly broadcast: Broadcast;
}

async function listen(options: ServerOptions & { readonly isSession?: boolean }, api: Api): Promise<Listener> {
  const { socketPath, clock, log, isSession = false } = options;
  await makeSocketRoom(options.disk, socketPath);
  const clients = new Map<Connection, Socket>();
  const broadcast = new Broadcast((block) => {
    for (const client of clients.keys()) client.sendEvents(block);
  });
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    const assertMay = isSession ? undefined : guardOf(options, socket);
    const connection = new Connection({
      ...{ api, log, isSession, socket: endingInTime(socket, clock) },
      flushEvents: () => broadcast.flush(),
      ...defined({ assertMay }),
    });
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

  return {
    broadcast,
    clients: () => clients.size,
    async stop(notice) {
      const closed = [
        new Promise<void>((resolve) => server.close(() => resolve())),
        ...[...clients.values()].map((socket) => new Promise<void>((resolve) => socket.once('close', () => resolve()))),
      ];
      for (const client of clients.keys()) client.stop(notice);
      const deadline = clock.schedule(stopGraceMs, () => {
        for (const socket of clients.values()) socket.destroy();
      });
      await Promise.all(closed);
      deadline.dispose();
    },
  };
}

/** Keeps a process of a session from what is for a person: the right to connect says only whose user it is. */
function guardOf({ identify }: ServerOptions, socket: Socket): ConnectionOptions['assertMay'] {
  if (identify === undefined) return undefined;
  const caller = new CachedPromise<Caller>();
  return async (request, params) => {
    if (!isForPerson(request, params)) return;
    const who = await caller.get(() => identify(descriptorOf(socket)));
    if (who.kind !== 'other') throw personOnly(request, params, who.kind === 'session' ? who.session : undefined);
  };
}

/** Node keeps it to itself; there is none once the socket is closed. */
function descriptorOf(socket: Socket): number | undefined {
  const handle: unknown = Reflect.get(socket, '_handle');
  const descriptor: unknown = typeof handle === 'object' && handle !== null ? Reflect.get(handle, 'fd') : undefined;
  return typeof descriptor === 'number' && descriptor >= 0 ? descriptor : undefined;
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
