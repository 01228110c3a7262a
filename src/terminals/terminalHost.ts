import { createDeferred } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import type { Disposable } from '../base/disposable.ts';
import { parseJson } from '../base/json.ts';
import { encodeLine, NdjsonDecoder } from '../base/ndjson.ts';
import {
  type TerminalExit,
  type TerminalReply,
  type TerminalRequest,
  terminalRequestSchema,
} from '../model/terminal.ts';
import type { Pty } from './pty.ts';
import { Scrollback } from './scrollback.ts';

/** The half of a socket that a terminal needs. */
export interface TerminalSocket {
  /** False once what was written waits; `onDrain` tells when it does no longer. */
  write(line: string): boolean;
  onDrain(listener: () => void): void;
  end(): void;
}

export interface TerminalHostOptions {
  readonly pty: Pty;
  readonly clock: Clock;
  /** Ends the program and everything it started. */
  readonly endAll: () => Promise<void>;
}

/** How much of what was printed is kept for who comes later, in UTF-16 units. */
const scrollbackUnits = 1024 * 1024;
const pieceUnits = 32 * 1024;
/** The longest line a client may send: a large pasted text comes in several. */
const requestBytesMax = 1024 * 1024;
/** How far the program may be ahead of the fastest client before it has to wait, and where it may go on. */
const leadUnitsMax = 256 * 1024;
const leadUnitsLow = 64 * 1024;
/** A window that sleeps must not stop a program: it catches up from what is kept. */
const stalledMs = 5000;
/** A program's last output can come after its end; so long without any it is taken for complete. */
const quietMs = 250;
const quietMsMax = 2000;
const hurriedQuietMs = 30;
/** How long a client may take to read the end. */
const drainMs = 5000;

interface Client {
  readonly socket: TerminalSocket;
  /** The place up to which it was told; undefined until it attaches. */
  next: number | undefined;
  canWrite: boolean;
  shown: 'running' | 'exited';
}

/**
 * One program on a pseudo-terminal and all clients that look at it. Each client reads what is kept at its own pace; the
 * fastest one sets the pace of the program. The client that resized last sets the size.
 */
export class TerminalHost {
  readonly #options: TerminalHostOptions;
  readonly #scrollback = new Scrollback(scrollbackUnits);
  readonly #clients = new Set<Client>();
  readonly #ended = createDeferred<TerminalExit>();
  readonly #drained = createDeferred<void>();
  #pace: 'free' | 'waiting' | 'ignored' = 'free';
  #stall: Disposable | undefined;
  #exit: TerminalExit | undefined;
  #complete = false;
  #lastDataMs: number;
  #quietMs = quietMs;

