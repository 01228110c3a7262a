import { isRavelError } from '../../base/errors.ts';
import { deriveUlid } from '../../base/ulid.ts';
import { isCode } from '../../model/codes.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { isMessageRefusal, type ReplySubject, replyIdentity } from '../../model/message.ts';
import type { RoutedMessage } from '../../model/routing.ts';
import { fromActor } from '../../model/senders.ts';
import type { RefusedOutcome } from '../targets.ts';

/** A message in the form in which an actor is sent it. */
export type OutgoingMessage =
  | {
      readonly id: Ulid;
      readonly type: 'dispatch';
      readonly from: RoutedMessage['from'];
      readonly to: QualifiedId;
      readonly reason: string;
      readonly body: string;
    }
  | {
      readonly id: Ulid;
      readonly type: 'query';
      readonly from: RoutedMessage['from'];
      readonly to: QualifiedId;
      readonly reason?: string;
      readonly question: string;
    }
  | {
      readonly id: Ulid;
      readonly type: 'reply';
      readonly from: RoutedMessage['from'];
      readonly to: QualifiedId;
      readonly re: Ulid;
      readonly about: ReplySubject;
      readonly text: string;
      readonly by?: QualifiedId;
    };

/** Puts a message into its receiver's mailbox, which takes an id once where `isRepeat` is said. */
export type SendMessage = (
  message: OutgoingMessage,
  options: { readonly isRepeat: boolean; readonly cause?: Pick<RoutedMessage, 'depth' | 'origin'> },
) => Promise<unknown>;

/**
 * Hands a message to its receiver; with `isRepeat` once, however often this is done. What the mailbox refuses is an answer; any other
 * failure rejects, and then it has to be done again.
 */
export async function deliver(
  send: SendMessage,
  message: RoutedMessage,
  { to, isRepeat }: { readonly to: QualifiedId; readonly isRepeat: boolean },
): Promise<RefusedOutcome | undefined> {
  const { id, type, from, reason, body, depth, origin } = message;
  const outgoing: OutgoingMessage =
    type === 'dispatch'
      ? { id, type, from, to, reason, body }
      : { id, type, from, to, ...(reason !== '' && { reason }), question: body };
  try {
    // The mailbox seals a message one deeper than its cause.
    await send(outgoing, { isRepeat, ...(depth > 0 && { cause: { depth: depth - 1, origin } }) });
    return undefined;
  } catch (error) {
    if (!isRavelError(error) || !isMessageRefusal(error.code)) throw error;
    return { kind: 'refused', code: isCode(error.code) ? error.code : 'message/refused', reason: error.message };
  }
}

/** Tells an actor that waits what became of its message; a person watches the events. */
export async function replyTo(
  send: SendMessage,
  message: RoutedMessage,
  reply: { readonly about: 'routed' | 'waiting' | 'unroutable'; readonly text: string; readonly by?: QualifiedId },
): Promise<void> {
  const to = fromActor(message.from);
  if (to === undefined) return;
  const { about, text, by } = reply;
  const id = deriveUlid(replyIdentity(message.id, about)) as Ulid;
  const from = by ?? 'person';
  const outgoing: OutgoingMessage = { id, type: 'reply', from, to, re: message.id, about, text };
  try {
    await send(by === undefined ? outgoing : { ...outgoing, by }, { isRepeat: true });
  } catch (error) {
    // A sender that takes nothing in any more can not be told; the history keeps what became of its message.
    if (!isRavelError(error) || !isMessageRefusal(error.code)) throw error;
  }
}
