import { nextTurn } from '../base/async.ts';
import { type Diagnostic, messageOf, RavelError } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import type { Logger } from '../base/log.ts';
import { encodeLine, NdjsonDecoder, type NdjsonItem } from '../base/ndjson.ts';
import { Semaphore } from '../base/semaphore.ts';
import { beginning } from '../base/text.ts';
import { diagnostic, failure } from '../model/codes.ts';
import {
  type Api,
  type ClientLine,
  clientLineSchema,
  lineBytesMax,
  type RequestId,
  type RequestName,
  type RequestParams,
  requestIdSchema,
  type ServerLine,
  toRequestName,
} from '../model/protocol.ts';
import { isLasting, isReadOnly } from '../model/requestKinds.ts';
import { ApiConnection } from '../wire/apiConnection.ts';
import { type EventBlock, Outbox } from './outbox.ts';
import { sessionsOnly } from './sessionApi.ts';

/** The id in an answer to a line that could not be read far enough to know its own. */
const noRequestId = -1;

/** How many requests of one client run at a time; its next lines wait, so that it does not starve the others. */
const shortRequestsMax = 64;

/**
 * How many lasting requests one client can have; more are refused, because letting them wait would keep a `cancel` from
 * being read.
 */
const lastingRequestsMax = 1_000;

/**
 * How many requests that only read run at a time; the others wait their turn: what each of them reads is parsed on this
 * thread, and all that was read by then is parsed before any other client is heard.
 */
const readsMax = 4;

/**
 * Lines of one client that are begun in one turn of the event loop. What another client asks for can need a hundred
 * turns, one for each file that is read, and each of them waits for the lines begun in it.
 */
const linesEachTurn = 64;

/** What it ends may be all that kept the owner here, which then leaves: it is answered before that. */
const answeredBeforeLeaving: RequestName = 'stop';

/** The half of a socket that a connection needs. */
export interface ConnectionSocket {
  write(bytes: Uint8Array): boolean;
  pause(): void;
  resume(): void;
  /** Closes after what was written is out. */
  end(): void;
}

export interface ConnectionOptions {
  readonly api: Api;
  readonly socket: ConnectionSocket;
  readonly log: Logger;
  /** Delivers the events gathered so far to all clients, so that no answer overtakes them. */
  readonly flushEvents: () => void;
  /** Rejects for a request that this client may not make. */
  readonly assertMay?: (request: RequestName, params: unknown) => Promise<void>;
  /** Whether the client uses the socket of sessions, which gets no events. */
  readonly isSession?: boolean;
}

/** How a server leaves: a session that heard a goodbye waits less long for the next owner. */
export type CloseNotice = 'goodbye' | 'nothing';

/** One client: reads its lines, runs its requests side by side, and writes answers and events in order. */
export class Connection {
  readonly #options: ConnectionOptions;
  readonly #decoder = new NdjsonDecoder(lineBytesMax);
  readonly #outbox: Outbox;
  readonly #reads = new Semaphore(readsMax);
  readonly #requests: ApiConnection;
  /** `answering`: the client asks no more, and gets what it asked for. */
  #state: 'open' | 'answering' | 'ending' | 'closed' = 'open';
  #attached = false;
  #isPaused = false;
  /** What was read and has to wait its turn. */
  #items: NdjsonItem[] = [];
  #begunThisTurn = 0;
  #unanswered = 0;
  #lasting = 0;
  /** Requests that the server does not leave without an answer to, and how it leaves then. */
  #awaited = 0;
  #notice: CloseNotice | undefined;

