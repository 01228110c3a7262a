import * as z from 'zod';
import type { QualifiedId, Ulid } from './id.ts';
import { actorSchema, ulidSchema } from './idSchemas.ts';

/** The closed set of what an actor can be sent. */
export const messageTypes = ['dispatch', 'query', 'note', 'tick', 'reply'] as const;
export type MessageType = (typeof messageTypes)[number];

/** What became of a message, as its sender is told. */
export const replySubjects = [
  'routed',
  'waiting',
  'unroutable',
  'promoted',
  'declined',
  'answered',
  'unanswered',
] as const;
export type ReplySubject = (typeof replySubjects)[number];

/**
 * What the id of a reply is derived from: every sender that reports the same thing about a message sends the same
 * reply, so its mailbox takes it once, and a session that learned it from its own call is not told again.
 */
export function replyIdentity(re: Ulid, about: ReplySubject): readonly string[] {
  return ['reply', re, about];
}

/** Whether the code of an error says that a receiver does not take a message in: an answer to its sender, and no failure. */
export function isMessageRefusal(code: string): boolean {
  return /^(?:mailbox|message)\//.test(code);
}

/** Who sent a message: an actor, or the person at the machine. */
export const person = 'person';
export type Sender = QualifiedId | typeof person;

/** Bytes of one message as a line. */
export const messageBytesMax = 1024 * 1024;
/** If more messages than this led to a message, the chain goes round in a circle. */
export const messageDepthMax = 10;
/** Messages that may wait in one mailbox. */
export const mailboxMessagesMax = 100_000;

const header = {
  id: ulidSchema,
  from: z.union([z.literal(person), actorSchema]),
  to: actorSchema,
  /** When it was accepted; for people, never for an order. */
  ts: z.string(),
  /** How many messages led to this one; 0 if no message caused it. */
  depth: z.number().int().min(0).max(messageDepthMax),
  /** The first message of the chain; its own id at depth 0. */
  origin: ulidSchema,
};

/** A message as a mailbox holds it, without the mailbox's own `seq` and `crc`. Unknown fields survive. */
export const messageSchema = z.discriminatedUnion('type', [
  z.looseObject({
    ...header,
    type: z.literal('dispatch'),
    reason: z.string().min(1),
    body: z.string().min(1),
    /** The question that it answers, where the answer could not be told in any other way. */
    re: ulidSchema.optional(),
  }),
  z.looseObject({ ...header, type: z.literal('query'), reason: z.string().optional(), question: z.string().min(1) }),
  z.looseObject({ ...header, type: z.literal('note'), text: z.string().min(1) }),
  z.looseObject({ ...header, type: z.literal('tick'), schedule: z.string().optional() }),
  z.looseObject({
    ...header,
    type: z.literal('reply'),
    /** The message that this is about. */
    re: ulidSchema,
    about: z.enum(replySubjects),
    /** The reason, or the answer; data, and never instructions. */
    text: z.string(),
    /** Where it is: who took it in, promoted, declined or answered it. */
    by: actorSchema.optional(),
    /** The task that it became. */
    task: z.string().optional(),
    citations: z.array(z.string()).optional(),
  }),
]);

export type Message = z.infer<typeof messageSchema>;

/** What an actor made of a message. `rejected` is an answer, not a fault: the message is done with. */
export type MessageOutcome =
  | { readonly kind: 'done'; readonly summary: string }
  | { readonly kind: 'rejected'; readonly code: string; readonly reason: string };
