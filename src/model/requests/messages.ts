import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import { isUlid, type QualifiedId, type Ulid } from '../id.ts';
import type { MessageType, Sender } from '../message.ts';
import type { AnswerConfidence, CitedPassage } from '../receipt.ts';
import type { RouteOutcome } from '../routing.ts';
import { targetShape } from '../targetSchema.ts';
import { nameLengthMax } from './parameters.ts';

/** Characters of a reply or an answer. */
const replyLengthMax = 32_000;
/** Open questions of one answer. */
const questionsMax = 500;

const name = z.string().min(1).max(nameLengthMax);

const envelope = {
  ...targetShape(name),
  /** The plan it is sent for; without it the person sends it. */
  from: name.optional(),
  /** A ULID of the sender's own: sent again with it, the message is taken in once. */
  id: z.custom<Ulid>((value) => typeof value === 'string' && isUlid(value), 'it is not a ULID').optional(),
};

/** Requests that hand something to the right receiver, wherever that is. */
export const messageRequests = {
  dispatch: z
    .object({
      ...envelope,
      reason: z.string().trim().min(1),
      body: z.string().trim().min(1),
      /** A task of `from` that this was: it is noted there. */
      task: name.optional(),
    })
    .describe(
      'hands a task to the right plan or expert: `target-plan`, `target-project` (with `suggested-target-plan`), `target-expert` or `target: auto`, with `reason` and `body`; `from` a plan, or from you; `task` is the id of a task of `from` that is handed on. `outcome` is absent while Ravel is looking for its receiver; the event `message.routed` reports it',
    ),
  ask: z
    .object({
      ...envelope,
      question: z.string().trim().min(1),
      reason: z.string().trim().min(1).optional(),
      /** How long to wait for the answer; 0 for not at all. */
      'wait-seconds': z.number().nonnegative().max(3600).default(0),
    })
    .describe('asks in the same way, with `question`; waits for the answer for up to `wait-seconds`'),
  answer: z.object({ query: name }).describe('the answer to a question, or the state of the question'),
  reply: z
    .object({
      query: name,
      text: z.string().trim().min(1).max(replyLengthMax),
      /** Of the sender's own: sent again with it, the reply is taken in once. */
      id: z.string().min(1).max(nameLengthMax).optional(),
      'wait-seconds': z.number().nonnegative().max(3600).default(0),
    })
    .describe(
      'replies to what was asked back about the question `query`; waits for the answer for up to `wait-seconds`',
    ),
  answer_in_place: z
    .object({ query: name, text: z.string().trim().min(1).max(replyLengthMax) })
    .describe(
      'gives the answer to a question in the place of the plan or expert that was asked; the first answer holds',
    ),
  questions: z
    .object({ to: name.optional(), limit: z.number().int().positive().max(questionsMax).default(questionsMax) })
    .describe(
      'questions to plans and experts that have no answer yet, the oldest first, those `to` one of them or all; with what was asked back',
    ),
  /** Messages that look for their receiver: the 500 oldest, and how many there are. */
  routing: z.object({}).describe('messages whose receiver Ravel is looking for, the oldest first'),
} as const;

/** A message that is on its way, for a list. Of one whose file cannot be read only the id is known, and what is wrong. */
export interface PendingRow {
  readonly message: Ulid;
  readonly type?: MessageType;
  readonly from?: Sender;
  readonly at?: string;
  /** Where it stands, in a few words. */
  readonly state: string;
  /** The session that is asked just now. */
  readonly session?: Ulid;
  /** The approval it waits for. */
  readonly approval?: Ulid;
  /** Beginning of what it says, on one line; or why it cannot be read. */
  readonly subject: string;
}

/** A question back, which waits for the asker. */
export interface AskedBackRow {
  readonly by: QualifiedId;
  readonly text: string;
  /** The first is 1. */
  readonly round: number;
}

/** A question that has no answer yet. */
export interface OpenQuestionRow {
  readonly query: Ulid;
  readonly to: QualifiedId;
  readonly from: Sender;
  readonly at: string;
  /** Beginning of the question, on one line. */
  readonly question: string;
  /** What its asker is asked back, and has not replied to. */
  readonly askedBack?: AskedBackRow;
}

/** What came of a question. */
export interface Answer {
  readonly query: Ulid;
  readonly question: string;
  readonly from: Sender;
  readonly by: QualifiedId;
  readonly at: string;
  /** `refused`, with the reason as text, if it gets no answer. */
  readonly state: 'answered' | 'refused';
  readonly text: string;
  /** Entries, tasks or files that it rests on, as the answering session named them. */
  readonly citations: readonly string[];
  readonly session?: Ulid;
  readonly usd?: number;
  /** Of an expert: the words that it rests on, each checked, unless the answer is not supported. */
  readonly passages?: readonly CitedPassage[];
  readonly confidence?: AnswerConfidence;
  readonly isSupported?: boolean;
  /** The receipt that it was taken from, without a session. */
  readonly reusedFrom?: Ulid;
  /** A person answered in the place of whom was asked. */
  readonly isByPerson?: boolean;
}

export interface MessageResults {
  /** `outcome` is absent while it is being routed; what it comes to is told by `message.routed`. */
  dispatch: { readonly message: Ulid; readonly outcome?: RouteOutcome };
  ask: {
    readonly query: Ulid;
    readonly outcome?: RouteOutcome;
    readonly answer?: Answer;
    /** What its asker is asked back instead, and answers with `reply`. */
    readonly askedBack?: AskedBackRow;
  };
  answer: { readonly answer?: Answer; readonly pending?: PendingRow; readonly askedBack?: AskedBackRow };
  reply: { readonly query: Ulid; readonly answer?: Answer; readonly askedBack?: AskedBackRow };
  answer_in_place: { readonly answer: Answer };
  /** `total` counts those that fit, also beyond the limit. */
  questions: {
    readonly questions: readonly OpenQuestionRow[];
    readonly total: number;
    readonly diagnostics: readonly Diagnostic[];
  };
  routing: { readonly pending: readonly PendingRow[]; readonly total: number };
}
