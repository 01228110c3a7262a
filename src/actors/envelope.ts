import { type Clock, formatTimestamp } from '../base/clock.ts';
import type { Cause, Message, NewMessage } from '../model/message.ts';
import { reservedNames } from './record.ts';

/**
 * Puts a new message into its envelope: when it was accepted, and its place in a chain of messages. Fields that have the
 * name of one of the mailbox's own are left out.
 */
export function seal(message: NewMessage, clock: Pick<Clock, 'wallMs'>, cause?: Cause): Message {
  const fields = reservedNames.some((name) => Object.hasOwn(message, name)) ? withoutReserved(message) : message;
  const { id, type, from, to, ...body } = fields;
  const ts = formatTimestamp(clock.wallMs());
  const depth = cause === undefined ? 0 : cause.depth + 1;
  return { id, type, from, to, ...body, ts, depth, origin: cause?.origin ?? id } as Message;
}

function withoutReserved(message: NewMessage): NewMessage {
  const kept = Object.entries(message).filter(([name]) => !reservedNames.some((reserved) => reserved === name));
  return Object.fromEntries(kept) as NewMessage;
}
