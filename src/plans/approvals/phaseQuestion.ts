import { type ApprovalKind, optionsOf } from '../../model/approval.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { Phase } from '../../model/phase.ts';
import type { ApprovalRequest } from './approvals.ts';

/** A question that a phase needs answered to go on. */
export interface ApprovalQuestion {
  readonly kind: ApprovalKind;
  readonly reason: string;
  readonly details: unknown;
}

export interface PhaseOfSession {
  readonly plan: QualifiedId;
  readonly phase: Phase;
  readonly session: Ulid;
}

/** The question as a person is asked it; the same question of the same phase always reads the same. */
export function requestOf({ plan, phase, session }: PhaseOfSession, question: ApprovalQuestion): ApprovalRequest {
  const { kind, reason, details } = question;
  const subject = `${phase} of ${plan}: ${reason}`;
  return { kind, plan, session, subject, options: optionsOf(kind, details), details };
}
