import type { QualifiedId } from '../model/id.ts';
import type { Json } from '../model/json.ts';
import type { Message, MessageOutcome } from '../model/message.ts';

/**
 * What a behaviour is told about this delivery of a message, and where it keeps what it has done already.
 *
 * A message may come again after a crash. Its effects are numbered from 0 in the order in which the behaviour makes
 * them; what `record` was given is durable once it resolves, and `done` finds it in every later delivery, until the
 * message is done with. An effect that can be made and recorded in one go needs nothing else. One that cannot must be
 * able to tell by itself whether it happened before a crash kept it from being recorded.
 */
export interface Delivery {
  /** Aborts when the actor is stopped and has had its time to end in order. */
  readonly signal: AbortSignal;
  /** From 1. Above 1 an earlier delivery threw, or the process died in it. */
  readonly attempt: number;
  /** What an earlier delivery of this message recorded for the effect; undefined if it recorded nothing. */
  done(effectIndex: number): Json | undefined;
  /** Writes, syncs, then resolves. Rejects if the disk refuses; let that reject the handler. */
  record(effectIndex: number, outcome: Json): Promise<void>;
}

/** A message that can not be handled before others have done something; in words for a person what that is. */
export interface Postponed {
  readonly kind: 'postponed';
  readonly reason: string;
}

/**
 * What an actor does with its messages. The supervisor knows nothing else of it: not whether it is a plan or an expert.
 * One message at a time; a rejected promise is a crash, unless it says what the system refuses for a moment (`refusal.ts`).
 */
export interface Behaviour {
  /**
   * Carries a message out. Delivery is at-least-once; `delivery` helps to make each effect exactly once. One that is
   * postponed stays in front, with those behind it, and is delivered again when `Supervisor.resume` is told that it may
   * be handled, after a restart, and every few minutes; no attempt is counted, and what was recorded is kept.
   */
  handle(message: Message, delivery: Delivery): Promise<MessageOutcome | Postponed>;
  /** Releases what the actor holds in memory; what must survive is on disk already. */
  stop(): Promise<void>;
}

/** Wakes an actor. A rejected promise is a failed start, and counts as a crash; what is refused for a moment does not. */
export type SpawnActor = (actor: QualifiedId) => Promise<Behaviour>;
