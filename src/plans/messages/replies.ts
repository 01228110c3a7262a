import type { Supervisor } from '../../actors/supervisor.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { ReplySubject, Sender } from '../../model/message.ts';
import { replyId } from './answers.ts';

/** What became of a message, for its sender. */
export interface Reply {
  /** The message that it is about, and who had sent it. */
  readonly re: Ulid;
  readonly to: Sender;
  /** Who says so; where it is now. */
  readonly by: QualifiedId;
  readonly about: ReplySubject;
  /** The reason, or the answer. */
  readonly text: string;
  readonly task?: string;
  readonly citations?: readonly string[];
}

/**
 * Tells the sender of a message what became of it. Its id follows from the message and from what is told, so that the
 * mailbox takes it once however often it is sent. A person has no mailbox: events and the vault's files tell them.
 */
export async function sendReply(actors: Pick<Supervisor, 'send'>, reply: Reply): Promise<void> {
  const { re, to, by, about, text, task, citations } = reply;
  if (to === 'person') return;
  await actors.send(
    {
      ...{ id: replyId(re, about), type: 'reply', from: by, to, re, about, text, by },
      ...(task !== undefined && { task }),
      ...(citations !== undefined && { citations: [...citations] }),
    },
    { isRepeat: true },
  );
}
