import * as z from 'zod';
import type { QualifiedId } from './id.ts';
import { actorSchema, ulidSchema } from './idSchemas.ts';
import { person } from './person.ts';

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
  'askedBack',
  'stale',
] as const;
export type ReplySubject = (typeof replySubjects)[number];

/** Whether the code of an error says that a receiver does not take a message in: an answer to its sender, and no failure. */
export function isMessageRefusal(code: string): boolean {
  return /^(?:mailbox|message)\//.test(code);
}

/** Who sent a message: an actor, or the person at the machine. */
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
    /** The question that it answers, if the answer could not be told in any other way. */
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

type WithoutEnvelope<T> = T extends unknown
  ? {
      [Key in keyof T as string extends Key ? never : Key extends 'ts' | 'depth' | 'origin' ? never : Key]: T[Key];
    }
  : never;

/** A message as its sender writes it. The sender chooses the id, so that a message that is sent again is not taken for a new one. */
export type NewMessage = WithoutEnvelope<Message>;

/** The message that led to another: both belong to one chain. */
export type Cause = Pick<Message, 'depth' | 'origin'>;

/** Puts a message into its receiver's mailbox, which with `isRepeat` takes an id once. Rejects with what the mailbox refuses. */
export interface MessageSender {
  send(message: NewMessage, options: { readonly isRepeat: boolean; readonly cause?: Cause }): Promise<unknown>;
}

/** What an actor made of a message. `rejected` is an answer, not a fault: the message is done with. */
export type MessageOutcome =
  | { readonly kind: 'done'; readonly summary: string }
  | { readonly kind: 'rejected'; readonly code: string; readonly reason: string };
