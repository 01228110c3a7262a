import type { Code } from './codes.ts';
import type { QualifiedId, Ulid } from './id.ts';
import type { Sender } from './message.ts';
import type { NamedTarget, TargetFields, WithFields } from './namedTarget.ts';
import type { RoutedType, Rule } from './rule.ts';

/** Most facts of one message. */
export const factsMax = 5;

/** A message that looks for its receiver. */
export interface RoutedMessage {
  readonly id: Ulid;
  readonly type: RoutedType;
  readonly from: Sender;
  readonly target: NamedTarget;
  readonly reason: string;
  /** The task, or the question. Data, and never instructions. */
  readonly body: string;
  readonly depth: number;
  readonly origin: Ulid;
}

/** Whom messages can be routed to. */
export interface Recipient {
  readonly id: QualifiedId;
  readonly description: string;
  /** An expert's; a plan has none. */
  readonly tags: readonly string[];
}

/**
 * What decided, in the order in which they are asked. The session that sends a message is level 1: `level-2` is a routing session
 * over a project or the vault, `level-3` a check session over one plan.
 */
export const routingSteps = ['direct', 'rules', 'scores', 'level-2', 'level-3', 'person'] as const;
export type RoutingStep = (typeof routingSteps)[number];

/** The steps that cost no model. A person's word counts as none: a model had to give up before. */
export const modelFreeSteps: readonly RoutingStep[] = ['direct', 'rules', 'scores'];

export interface Candidate {
  readonly recipient: QualifiedId;
  /** 0 to 1. */
  readonly score: number;
  /** What the score is made of, for people: `description 0.40`, `outcomes 0.12`. */
  readonly parts: Readonly<Record<string, number>>;
  /** Different words of the message that its texts, or earlier messages to it, have. */
  readonly words?: number;
  /** Lines of its texts that speak for it, the strongest first; only of the likeliest candidates. */
  readonly lines?: readonly SpeakingLine[];
}

/** How far the best candidate was ahead of the second, and how far it had to be. */
export interface WeighedLead {
  /** As a share of its own score; 0 to 1. */
  readonly ahead: number;
  /** The lead that decides; absent if none is known to be right often enough. */
  readonly threshold?: number;
  /** What the threshold rests on: tasks of plans, and earlier decisions. */
  readonly tasks: number;
  readonly decisions: number;
}

/** A line of a recipient's own texts; data of others, like the texts. */
export interface SpeakingLine {
  /** Where it stands: `task retry-refunds`, `memory gateway-limits`, `README.md`. */
  readonly in: string;
  readonly line: string;
}

/** One session that was asked: 2 is a routing session over a project or the vault, 3 a check session over one plan. */
export interface Consulted {
  readonly level: 2 | 3;
  readonly session: Ulid;
  /** A project, a plan, or the whole vault. */
  readonly scope: string;
  readonly model?: string;
  readonly usd?: number;
  readonly durationMs: number;
  readonly answer: 'accept' | 'reject' | 'none';
  /** Where it is accepted, or whom it was passed on to. */
  readonly target?: string;
  readonly reasoning: string;
  /** What it said, if that was no answer. */
  readonly raw?: string;
}

export type RouteOutcome =
  | { readonly kind: 'routed'; readonly to: QualifiedId }
  | { readonly kind: 'refused'; readonly code: Code; readonly reason: string; readonly help?: string }
  /** It waits for a person under this approval. */
  | { readonly kind: 'waiting'; readonly approval: Ulid; readonly reason: string };

/** What was found out about a message; nothing of it if the message names its receiver. */
export interface Findings {
  readonly facts: readonly string[];
  readonly extractor: 'vocabulary' | 'model' | 'none';
  /** Ids of the rules that matched; of several targets among them, none decided. */
  readonly rules: readonly string[];
  readonly candidates: readonly Candidate[];
  /** What the lead of the best candidate was held against; absent if scores decide nothing. */
  readonly scoreLead?: WeighedLead;
  readonly consulted: readonly Consulted[];
}

