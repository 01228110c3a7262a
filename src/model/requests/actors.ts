import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { ActorStateName } from '../event.ts';
import type { QualifiedId, Ulid } from '../id.ts';
import { isUlid } from '../id.ts';
import { name } from './parameters.ts';

const actor = name.min(1).describe('qualified id of a plan, its project alone for its root plan, or expert:<id>');
const message = name.min(1).describe('id of a dead letter, or its beginning');

const envelope = {
  to: actor,
  /** A ULID of the sender's own: sent again with it, the message is taken in once. */
  id: z.string().refine(isUlid, 'it is not a ULID').optional(),
};

/** Requests about messages, and about the plans and experts that take them in. */
export const actorRequests = {
  send: z
    .discriminatedUnion('type', [
      z.object({ ...envelope, type: z.literal('note'), text: z.string().trim().min(1) }),
      z.object({
        ...envelope,
        type: z.literal('dispatch'),
        reason: z.string().trim().min(1),
        body: z.string().trim().min(1),
      }),
    ])
    .describe(
      "a person's message to a plan (an expert takes none: `expert/questionsOnly`, or `expert/unknown`): a `note` with its `text`, or a `dispatch` with `reason` and `body`; with an `id` of your own, a ULID, you can send it again and it is taken in once. Answered once it is on disk",
    ),
  actors: z
    .object({})
    .describe(
      'the plans and experts that are not dormant; `waitsBecause` says why the messages of one wait although nothing is wrong with it',
    ),
  dead_letters: z
    .object({ actor: actor.optional() })
    .describe('messages that could not be delivered, all or those of one actor'),
  redeliver: z.object({ message }).describe('gives a dead letter to its actor once more'),
  discard: z.object({ message }).describe('drops a dead letter'),
  revive: z.object({ actor }).describe('lets a faulted actor take in messages again'),
} as const;

/** How an actor stands beside what its files say. */
export interface ActorSummary {
  readonly state: ActorStateName;
  /** Messages that wait, the one in hand included. */
  readonly queued: number;
  readonly deadLetters: number;
  /** Why it takes no more messages. */
  readonly fault?: Diagnostic;
  /** Why what waits is not handled for now, though nothing is wrong with it: a full inbox, a full disk, no free place. */
  readonly waitsBecause?: string;
}

export interface ActorRow extends ActorSummary {
  readonly actor: QualifiedId;
}

export interface DeadLetterRow {
  readonly message: Ulid;
  readonly actor: QualifiedId;
  readonly type: string;
  readonly from: string;
  readonly at: string;
  readonly attempts: number;
  readonly reason: string;
  /** The text of the message, never shortened. */
  readonly text: string;
}

export interface ActorResults {
  send: {
    readonly message: Ulid;
    readonly to: QualifiedId;
    /** For a note: the session that runs, and is told with its next step. */
    readonly session?: Ulid;
  };
  actors: { readonly actors: readonly ActorRow[] };
  dead_letters: { readonly deadLetters: readonly DeadLetterRow[] };
  redeliver: { readonly message: Ulid; readonly actor: QualifiedId };
  discard: { readonly message: Ulid; readonly actor: QualifiedId };
  /** `wasFaulted`: whether it took in nothing before. */
  revive: ActorRow & { readonly wasFaulted: boolean };
}
