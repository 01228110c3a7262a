import * as z from 'zod';
import type { Diagnostic } from '../../base/errors.ts';
import type { Ulid } from '../id.ts';
import type { BackTest, RouteExplanation, RoutingDecision, RoutingResult, Suggestion } from '../routing.ts';
import { type Rule, routedTypes, ruleSchema } from '../rule.ts';
import { targetShape } from '../targetSchema.ts';
import { nameLengthMax } from './parameters.ts';

const name = z.string().min(1).max(nameLengthMax);

/** A rule as it is suggested, or as a person makes one of a suggestion. */
export const suggestedRuleSchema = ruleSchema.omit({ origin: true, enabled: true });

/** Requests about how messages find their receiver, and the rules that are learned of it. */
export const routingRequests = {
  /** What would happen to a message, without sending it. */
  explain_route: z
    .object({
      on: z.enum(routedTypes).default('dispatch'),
      from: name.optional(),
      ...targetShape(name),
      reason: z.string().optional(),
      body: z.string().min(1),
    })
    .describe(
      'a message in the form of `dispatches.yaml`, with `on` and `from`: its `facts` and the words that gave them, `rules` that match or nearly match, `candidates` with scores, `steps`, and the `outcome` if no session would be asked; sends nothing',
    ),
  /** Decisions, the newest first; with `message` that one, whole. */
  routes: z
    .object({
      /** At most `limit`; fewer if they are long, and then there is a `next`. */
      limit: z.number().int().positive().max(500).default(50),
      before: name.optional(),
      message: name.optional(),
    })
    .describe(
      'how messages found their receivers, the newest first, with the beginning of each text; `limit` (50, and fewer if they are long), the next page comes `before` its `next`; with `message` that one in full, with its `body`',
    ),
} as const;

/** Requests about the rules that there are and those that are suggested. */
export const ruleRequests = {
  rules: z.object({}).describe('the rules of `routing.yaml`, how often each decided, and the problems of the file'),
  suggestions: z
    .object({})
    .describe('suggested rules, each with its back-test, the objections to it, and its place in the file'),
  /** Of a suggestion that waits, or of any rule: `rule` as it would be accepted. */
  back_test: z
    .union([z.object({ approval: name }), z.object({ rule: suggestedRuleSchema })])
    .describe('tests a waiting suggestion (`approval`), or any `rule`, against the routing history'),
  /** Has Ravel look through the history for rules now, and not only when enough has been decided. */
  propose_rules: z.object({}).describe('looks through the routing history for rules, and suggests those that are new'),
  /** How many messages were routed, and by what. */
  routing_share: z
    .object({ days: z.number().int().positive().max(3660).default(90) })
    .describe('by day, how many messages were routed by which step, and what that cost'),
} as const;

export interface RuleRow extends Rule {
  /** How many decisions it made, and when the last. */
  readonly fired: number;
  readonly lastAt?: string;
  /** Line in the file, from 0. */
  readonly line?: number;
}

export interface SuggestionRow {
  readonly approval: Ulid;
  readonly contentHash: string;
  readonly createdAt: string;
  readonly suggestion: Suggestion;
  readonly backTest: BackTest;
  /** Why it cannot be accepted without an override, or at all; as whole sentences. */
  readonly objections: readonly string[];
  /** Rows of one group say nearly the same. */
  readonly group: string;
  /** Where in `routing.yaml` the rule would stand: behind this many rules, and at this line (from 0). */
  readonly place: { readonly index: number; readonly line: number };
  /** The rule as YAML, as it would stand in the file. */
  readonly yaml: string;
}

export interface ShareDay {
  /** As 2026-11-22, in local time. */
  readonly day: string;
  /** Decisions by the step that made them, without refusals. */
  readonly steps: Readonly<Record<string, number>>;
  readonly usd: number;
}

/** A decision as it is listed: of every text the beginning, so that a list stays small however long messages are. */
export interface RouteRow extends Omit<RoutingDecision, 'body'> {
  /** Beginning of the body, on one line. */
  readonly excerpt: string;
  /** The whole body, and then all other texts are whole too; only if one `message` is asked for. */
  readonly body?: string;
  /** When it was first decided about, right after it was sent; absent if `at` says that. Rows are in this order. */
  readonly firstAt?: string;
  /** What its receiver made of it. */
  readonly result?: RoutingResult;
}

export interface RoutingResults {
  explain_route: RouteExplanation;
  routes: {
    readonly routes: readonly RouteRow[];
    /** Where the following page begins. */
    readonly next?: Ulid;
  };
}

export interface RuleResults {
  rules: {
    readonly file: string;
    readonly rules: readonly RuleRow[];
    /** Faults of the file, and lint; if it does not parse, `rules` are the last good ones. */
    readonly diagnostics: readonly Diagnostic[];
  };
  suggestions: { readonly suggestions: readonly SuggestionRow[]; readonly file: string };
  back_test: BackTest;
  propose_rules: { readonly suggested: readonly Ulid[]; readonly checked: number };
  routing_share: { readonly days: readonly ShareDay[] };
}
