import type { Decision, PhaseApproval } from '../model/approval.ts';
import type { PhaseReport } from '../model/requests/runs.ts';
import type { PersonsAnswer } from '../plans/approvals/decisions.ts';
import type { ApprovalQuestion } from '../plans/approvals/phaseQuestion.ts';
import type { PhaseRunner } from '../plans/phases/phaseRunner.ts';
import type { PlanServices } from '../plans/services.ts';
import type { RunState } from '../vault/runState.ts';
import type { PlanLocation } from '../vault/walk.ts';

export interface DecisionParts {
  readonly services: PlanServices;
  readonly runner: PhaseRunner;
}

/** A question with the phase that waits for its answer. */
export interface Asked {
  readonly approval: PhaseApproval;
  readonly location: PlanLocation;
  readonly waiting: Waiting;
}

export type Waiting = NonNullable<RunState['waiting']>;

/** What came of a decision. */
export interface DecisionResult {
  /** A whole sentence. */
  readonly did: string;
  /** How the phase went on, if it did. */
  readonly report?: PhaseReport;
  /** How a person goes on, if a new session is to do so. */
  readonly next?: 'run' | 'retry';
}

/**
 * What is behind one kind of question: how it stands now, and what its answers do. A decision is on disk before it is
 * carried out; after a crash it is carried out again, so that every step has to find its own traces.
 */
export interface DecisionHandler {
  /** The question as it stands now; undefined if it asks nothing any more. */
  ask(parts: DecisionParts, asked: Asked): Promise<ApprovalQuestion | undefined>;
  /** Throws if the answer could not be carried out. */
  check(parts: DecisionParts, asked: Asked, answer: PersonsAnswer): Promise<void>;
  carryOut(parts: DecisionParts, asked: Asked, decision: Decision, stop: AbortSignal): Promise<DecisionResult>;
}
