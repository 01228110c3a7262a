import type { Diagnostic } from '../base/errors.ts';
import type { RavelEvent } from '../model/event.ts';
import type { RequestId } from '../model/protocol.ts';

/**
 * One end of a connection that carries lines both ways, in order. What a line is made of is the carrier's own matter: a
 * socket has them as text, a page as values.
 */
export interface LineTransport<Sent, Received> {
  send(line: Sent): void;
  onLine(listener: (line: Received) => void): void;
}

/** The answer to the request with the same id. */
export type AnswerLine =
  | { readonly id: RequestId; readonly result: unknown }
  | { readonly id: RequestId; readonly error: Diagnostic };

/** What a client of an `Api` hears. */
export type ApiLine = AnswerLine | { readonly event: RavelEvent };
