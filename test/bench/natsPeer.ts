import { once } from 'node:events';
import { createConnection, type Socket } from 'node:net';
import { type AbsentPeer, type Closing, type Peer, startProgram } from './peers.ts';

export interface NatsPeer extends Peer {
  readonly clients: readonly Socket[];
  /** Bytes that each client receives for one event. */
  readonly eventBytes: number;
  emit(): void;
}

const subject = 'e';
const subscription = '1';

/**
 * NATS core with the same events: each is encoded once, and all events of a turn are written at once. Its server is another
 * process, so it can use one processor more than a server in this process. It has no Unix sockets.
 */
export async function openNats(event: object, clientCount: number, closing: Closing): Promise<NatsPeer | AbsentPeer> {
  const options = ['--addr', '127.0.0.1', '--port', '-1'];
  const ready = await startProgram('nats-server', options, /client connections on 127\.0\.0\.1:(\d+)\s/, closing);
  if (ready === undefined) return { name: 'NATS', remedy: 'put nats-server on PATH' };
  const port = Number(ready[1]);
  const publisher = await connect(port, '', closing);
  const clients: Socket[] = [];
  for (let n = 0; n < clientCount; n++) {
    clients.push(await connect(port, `SUB ${subject} ${subscription}\r\n`, closing));
  }
  const bytes = Buffer.byteLength(JSON.stringify(event));
  let lines: string[] = [];
  return {
    ...{ name: 'NATS', times: [], clients },
    eventBytes: Buffer.byteLength(`MSG ${subject} ${subscription} ${bytes}\r\n\r\n`) + bytes,
    emit() {
      if (lines.length === 0) {
        setImmediate(() => {
          publisher.write(lines.join(''));
          lines = [];
        });
      }
      lines.push(`PUB ${subject} ${bytes}\r\n${JSON.stringify(event)}\r\n`);
    },
  };
}

/** The server sends a ping only every two minutes, which is longer than the bench runs, so it needs no answer. */
async function connect(port: number, then: string, closing: Closing): Promise<Socket> {
  const socket = createConnection(port, '127.0.0.1');
  closing.push(async () => socket.destroy());
  await once(socket, 'connect');
  socket.setNoDelay(true);
  socket.write(`CONNECT {"verbose":false,"pedantic":false}\r\n${then}PING\r\n`);
  let said = '';
  while (!said.includes('PONG\r\n')) {
    const [chunk] = (await once(socket, 'data')) as [Buffer];
    said += chunk.toString('latin1');
  }
  return socket;
}
