import type { Socket } from 'node:net';
import { Emitter } from '../base/emitter.ts';
import { isRecord, parseJson } from '../base/json.ts';
import { encodeLine, NdjsonDecoder } from '../base/ndjson.ts';
import { type ClientLine, lineBytesMax } from '../model/protocol.ts';
import type { ApiLine, LineTransport } from '../wire/lineTransport.ts';

/** How a connection ended: the owner said goodbye, it went away without a word, or this side closed. */
export type CloseReason = 'goodbye' | 'lost' | 'closed';

/** The client's end of a socket: one line of JSON for each message. */
export class SocketTransport implements LineTransport<ClientLine, ApiLine> {
  readonly #socket: Socket;
  readonly #decoder = new NdjsonDecoder(lineBytesMax);
  readonly #lines = new Emitter<ApiLine>(rethrowLater);
  readonly #drops = new Emitter<number>(rethrowLater);
  readonly #closes = new Emitter<CloseReason>(rethrowLater);
  #leaving = false;
  #isClosed = false;

  readonly onDidDrop = this.#drops.event;
  readonly onDidClose = this.#closes.event;

  constructor(socket: Socket) {
    this.#socket = socket;
    socket.on('data', (chunk: Buffer) => this.#onData(chunk));
    // 'close' follows every error and is where it is handled.
    socket.on('error', () => undefined);
    socket.on('close', () => this.#onClose(this.#leaving ? 'goodbye' : 'lost'));
  }

  send(line: ClientLine): void {
    this.#socket.write(encodeLine(line));
  }

  onLine(listener: (line: ApiLine) => void): void {
    this.#lines.event(listener);
  }

  close(): void {
    this.#onClose('closed');
    this.#socket.end();
    this.#socket.destroySoon();
  }

  #onData(chunk: Buffer): void {
    for (const item of this.#decoder.push(chunk)) {
      if (item.kind === 'tooLong' || !this.#onText(item.text)) {
        this.#socket.destroy();
        return;
      }
    }
  }

  /** False for a line that no owner of ours writes: the connection is then useless. */
  #onText(text: string): boolean {
    if (text.trim() === '') return true;
    const line = parseJson(text);
    if (!isRecord(line)) return false;
    if (typeof line['dropped'] === 'number') this.#drops.emit(line['dropped']);
    if (line['goodbye'] === true) this.#leaving = true;
    // The owner is a Ravel of the same protocol, so the contents of its lines are not looked into.
    if ('event' in line || typeof line['id'] === 'number') this.#lines.emit(line as unknown as ApiLine);
    return true;
  }

  #onClose(reason: CloseReason): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#closes.emit(reason);
  }
}

/** A listener that throws is a defect of the listener: it must surface, and must not tear the connection down. */
export function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
