import * as z from 'zod';
import { nameLengthMax, plan } from './parameters.ts';

/** Why something is as it is: back to what caused it, and on to what it led to. */
export const causalityRequests = {
  why: z
    .object({
      /** A task (`<plan>#<task>`, or the task's id with `plan`), a message, a rule, a suggestion, a session or a commit. */
      subject: z.string().min(1).max(nameLengthMax),
      plan: plan.optional(),
    })
    .describe(
      '`subject`, for a task also its `plan`: the causes and effects of a task, message, rule, suggestion, session or commit, as `nodes`, `links` that say how one led to the other, and `gaps`: sentences about what cannot be followed',
    ),
} as const;

export const causeKinds = [
  'task',
  'message',
  'decision',
  'rule',
  'suggestion',
  'session',
  'commit',
  'answer',
  'person',
] as const;
export type CauseKind = (typeof causeKinds)[number];

export interface CauseNode {
  /** Unique within the answer: `<kind>:<id>`. */
  readonly key: string;
  readonly kind: CauseKind;
  readonly id: string;
  readonly plan?: string;
  readonly at?: string;
  /** One line: what it is. */
  readonly title: string;
  /** The words that were given with it: a reason, a justification, a summary. */
  readonly detail?: string;
}

export interface CauseLink {
  readonly from: string;
  readonly to: string;
  /** How the one led to the other: `was promoted to`, `was routed by`. */
  readonly how: string;
}

export interface CausalityResults {
  why: {
    readonly subject: string;
    readonly nodes: readonly CauseNode[];
    readonly links: readonly CauseLink[];
    /** What could not be followed any further, and why, as whole sentences. */
    readonly gaps: readonly string[];
  };
}
