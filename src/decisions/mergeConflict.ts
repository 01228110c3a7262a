import { failure } from '../model/codes.ts';
import type { PersonsAnswer } from '../plans/approvals/decisions.ts';
import type { ApprovalQuestion } from '../plans/approvals/phaseQuestion.ts';
import { retryPhase } from '../plans/phases/retry.ts';
import { verdictIn } from '../plans/proposals/callJournal.ts';
import { type ConflictsByFile, parseConflicts } from '../plans/proposals/conflictForm.ts';
import { type ApplyJob, planMerge } from '../plans/proposals/plannedMerge.ts';
import { type Resolution, saveResolution } from '../plans/proposals/resolution.ts';
import type { Asked, DecisionHandler, DecisionParts } from './decisionHandler.ts';
import { dismissed } from './dismissed.ts';
import { loadProposal } from './proposalOf.ts';

/** A session and a person changed the same thing: one side stands, or what the person writes. */
export const mergeConflict: DecisionHandler = {
  async ask(parts, asked) {
    return questionOf(parts, asked, { approval: asked.approval.id, files: {} });
  },

  async check(parts, asked, answer) {
    if (answer.decision === 'reject') return;
    const question = await questionOf(parts, asked, resolutionOf(asked, answer));
    if (question !== undefined) throw failure('gate/refused', asked.approval.id, question.reason);
  },

  async carryOut(parts, asked, decision, stop) {
    if (decision.decision === 'reject') return dismissed(parts, asked);
    const { paths } = await loadProposal(parts.services, asked);
    await saveResolution(parts.services.disk, paths, resolutionOf(asked, decision));
    const report = await retryPhase(parts.services, parts.runner, { location: asked.location }, stop);
    return { did: 'The conflicts are settled as you decided, and the phase was applied.', report };
  },
};

async function questionOf(
  { services }: DecisionParts,
  asked: Asked,
  resolution: Resolution,
): Promise<ApprovalQuestion | undefined> {
  const { transaction, paths, calls } = await loadProposal(services, asked);
  const verdict = verdictIn(calls);
  if (verdict?.kind !== 'accepted' && verdict?.kind !== 'givenUp') return undefined;
  const job: ApplyJob = { transaction, paths, verdict };
  const planned = await planMerge(services, job, resolution);
  return planned.outcome === 'question' ? planned : undefined;
}

function resolutionOf({ approval }: Asked, { decision, option, text }: PersonsAnswer): Resolution {
  const conflicts = approval.details as ConflictsByFile;
  if (decision === 'edit') {
    return { approval: approval.id, files: parseConflicts(text ?? '', conflicts, approval.id) };
  }
  const take = option === 'session' ? 'session' : 'person';
  const files = Object.entries(conflicts).map(([file, list]) => [file, list.map((conflict) => ({ conflict, take }))]);
  return { approval: approval.id, files: Object.fromEntries(files) };
}
