import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { NamedTarget } from '../../model/namedTarget.ts';
import { toolFromVerb } from '../../model/verbs.ts';

/** The tool with which a session asks; it waits for the answer unless it is told not to. */
export const askTool = toolFromVerb('message/ask');

/** The tool with which a session replies to a question back, and waits in the same way. */
export const replyTool = toolFromVerb('message/reply');

/** A question whose answer a session waits for within its own call. */
export interface AskedQuestion {
  /** The same if the call is made again: a question is asked once. */
  readonly id: Ulid;
  readonly plan: QualifiedId;
  readonly session: Ulid;
  readonly target: NamedTarget;
  readonly reason: string;
  readonly body: string;
  /** The received message that it follows from. */
  readonly cause?: string;
}

/** What a question came to while its session waited. */
export interface QuestionEnd {
  /** The note that would tell it to a session that did not wait; told by the call itself, it is told. */
  readonly note: Ulid;
  readonly text: string;
  readonly isRefused: boolean;
}

/**
 * Asks and waits for the end; undefined if the time is over or the signal aborts, and then the end is told as a note.
 * Rejects if the question could not be taken in: it is to be left for later.
 */
export type AskQuestion = (question: AskedQuestion, signal: AbortSignal) => Promise<QuestionEnd | undefined>;

/** What a session replies to a question back. */
export interface GivenReply {
  readonly query: Ulid;
  readonly from: QualifiedId;
  readonly text: string;
  /** The same if the call is made again. */
  readonly id: string;
}

/** Gives the reply and waits as `AskQuestion` does. Rejects if the question waits for no reply, or not for one of this plan. */
export type GiveReply = (reply: GivenReply, signal: AbortSignal) => Promise<QuestionEnd | undefined>;

/** How a call is answered whose question has no answer yet. */
export function deferredText(id: Ulid): string {
  return `The question ${id} has no answer yet. Continue without it: the answer comes with one of your later calls, or else goes to the next triage.`;
}
