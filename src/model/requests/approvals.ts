import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import { type ApprovalKind, approvalKinds, type DecisionWord, decisionWords } from '../approval.ts';
import type { QualifiedId, Ulid } from '../id.ts';
import { name, plan } from './parameters.ts';
import type { PhaseReport } from './runs.ts';

const approval = name.min(1).describe('id of the question');

/** Days for which a question can be put off. */
export const deferDaysMax = 365;
const deferDaysUsually = 7;

/** Requests about questions for a person. */
export const approvalRequests = {
  approvals: z
    .object({
      plan: plan.optional(),
      kind: z.enum(approvalKinds).optional(),
      deferred: z.boolean().optional().describe('also those that a person deferred'),
    })
    .describe(
      'questions that wait for a person, one row each, the oldest first; those that a person `deferred` come back with their day, or if they are asked for',
    ),
  approval: z.object({ approval }).describe('one question in full, with its possible answers'),
  decide: z
    .object({
      approval,
      decision: z.enum(decisionWords),
      /** Of the content that was seen; of another one nothing is decided. */
      contentHash: name,
      /** Which of the options is accepted, if there are some. */
      option: name.optional(),
      /** The answer to a question, or the edited text. */
      text: z.string().optional(),
      reason: z.string().optional(),
      /** Accepts although something speaks against it, if that can be overridden. */
      override: z.boolean().optional(),
      /** Of proposed plans, the plans and tasks that are accepted; all without it. */
      only: z.array(name.min(1)).max(1000).optional(),
    })
    .describe("a person's answer to a question; requires the hash of the content that the person saw"),
  defer: z
    .object({ approval, days: z.number().int().min(1).max(deferDaysMax).default(deferDaysUsually) })
    .describe(
      'puts a question off for some `days` (7), if no phase waits for it; it stays as it is, and can be decided before',
    ),
} as const;

export interface ApprovalRow {
  readonly approval: Ulid;
  readonly kind: ApprovalKind;
  /** Absent if it belongs to no plan, such as a rule or a message that has no receiver. */
  readonly plan?: QualifiedId;
  /** One line: what is asked. */
  readonly subject: string;
  readonly createdAt: string;
  readonly options: readonly string[];
  readonly decisions: readonly DecisionWord[];
  readonly contentHash: string;
  /** Present if a person deferred it, also if that is over. */
  readonly deferredUntil?: string;
}

/** One way to answer, and what it does. */
export interface PossibleAnswer {
  readonly decision: DecisionWord;
  readonly option?: string;
  /** What is to be given beside it. */
  readonly text?: string;
  readonly does: string;
}

export interface ApprovalPage extends ApprovalRow {
  /** What kind of question it is, as a whole sentence. */
  readonly asks: string;
  /** The details in a form for people. */
  readonly shown: string;
  readonly details: unknown;
  readonly answers: readonly PossibleAnswer[];
  /** What a person edits, if they can. */
  readonly form?: string;
  readonly file: string;
}

export interface ApprovalResults {
  approvals: {
    readonly approvals: readonly ApprovalRow[];
    /** How many are left out because a person deferred them; absent for none. */
    readonly deferred?: number;
    readonly diagnostics: readonly Diagnostic[];
  };
  approval: ApprovalPage;
  defer: { readonly approval: Ulid; readonly until: string };
  decide: {
    readonly approval: Ulid;
    readonly plan?: QualifiedId;
    readonly decision: DecisionWord;
    /** What was done, as a whole sentence. */
    readonly did: string;
    /** How the phase went on, if it did. */
    readonly report?: PhaseReport;
    /** How a person goes on, if a new session is to do so; `resume` is the run that the question had stopped. */
    readonly next?: 'run' | 'retry' | 'resume';
  };
}
