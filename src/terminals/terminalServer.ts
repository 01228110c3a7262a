import { createServer, type Socket } from 'node:net';
import type { Disk } from '../base/disk.ts';
import { listenAt, makeSocketRoom } from '../server/socketRoom.ts';
import type { TerminalHost } from './terminalHost.ts';

/**
 * Listens for those who want to look at a terminal. Its bytes go this way and never through the owner of the vault: an
 * owner that dies does not cut them, and a key that is pressed takes no second hop. The folder and the socket are this
 * user's alone.
 */
export async function serveTerminal(
  { disk, socketPath }: { readonly disk: Disk; readonly socketPath: string },
  host: TerminalHost,
): Promise<{ stop(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    const take = host.add({
      write: (line) => socket.write(line),
      onDrain: (listener) => void socket.on('drain', listener),
      end: () => void socket.end(),
    });
    socket.on('data', take);
    // What broke is closed after it.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      sockets.delete(socket);
      take(undefined);
    });
  });
  await makeSocketRoom(disk, socketPath);
  await listenAt(server, socketPath, disk);
  return {
    async stop() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroySoon();
      await closed;
    },
  };
}
