import { defined } from '../base/defined.ts';
import { isRavelError } from '../base/errors.ts';
import { deriveUlid } from '../base/ulid.ts';
import type { QualifiedId, Ulid } from './id.ts';
import { isMessageRefusal, type MessageSender, type ReplySubject, type Sender } from './message.ts';
import { person } from './person.ts';

/** What became of a message, for its sender. */
export interface Reply {
  /** The message that it is about, and who had sent it. */
  readonly re: Ulid;
  readonly to: Sender;
  /** The plan or expert that says so, where the message is now; without it, a person or no receiver at all. */
  readonly by?: QualifiedId | undefined;
  readonly about: ReplySubject;
  /** The reason, or the answer. */
  readonly text: string;
  readonly task?: string | undefined;
  readonly citations?: readonly string[];
  /** Of several questions back, which; the first is 1. */
  readonly round?: number | undefined;
}

/**
 * The id of the message that tells a sender what became of its own: always the same for the same news, whichever process
 * sends it. So a mailbox takes it once, and a session that learned it from its own call is not told again.
 */
export function replyId(re: Ulid, about: ReplySubject, round?: number): Ulid {
  return deriveUlid(['reply', re, about, ...(round === undefined ? [] : [String(round)])]) as Ulid;
}

/**
 * Tells the sender of a message what became of it, once however often this is done. A person has no mailbox: events and
 * the vault's files tell them.
 */
export async function sendReply(actors: MessageSender, reply: Reply): Promise<void> {
  const { re, to, by, about, text, task, citations, round } = reply;
  if (to === person) return;
  await actors.send(
    {
      ...{ id: replyId(re, about, round), type: 'reply', from: by ?? person, to, re, about, text },
      ...defined({ by, task }),
      ...(citations !== undefined && { citations: [...citations] }),
    },
    { isRepeat: true },
  );
}

/** For a reply that holds nothing up: a sender that takes nothing in any more cannot be told. Rethrows any other error. */
export function ignoreRefusal(error: unknown): void {
  if (!isRavelError(error) || !isMessageRefusal(error.code)) throw error;
}