  constructor(options: TerminalHostOptions) {
    this.#options = options;
    const { pty, clock } = options;
    this.#lastDataMs = clock.monotonicMs();
    pty.onData((text) => this.#onData(text));
    pty.onExit((exit) => this.#onExit(exit));
  }

  /** Resolves once the program has ended and every client has all of its output. */
  get ended(): Promise<TerminalExit> {
    return this.#ended.promise;
  }

  /** Clients that were connected and have not gone away. */
  get clients(): number {
    return this.#clients.size;
  }

  /** A client came; the answer takes its bytes, and `undefined` if it went away. */
  add(socket: TerminalSocket): (chunk: Uint8Array | undefined) => void {
    const client: Client = { socket, next: undefined, canWrite: true, shown: 'running' };
    const decoder = new NdjsonDecoder(requestBytesMax);
    this.#clients.add(client);
    socket.onDrain(() => {
      client.canWrite = true;
      this.#update(client);
    });
    return (chunk) => {
      if (chunk === undefined) {
        this.#clients.delete(client);
        this.#keepPace();
        this.#checkAllDrained();
        return;
      }
      for (const item of decoder.push(chunk)) {
        if (item.kind === 'line') this.#onLine(client, item.text);
      }
    };
  }

  /** This process is told to end: it still says how its program ended, but waits no longer than it must. */
  hurry(): void {
    this.#quietMs = hurriedQuietMs;
    // It ends by itself if it can; who wants it ended harder does so.
    this.kill().catch(() => undefined);
  }

  /** Ends the program, on request or because it is no longer needed. */
  async kill(): Promise<void> {
    if (this.#exit === undefined) await this.#options.endAll();
  }

  #onLine(client: Client, text: string): void {
    const parsed = terminalRequestSchema.safeParse(parseJson(text));
    // A line that is not one of our requests changes nothing, as an unknown field does.
    if (parsed.success) this.#onRequest(client, parsed.data);
  }

  #onRequest(client: Client, { attach, input, resize, kill }: TerminalRequest): void {
    const { pty } = this.#options;
    const isRunning = this.#exit === undefined;
    if (resize !== undefined && isRunning) pty.resize(resize);
    if (attach !== undefined) {
      client.next = Math.min(attach.from ?? 0, this.#scrollback.end);
      this.#update(client);
    }
    if (input !== undefined && isRunning) pty.write(input);
    // It ends by itself if it can; a failure shows as a program that goes on.
    if (kill === true) this.kill().catch(() => undefined);
  }

  #onData(text: string): void {
    this.#lastDataMs = this.#options.clock.monotonicMs();
    this.#scrollback.add(text);
    for (const client of this.#clients) this.#update(client);
    this.#keepPace();
  }

  #update(client: Client): void {
    while (client.canWrite && client.next !== undefined) {
      const piece = this.#scrollback.read(client.next, pieceUnits);
      if (piece === undefined) break;
      if (piece.from > client.next) this.#write(client, { from: piece.from });
      client.next = piece.next;
      this.#write(client, { data: piece.text, next: piece.next });
    }
    this.#checkDrained(client);
    this.#keepPace();
  }

  #checkDrained(client: Client): void {
    const isBehind = client.next === undefined || client.next < this.#scrollback.end;
    if (!this.#complete || this.#exit === undefined || isBehind || client.shown === 'exited') return;
    client.shown = 'exited';
    this.#write(client, { exit: this.#exit });
    this.#checkAllDrained();
  }

  #write(client: Client, reply: TerminalReply): void {
    client.canWrite = client.socket.write(encodeLine(reply)) && client.canWrite;
  }

  /** The program waits for the fastest client, unless that one does not move at all. */
  #keepPace(): void {
    const places = [...this.#clients].flatMap(({ next }) => next ?? []);
    const lead = places.length === 0 ? 0 : this.#scrollback.end - Math.max(...places);
    if (lead <= leadUnitsLow) this.#setPace('free');
    else if (lead > leadUnitsMax && this.#pace === 'free') this.#setPace('waiting');
  }

  #setPace(pace: 'free' | 'waiting' | 'ignored'): void {
    if (pace === this.#pace) return;
    const { pty, clock } = this.#options;
    this.#pace = pace;
    this.#stall?.dispose();
    this.#stall = undefined;
    if (pace === 'waiting') {
      pty.pause();
      this.#stall = clock.schedule(stalledMs, () => this.#setPace('ignored'));
    } else pty.resume();
  }

  #onExit(exit: TerminalExit): void {
    const { clock } = this.#options;
    this.#exit = exit;
    this.#setPace('free');
    this.#lastDataMs = clock.monotonicMs();
    this.#awaitQuiet(exit, clock.monotonicMs());
  }

  #awaitQuiet(exit: TerminalExit, exitedMs: number): void {
    const { clock } = this.#options;
    clock.schedule(this.#quietMs, () => {
      const now = clock.monotonicMs();
      const isQuiet = now - this.#lastDataMs >= this.#quietMs;
      if (isQuiet || now - exitedMs >= quietMsMax) this.#conclude(exit);
      else this.#awaitQuiet(exit, exitedMs);
    });
  }

  #conclude(exit: TerminalExit): void {
    this.#complete = true;
    for (const client of this.#clients) this.#checkDrained(client);
    this.#checkAllDrained();
    const late = this.#options.clock.schedule(drainMs, () => this.#drained.resolve());
    void this.#drained.promise.then(() => {
      late.dispose();
      for (const { socket } of this.#clients) socket.end();
      this.#ended.resolve(exit);
    });
  }

  #checkAllDrained(): void {
    const waits = [...this.#clients].some(({ shown: told, next }) => told === 'running' && next !== undefined);
    if (this.#complete && !waits) this.#drained.resolve();
  }
}
