import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { ActivityTotals, Bounded, PlanActivity } from '../activity.ts';
import type { ApprovalKind } from '../approval.ts';
import type { QualifiedId, Ulid } from '../id.ts';

/** What happened while a person was away. */
export const sinceRequests = {
  since: z
    .object({
      since: z
        .string()
        .max(100)
        .refine((text) => Number.isFinite(Date.parse(text)), 'it is not a time')
        .describe('ISO 8601; whatever happened in the same second counts'),
      plans: z.number().int().positive().max(1000).optional(),
      items: z.number().int().positive().max(1000).optional(),
    })
    .describe(
      'what happened since a time, by plan: cycles, commits, decisions of people, rollbacks, refusals by gates, messages, what was learned, costs; of at most `plans` plans (20) and `items` of each list (10), with the number of all; and what `waiting` for a person now. A history that cannot be read is left out, and named under `diagnostics`',
    ),
} as const;

/** What needs a person: a question, a phase that did not finish, or a paused run. */
export interface WaitingItem {
  readonly kind: ApprovalKind | 'unfinished-phase' | 'paused-run';
  readonly plan?: QualifiedId;
  readonly approval?: Ulid;
  readonly text: string;
}

export interface SinceResults {
  since: {
    readonly since: string;
    /** The time of the answer; a request that begins here misses nothing. */
    readonly until: string;
    readonly plans: readonly PlanActivity[];
    readonly totals: ActivityTotals;
    readonly waiting: Bounded<WaitingItem>;
    readonly diagnostics: readonly Diagnostic[];
  };
}