  constructor(options: ConnectionOptions) {
    this.#options = options;
    this.#outbox = new Outbox(options.socket);
    this.#requests = new ApiConnection({
      send: (line) => this.#send(line),
      ask: (request, params, signal) => this.#ask(request, params, signal),
      diagnosticOf: (error, request) => this.#diagnosticOf(error, request),
    });
  }

  onData(chunk: Uint8Array): void {
    // What comes after the end was decided is read to be dropped, so that the client can read why.
    if (this.#state !== 'open') return;
    this.#items = this.#items.concat(this.#decoder.push(chunk));
    this.#takeItems();
  }

  onDrain(): void {
    this.#outbox.onDrain();
    this.#takeItems();
    this.#endWhenWritten();
  }

  /**
   * The client says no more. It may have closed only its own side, as a pipe into `nc` does; then it still gets its
   * answers, and its events for as long as it likes. If it is gone, the blank line breaks the connection.
   */
  onEnd(): void {
    if (this.#state !== 'open') return;
    this.#state = 'answering';
    this.#outbox.sendReply(Buffer.from('\n'));
    this.#endWhenAnswered();
  }

  onClose(): void {
    this.#state = 'closed';
    this.#items = [];
    this.#requests.leave();
  }

  sendEvents(block: EventBlock): void {
    if (this.#attached && this.#isTalking) this.#outbox.sendEvents(block);
  }

  /** Closes once everything is written; the last line is a goodbye, unless `notice` says that there is none. */
  stop(notice: CloseNotice = 'goodbye'): void {
    if (!this.#isTalking) return;
    if (this.#awaited > 0) {
      this.#notice = notice;
      return;
    }
    if (notice === 'goodbye') this.#outbox.sendReply(Buffer.from(encodeLine({ goodbye: true } satisfies ServerLine)));
    this.#state = 'ending';
    this.#endWhenWritten();
  }

  get #isTalking(): boolean {
    return this.#state === 'open' || this.#state === 'answering';
  }

  /** Begins what waits, as far as there is room for it and for its answers; without room nothing more is read. */
  #takeItems(): void {
    while (this.#hasRoom && this.#begunThisTurn < linesEachTurn) {
      const item = this.#items.shift();
      if (item === undefined) break;
      this.#countInTurn();
      if (item.kind === 'line') this.#onLine(item);
      else this.#refuseLongLine();
    }
    if (!this.#isTalking) this.#items = [];
    const mustPause = this.#isTalking && (!this.#hasRoom || this.#items.length > 0);
    if (mustPause === this.#isPaused) return;
    this.#isPaused = mustPause;
    if (mustPause) this.#options.socket.pause();
    else this.#options.socket.resume();
  }

  #countInTurn(): void {
    if (this.#begunThisTurn === 0) {
      void nextTurn().then(() => {
        this.#begunThisTurn = 0;
        this.#takeItems();
      });
    }
    this.#begunThisTurn++;
  }

  get #hasRoom(): boolean {
    return this.#isTalking && this.#unanswered - this.#lasting < shortRequestsMax && !this.#outbox.isFull;
  }

  #endWhenAnswered(): void {
    if (this.#state !== 'answering' || this.#unanswered + this.#items.length > 0 || this.#attached) return;
    this.#state = 'ending';
    this.#endWhenWritten();
  }

  #endWhenWritten(): void {
    if (this.#state !== 'ending' || !this.#outbox.isEmpty) return;
    this.#options.socket.end();
  }

  #refuseLongLine(): void {
    const error = diagnostic('server/lineTooLong', 'connection', 'A line is longer than 8 MiB.');
    this.#send({ id: noRequestId, error });
    this.#state = 'ending';
    this.#endWhenWritten();
  }

  #onLine({ text, damaged }: Extract<NdjsonItem, { kind: 'line' }>): void {
    if (text.trim() === '') return;
    const line = damaged === true ? notUtf8 : parseClientLine(text);
    if ('code' in line) {
      this.#send({ id: idIn(text), error: line });
      return;
    }
    if (this.#options.isSession === true && (line.request === 'attach' || line.request === 'detach')) {
      this.#send({ id: line.id, error: sessionsOnly(line.request).diagnostic });
      return;
    }
    if (line.request === 'attach' || line.request === 'detach') {
      this.#attached = line.request === 'attach';
      this.#send({ id: line.id, result: {} });
      this.#endWhenAnswered();
      return;
    }
    if (line.request === 'cancel') {
      this.#send({ id: line.id, result: { cancelled: this.#cancel(line.params) } });
      return;
    }
    void this.#answer(line);
  }

  #cancel(params: unknown): boolean {
    const id = typeof params === 'object' && params !== null && 'id' in params ? params.id : undefined;
    const known = requestIdSchema.safeParse(id);
    return known.success && this.#requests.cancel(known.data);
  }

  async #answer(line: ClientLine): Promise<void> {
    const lasts = isLasting(line.request) ? 1 : 0;
    const isAwaited = line.request === answeredBeforeLeaving ? 1 : 0;
    this.#awaited += isAwaited;
    this.#unanswered++;
    this.#lasting += lasts;
    await this.#requests.answer(line);
    this.#unanswered--;
    this.#lasting -= lasts;
    this.#awaited -= isAwaited;
    if (this.#notice !== undefined) this.stop(this.#notice);
    this.#takeItems();
    this.#endWhenAnswered();
  }

  async #ask(name: string, given: unknown, signal: AbortSignal): Promise<unknown> {
    const request = toRequestName(name);
    if (this.#lasting > lastingRequestsMax) {
      const message = `This client has ${lastingRequestsMax} requests in progress already.`;
      throw failure('server/busy', request, message);
    }
    // The Api checks the parameters itself, whichever face they come through.
    const params = (given ?? {}) as RequestParams<RequestName>;
    if (this.#options.assertMay !== undefined) {
      await this.#options.assertMay(request, params);
      signal.throwIfAborted();
    }
    const ask = () => this.#options.api.request(request, params, signal);
    return isReadOnly(request, params) ? this.#reads.run(ask, signal) : ask();
  }

  #diagnosticOf(error: unknown, request: string) {
    if (error instanceof RavelError) return error.diagnostic;
    const stack = error instanceof Error ? error.stack : undefined;
    this.#options.log.error('a request failed without a diagnostic', { request, message: messageOf(error), stack });
    return diagnostic('base/internal', request, messageOf(error));
  }

  #send(line: ServerLine): void {
    if (!this.#isTalking) return;
    this.#options.flushEvents();
    this.#outbox.sendReply(encodeReply(line));
  }
}

