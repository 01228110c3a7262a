import { createConnection, type Socket } from 'node:net';
import { onAbort } from '../base/abort.ts';
import { withTimeout } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { messageOf, RavelError } from '../base/errors.ts';
import { failure } from '../model/codes.ts';
import type { Api, RequestResults } from '../model/protocol.ts';
import { protocolVersion } from '../model/protocolVersion.ts';
import { ApiClient, givenUp } from '../wire/apiClient.ts';
import { type CloseReason, rethrowLater, SocketTransport } from './socketTransport.ts';

/** How long an owner may take to answer the greeting. */
const helloTimeoutMs = 5_000;

export interface ClientApi extends Api {
  readonly owner: RequestResults['hello'];
  /** Requests still pending reject with `server/gone`. */
  close(): void;
  onDidClose(listener: (reason: CloseReason) => void): Disposable;
  /** This client was too slow, so this number of events was dropped here; the transcript holds them. */
  onDidDrop(listener: (count: number) => void): Disposable;
}

export interface ConnectOptions {
  readonly socketPath: string;
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

/**
 * Connects to the owner of a vault and greets it. Rejects with `server/gone` if the owner does not answer there, and
 * with `server/protocol` if it speaks another version.
 */
export async function connect(options: ConnectOptions): Promise<ClientApi> {
  const { socketPath } = options;
  const transport = new SocketTransport(await open(socketPath, options.signal));
  const client: ApiClient = new ApiClient(transport, {
    onError: rethrowLater,
    // Without a connection there are no events; listeners learn of that from `onDidClose`.
    onListening: (isListening) => client.tell(isListening ? 'attach' : 'detach', {}),
  });
  transport.onDidClose(() =>
    client.close((subject) => failure('server/gone', subject, `The connection to the owner at ${socketPath} ended.`)),
  );
  try {
    return {
      ...client.api,
      owner: await greet(client.api, options),
      onDidDrop: transport.onDidDrop,
      onDidClose: transport.onDidClose,
      close: () => transport.close(),
    };
  } catch (error) {
    transport.close();
    throw error;
  }
}

async function greet(api: Api, { socketPath, clock, signal }: ConnectOptions): Promise<ClientApi['owner']> {
  const hello = api.request('hello', { protocol: protocolVersion }, signal);
  const owner = await withTimeout(clock, helloTimeoutMs, hello, () =>
    failure('server/gone', socketPath, 'The owner of the vault does not answer.'),
  );
  if (owner.protocol !== protocolVersion) {
    const message = `The owner speaks version ${owner.protocol} of the protocol, this program version ${protocolVersion}.`;
    throw failure('server/protocol', socketPath, message);
  }
  return owner;
}

function open(socketPath: string, signal: AbortSignal | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(givenUp('connect', signal));
      return;
    }
    const socket = createConnection(socketPath);
    const listening = onAbort(signal, () => socket.destroy(givenUp('connect', signal)));
    const onError = (cause: Error) => {
      listening.dispose();
      const message = `No owner answers at ${socketPath}: ${messageOf(cause)}.`;
      reject(cause instanceof RavelError ? cause : failure('server/gone', socketPath, message, { cause }));
    };
    socket.once('error', onError);
    socket.once('connect', () => {
      listening.dispose();
      socket.off('error', onError);
      resolve(socket);
    });
  });
}
