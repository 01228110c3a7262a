import type { QualifiedId } from '../model/id.ts';
import type { Message, MessageOutcome } from '../model/message.ts';

/**
 * What an actor does with its messages. The supervisor knows nothing else of it: not whether it is a plan or an expert.
 * One message at a time; a rejected promise is a crash.
 */
export interface Behaviour {
  /**
   * Carries a message out. It may come again after a crash (delivery is at-least-once), so each of its effects must be
   * one that can be told from the message's id (design 3, "Mailbox record"). `signal` aborts when the actor is stopped.
   */
  handle(message: Message, signal: AbortSignal): Promise<MessageOutcome>;
  /** Lets go of what the actor holds in memory; what must survive is on disk already. */
  stop(): Promise<void>;
}

/** Wakes an actor. A rejected promise is a failed start, and counts as a crash. */
export type SpawnActor = (actor: QualifiedId) => Promise<Behaviour>;
