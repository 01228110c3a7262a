import { type ReasoningPhase, reasoningPhases } from './phase.ts';

/**
 * What a session that belongs to no phase is asked: `route` where a message goes, `check` whether one plan
 * takes it, `answer` a question to a plan, `facts` what a message is about, `absorb` whether an expert takes in what a plan
 * learned, `horizon` what a text of others is worth trying for, `plan` which
 * plans and tasks reach a goal. It reads, answers by one of its tools, and changes nothing.
 */
export const consultationPurposes = ['route', 'check', 'answer', 'facts', 'absorb', 'horizon', 'plan'] as const;
export type ConsultationPurpose = (typeof consultationPurposes)[number];

/** What a session is started for. */
export type SessionPurpose = ReasoningPhase | ConsultationPurpose;

export const sessionPurposes: readonly SessionPurpose[] = [...reasoningPhases, ...consultationPurposes];

export function isConsultation(purpose: SessionPurpose): purpose is ConsultationPurpose {
  return consultationPurposes.some((known) => known === purpose);
}
