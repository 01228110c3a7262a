import type { Approval, Decision, StandingKind } from '../../model/approval.ts';
import type { Answer } from '../approvals/decisions.ts';
import type { Effected } from './effect.ts';

/** How a standing question stands now, beside what was written down when it was asked. */
export interface StandingPage {
  /** For people, in several lines. */
  readonly shown: string;
  /** What a person edits, where they can. */
  readonly form?: string;
}

/**
 * What is behind a question that no phase waits with. It is known above this room, which is only handed it. As with every
 * effect, a decision is on disk before it is carried out, and after a crash it is carried out again.
 */
export interface StandingEffect {
  describe(approval: Approval): Promise<StandingPage>;
  /** Throws where the answer could not be carried out. */
  check(approval: Approval, answer: Answer): Promise<void>;
  carryOut(decision: Decision): Promise<Effected>;
}

/** One for each standing kind; one that is forgotten does not compile. */
export type StandingEffects = Readonly<Record<StandingKind, StandingEffect>>;
