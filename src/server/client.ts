import { createConnection, type Socket } from 'node:net';
import { createDeferred, type Deferred, withTimeout } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { type Disposable, toDisposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { type Diagnostic, messageOf, RavelError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { encodeLine, NdjsonDecoder } from '../base/ndjson.ts';
import { failure } from '../model/codes.ts';
import type { RavelEvent } from '../model/event.ts';
import {
  type Api,
  lineBytesMax,
  type RequestName,
  type RequestParams,
  type RequestResults,
} from '../model/protocol.ts';
import { protocolVersion } from '../model/protocolVersion.ts';

/** How long an owner may take to answer the greeting. */
const helloTimeoutMs = 5_000;

/** How a connection ended: the owner said goodbye, it went away without a word, or this side closed. */
export type CloseReason = 'goodbye' | 'lost' | 'closed';

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
export async function connect({ socketPath, clock, signal }: ConnectOptions): Promise<ClientApi> {
  const client = new Client(await open(socketPath, signal), socketPath);
  try {
    const hello = client.request('hello', { protocol: protocolVersion }, signal);
    const owner = await withTimeout(clock, helloTimeoutMs, hello, () =>
      failure('server/gone', socketPath, 'The owner of the vault does not answer.'),
    );
    if (owner.protocol !== protocolVersion) {
      const message = `The owner speaks version ${owner.protocol} of the protocol, this program version ${protocolVersion}.`;
      throw failure('server/protocol', socketPath, message);
    }
    return client.toApi(owner);
  } catch (error) {
    client.close();
    throw error;
  }
}

function open(socketPath: string, signal: AbortSignal | undefined): Promise<Socket> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) {
      reject(givenUp('connect', signal));
      return;
    }
    const socket = createConnection(socketPath);
    const onAbort = () => socket.destroy(givenUp('connect', signal));
    signal?.addEventListener('abort', onAbort, { once: true });
    const onError = (cause: Error) => {
      signal?.removeEventListener('abort', onAbort);
      const message = `No owner answers at ${socketPath}: ${messageOf(cause)}.`;
      reject(cause instanceof RavelError ? cause : failure('server/gone', socketPath, message, { cause }));
    };
    socket.once('error', onError);
    socket.once('connect', () => {
      signal?.removeEventListener('abort', onAbort);
      socket.off('error', onError);
      resolve(socket);
    });
  });
}

function givenUp(subject: string, signal: AbortSignal | undefined): RavelError {
  return failure('run/stopped', subject, 'The request was given up.', { cause: signal?.reason });
}

/** Multiplexes requests over one socket by their ids. */
class Client {
  readonly #socket: Socket;
  readonly #socketPath: string;
  readonly #decoder = new NdjsonDecoder(lineBytesMax);
  readonly #pending = new Map<number, Deferred<unknown>>();
  readonly #events = new Emitter<RavelEvent>(rethrowLater);
  readonly #drops = new Emitter<number>(rethrowLater);
  readonly #closes = new Emitter<CloseReason>(rethrowLater);
  #nextId = 0;
  #listeners = 0;
  #closed: CloseReason | undefined;
  #leaving = false;

  constructor(socket: Socket, socketPath: string) {
    this.#socket = socket;
    this.#socketPath = socketPath;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    // 'close' follows every error and is where it is handled.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#onClose(this.#leaving ? 'goodbye' : 'lost'));
  }

  toApi(owner: RequestResults['hello']): ClientApi {
    return {
      owner,
      request: (name, params, signal) => this.request(name, params, signal),
      onEvent: (listener) => this.#listen(listener),
      onDidDrop: this.#drops.event,
      onDidClose: this.#closes.event,
      close: () => this.close(),
    };
  }

  async request<Name extends RequestName>(
    name: Name,
    params: RequestParams<Name>,
    signal?: AbortSignal,
  ): Promise<RequestResults[Name]> {
    if (signal?.aborted) throw givenUp(name, signal);
    const { id, promise } = this.#send(name, params);
    if (signal === undefined) return (await promise) as RequestResults[Name];
    const aborted = createDeferred<never>();
    const onAbort = () => {
      // Whether the owner heard of it changes nothing for a caller that waits no longer.
      this.#send('cancel', { id }).promise.catch(() => undefined);
      aborted.reject(givenUp(name, signal));
    };
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return (await Promise.race([promise, aborted.promise])) as RequestResults[Name];
    } finally {
      signal.removeEventListener('abort', onAbort);
      // The caller has given up this request, so it does not get the answer.
      promise.catch(() => undefined);
    }
  }

  close(): void {
    this.#onClose('closed');
    this.#socket.end();
    this.#socket.destroySoon();
  }

  #send(request: string, params: unknown): { readonly id: number; readonly promise: Promise<unknown> } {
    const id = this.#nextId++;
    const deferred = createDeferred<unknown>();
    if (this.#closed !== undefined) {
      deferred.reject(this.#gone(request));
      return { id, promise: deferred.promise };
    }
    this.#pending.set(id, deferred);
    this.#socket.write(encodeLine({ id, request, params }));
    return { id, promise: deferred.promise };
  }

  #listen(listener: (event: RavelEvent) => void): Disposable {
    this.#listeners++;
    if (this.#listeners === 1) this.#follow('attach');
    const listening = this.#events.event(listener);
    return toDisposable(() => {
      listening.dispose();
      this.#listeners--;
      if (this.#listeners === 0) this.#follow('detach');
    });
  }

  #follow(request: 'attach' | 'detach'): void {
    // Without a connection there are no events; listeners learn of that from `onDidClose`.
    this.#send(request, {}).promise.catch(() => undefined);
  }

  #onData(chunk: Buffer): void {
    for (const item of this.#decoder.push(chunk)) {
      if (item.kind === 'tooLong' || !this.#onLine(item.text)) {
        this.#socket.destroy();
        return;
      }
    }
  }

  /** False for a line that no owner of ours writes: the connection is then useless. */
  #onLine(text: string): boolean {
    if (text.trim() === '') return true;
    const line = parseObject(text);
    if (line === undefined) return false;
    if ('event' in line) this.#events.emit(line['event'] as RavelEvent);
    if (typeof line['dropped'] === 'number') this.#drops.emit(line['dropped']);
    if (line['goodbye'] === true) this.#leaving = true;
    if (typeof line['id'] === 'number') this.#settle(line['id'], line);
    return true;
  }

  #settle(id: number, line: Readonly<Record<string, unknown>>): void {
    const deferred = this.#pending.get(id);
    this.#pending.delete(id);
    if ('error' in line) deferred?.reject(new RavelError(line['error'] as Diagnostic));
    else deferred?.resolve(line['result']);
  }

  #onClose(reason: CloseReason): void {
    if (this.#closed !== undefined) return;
    this.#closed = reason;
    for (const deferred of this.#pending.values()) deferred.reject(this.#gone('connection'));
    this.#pending.clear();
    this.#closes.emit(reason);
  }

  #gone(request: string): RavelError {
    return failure('server/gone', request, `The connection to the owner at ${this.#socketPath} ended.`);
  }
}

function parseObject(text: string): Readonly<Record<string, unknown>> | undefined {
  const value = parseJson(text);
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
}

/** A listener that throws is a defect of the listener: it must surface, and must not tear the connection down. */
function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