const notUtf8 = diagnostic('server/badParams', 'connection', 'A line is not valid UTF-8.');

function parseClientLine(text: string): ClientLine | ReturnType<typeof diagnostic> {
  const value = parseJson(text);
  if (value === undefined) return diagnostic('server/badParams', 'connection', 'A line is not valid JSON.');
  const line = clientLineSchema.safeParse(value);
  if (line.success) return line.data;
  const issues = line.error.issues.map((issue) => `${issue.path.join('.') || 'line'}: ${issue.message}`);
  return diagnostic('server/badParams', 'connection', `A line is not a request. ${issues.join('; ')}`);
}

/** The id of a line that is otherwise not a request, so that its sender can tell which one was refused. */
function idIn(text: string): RequestId {
  const value = parseJson(text);
  const id = typeof value === 'object' && value !== null && 'id' in value ? value.id : undefined;
  const known = requestIdSchema.safeParse(id);
  return known.success ? known.data : noRequestId;
}

/** No answer is longer than the other side accepts; what was refused is told all the same. */
function encodeReply(line: ServerLine): Buffer {
  const bytes = Buffer.from(encodeLine(line));
  if (bytes.length <= lineBytesMax || !('id' in line)) return bytes;
  const error = 'error' in line ? shortErrorOf(line.error) : answerTooLong;
  return Buffer.from(encodeLine({ id: line.id, error } satisfies ServerLine));
}

const answerTooLong = diagnostic('server/lineTooLong', 'connection', 'The answer is longer than 8 MiB.', {
  help: 'Ask for less at once.',
});

/** What makes an error so long is something that the client sent, and that it repeats. */
function shortErrorOf({ code, severity, subject, message, help }: Diagnostic): Diagnostic {
  const short = (text: string) => beginning(text, shortTextMax);
  return {
    ...{ code, severity, subject: short(subject), message: short(message) },
    ...(help !== undefined && { help: short(help) }),
  };
}

/** Characters of each text of an error that takes the place of a message which was too long. */
const shortTextMax = 1_000;