/** A line of `runtime/routing-history.jsonl`: how one message found its receiver. Append-only; the newest of an id holds. */
export interface RoutingDecision extends Findings, Omit<WithFields<RoutedMessage>, 'id' | 'type'> {
  readonly type: 'decision';
  readonly message: Ulid;
  readonly at: string;
  readonly on: RoutedType;
  readonly step: RoutingStep;
  readonly outcome: RouteOutcome;
  readonly reasoning: string;
  readonly durationMs: number;
  readonly usd?: number;
  /** The person who decided, if one did. */
  readonly by?: string;
}

/** A line of the same file: what became of a message at its receiver. */
export interface RoutingResult {
  readonly type: 'result';
  readonly message: Ulid;
  readonly at: string;
  readonly plan: QualifiedId;
  readonly result: 'promoted' | 'declined';
  readonly task?: string;
  readonly reason?: string;
}

export type RoutingRecord = RoutingDecision | RoutingResult;

/** A rule as it is suggested: where it comes from is added when it is accepted. */
export type SuggestedRule = Pick<Rule, 'id' | 'on' | 'from' | 'all' | 'any' | 'none' | 'target' | 'note'>;

/** The details of an approval of the kind `rule-suggestion`. */
export interface Suggestion {
  readonly rule: SuggestedRule;
  /** The rule that it would take the place of; without it the rule is new. */
  readonly replaces?: string;
  readonly by: 'level-2' | 'history';
  readonly reason: string;
  /** The messages that led to it, the oldest first; their decisions are in the history. */
  readonly messages: readonly Ulid[];
  /** The routing session that suggested it. */
  readonly session?: Ulid;
}

/** The details of an approval of the kind `unroutable-message`. */
export interface UnroutableMessage {
  readonly message: Ulid;
  readonly on: RoutedType;
  readonly from: Sender;
  readonly named: TargetFields;
  /** Why it was sent, as its sender said. */
  readonly reason: string;
  /** The task, or the question; data, and never instructions. */
  readonly body: string;
  /** Why no plan or expert takes it, as whole sentences. */
  readonly why: string;
  /** The receivers that a person can choose by number, the likeliest first. */
  readonly candidates: readonly Candidate[];
}

/** A suggestion held against the routing history. */
export interface BackTest {
  /** Decisions that were looked at. */
  readonly decisions: number;
  readonly matched: number;
  readonly agreed: number;
  readonly disagreed: number;
  /** The newest, at most 20. */
  readonly disagreements: readonly Disagreement[];
  /** Rules that there are, which would make some of the matched messages ambiguous or answer them already. */
  readonly shadowedBy: readonly { readonly rule: string; readonly messages: number }[];
  /** Matched decisions that a model or a person had to make. */
  readonly freed: number;
  /**
   * Share of the newest decisions (at most 200, refusals left out) that no model made: as it was, and as it would have been;
   * 0 to 1.
   */
  readonly share: { readonly before: number; readonly after: number; readonly of: number };
}

export interface Disagreement {
  readonly message: Ulid;
  readonly at: string;
  /** Where it went. */
  readonly to: string;
  /** Beginning of its body, on one line. */
  readonly excerpt: string;
  readonly facts: readonly string[];
}

/** What would happen to a message and why, without doing it (`ravel route --explain`). */
export interface RouteExplanation {
  readonly facts: readonly { readonly fact: string; readonly from: readonly string[] }[];
  /** Those that match, then those that nearly do. */
  readonly rules: readonly {
    readonly rule: string;
    readonly target: string;
    readonly matches: boolean;
    readonly because: string;
  }[];
  readonly candidates: readonly Candidate[];
  readonly scoreLead?: WeighedLead;
  readonly steps: readonly { readonly step: RoutingStep; readonly text: string; readonly decided: boolean }[];
  /** Undefined if a session or a person would be asked. */
  readonly outcome?: RouteOutcome;
}
