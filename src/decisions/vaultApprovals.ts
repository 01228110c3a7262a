import type { Approval, Decision, VaultApprovalKind } from '../model/approval.ts';
import type { PersonsAnswer } from '../plans/approvals/decisions.ts';
import type { DecisionResult } from './decisionHandler.ts';

/** How an approval of the vault looks now, beside what was written down when it was asked. */
export interface VaultApprovalPage {
  /** For people, in several lines. */
  readonly shown: string;
  /** What a person edits, if they can. */
  readonly form?: string;
}

/**
 * What is behind a question that no phase waits with. It is known above this room, which is only handed it. As with every
 * effect, a decision is on disk before it is carried out, and after a crash it is carried out again.
 */
export interface VaultApprovalHandler {
  describe(approval: Approval): Promise<VaultApprovalPage>;
  /** Throws if the answer could not be carried out. */
  check(approval: Approval, answer: PersonsAnswer): Promise<void>;
  carryOut(decision: Decision): Promise<DecisionResult>;
}

/** One for each kind of approval that belongs to no phase; a missing one does not compile. */
export type VaultApprovalHandlers = Readonly<Record<VaultApprovalKind, VaultApprovalHandler>>;
