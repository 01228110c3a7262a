import { assert } from '../base/assert.ts';
import type { QualifiedId } from '../model/id.ts';
import { type Message, messageSchema } from '../model/message.ts';
import type { Cursor } from './cursor.ts';
import type { FoundRecord } from './mailboxFile.ts';
import { type Effects, parseRecord } from './record.ts';

/** A message in hand: this attempt to deliver it is on disk. */
export interface InFlightMessage {
  readonly seq: number;
  readonly content:
    | { readonly kind: 'message'; readonly message: Message }
    /** Whole, but in a form that this version does not know. */
    | { readonly kind: 'unreadable'; readonly fields: Readonly<Record<string, unknown>>; readonly reason: string }
    /** A person gave it up, so as to get at those behind it. */
    | { readonly kind: 'lost' };
  /** Deliveries that were begun, this one included. */
  readonly started: number;
  /** Those before it that ended with an error; in all others the process died. */
  readonly threw: number;
  /** How often it was given up and delivered again. */
  readonly redelivered: number;
  readonly effects: Effects;
}

/** The cursor of an actor that comes to this record and has not tried it. */
export function freshCursor(actor: QualifiedId, seq: number, offset: number): Cursor {
  return { actor, seq, offset, started: 0, threw: 0, effects: {} };
}

/** One more attempt at the record that the cursor names. */
export function begin(
  record: FoundRecord,
  cursor: Cursor,
): { readonly cursor: Cursor; readonly inFlight: InFlightMessage } {
  assert(record.seq === cursor.seq && record.offset === cursor.offset, 'the cursor names the record');
  const content = parseRecord(record.line);
  // What was recorded since it was delivered again is newer than what it brought along.
  const effects = { ...content?.redelivery?.effects, ...cursor.effects };
  const begun = { ...cursor, started: cursor.started + 1, effects };
  assert(begun.started > begun.threw, 'an attempt is under way');
  const { seq, started, threw } = begun;
  const redelivered = content?.redelivery?.count ?? 0;
  return {
    cursor: begun,
    inFlight: { seq, content: readContent(content?.message), started, threw, redelivered, effects },
  };
}

function readContent(fields: Readonly<Record<string, unknown>> | undefined): InFlightMessage['content'] {
  if (fields === undefined) return { kind: 'lost' };
  const { data, error } = messageSchema.safeParse(fields);
  if (data !== undefined) return { kind: 'message', message: data };
  return { kind: 'unreadable', fields, reason: error.issues[0]?.message ?? 'it has another form' };
}
