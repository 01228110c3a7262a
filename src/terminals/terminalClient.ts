import { createConnection } from 'node:net';
import { defined } from '../base/defined.ts';
import { toDisposable } from '../base/disposable.ts';
import { Emitter } from '../base/emitter.ts';
import { messageOf } from '../base/errors.ts';
import { parseJson } from '../base/json.ts';
import { encodeLine, NdjsonDecoder } from '../base/ndjson.ts';
import { failure } from '../model/codes.ts';
import {
  type TerminalClient,
  type TerminalExit,
  type TerminalReply,
  type TerminalRequest,
  terminalReplySchema,
} from '../model/terminal.ts';

/** Far more than a piece of a scrollback with each of its characters escaped. */
const lineBytesMax = 4 * 1024 * 1024;
/** A pasted text goes in lines that the host accepts. */
const inputUnitsMax = 64 * 1024;

/** Connects to the host of a terminal; rejects with `terminal/gone` if it does not answer. */
export async function connectTerminal(socketPath: string): Promise<TerminalClient> {
  const socket = createConnection(socketPath);
  await new Promise<void>((resolve, reject) => {
    socket.once('connect', resolve);
    socket.once('error', (cause) => {
      const message = `The terminal has ended: nothing answers at ${socketPath} (${messageOf(cause)}).`;
      reject(failure('terminal/gone', socketPath, message, { cause }));
    });
  });
  const data = new Emitter<{ readonly text: string; readonly next: number }>(rethrowLater);
  const exits = new Emitter<TerminalExit>(rethrowLater);
  const losses = new Emitter<void>(rethrowLater);
  const decoder = new NdjsonDecoder(lineBytesMax);
  let state: 'open' | 'over' = 'open';
  const onReply = (reply: TerminalReply) => {
    if ('data' in reply) data.emit({ text: reply.data, next: reply.next });
    if ('exit' in reply) {
      state = 'over';
      exits.emit(reply.exit);
    }
  };
  socket.on('data', (chunk: Buffer) => {
    for (const item of decoder.push(chunk)) {
      const parsed = item.kind === 'line' ? terminalReplySchema.safeParse(parseJson(item.text)) : undefined;
      if (parsed?.success === true) onReply(parsed.data);
    }
  });
  // 'close' follows every error and is where it is handled.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    if (state === 'open') losses.emit();
    state = 'over';
  });
  const send = (request: TerminalRequest) => void socket.write(encodeLine(request));
  return {
    onData: (listener) => data.event(({ text, next }) => listener(text, next)),
    onExit: exits.event,
    onLost: losses.event,
    attach: (from) => send({ attach: defined({ from }) }),
    write(text) {
      for (let start = 0; start < text.length; start += inputUnitsMax) {
        send({ input: text.slice(start, start + inputUnitsMax) });
      }
    },
    resize: (size) => send({ resize: size }),
    kill: () => send({ kill: true }),
    dispose: toDisposable(() => {
      state = 'over';
      socket.destroySoon();
      for (const emitter of [data, exits, losses]) emitter.dispose();
    }).dispose,
  };
}

function rethrowLater(error: unknown): void {
  queueMicrotask(() => {
    throw error;
  });
}
