import type { AnswerWord, Decision } from '../../model/approval.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { isUnderWay, loadRunState, type RunState, saveRunState } from '../../vault/runState.ts';
import { forgetUnderWay, recordUnderWay } from '../../vault/underWay.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { closeApproval, loadReadable } from '../approvals/approvals.ts';
import { commitDecision } from '../approvals/decisionCommits.ts';
import { emitDecision, recordDecision } from '../approvals/decisions.ts';
import type { PlanServices } from '../services.ts';

/** Changes the run state on disk. Only the owner of the vault writes it, one phase of a plan at a time. */
export async function updateRunState(
  services: VaultPorts,
  plan: QualifiedId,
  change: (old: RunState) => RunState,
): Promise<RunState> {
  const state = change(await loadRunState(services, plan));
  await saveRunState(services, plan, state);
  return state;
}

/** Brings the index of work under way in line with the run state, once all that follows from it is done. */
export async function settleUnderWay(ports: VaultPorts, plan: QualifiedId): Promise<void> {
  if (isUnderWay(await loadRunState(ports, plan))) await recordUnderWay(ports, plan);
  else await forgetUnderWay(ports, plan);
}

/**
 * Changes the run state for something that starts, or that a person dropped: what was unfinished before is answered by
 * that, and the question that was open is taken back.
 */
export async function clearUnfinished(
  services: PlanServices,
  plan: QualifiedId,
  change: (old: RunState) => RunState,
  answer: AnswerWord = 'retry',
): Promise<void> {
  const { waiting } = await loadRunState(services, plan);
  await updateRunState(services, plan, ({ interrupted: _interrupted, waiting: _waiting, ...old }) => change(old));
  if (waiting === undefined) return;
  const made = await recordAnswer(services, waiting.approval, answer);
  await closeApproval(services, waiting.approval);
  if (made !== undefined) await commitDecision(services, made);
}

/** What a person did with the phase is their answer to what it asked, unless they had decided that. */
async function recordAnswer(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit' | 'person'>,
  id: Ulid,
  decision: AnswerWord,
): Promise<Decision | undefined> {
  // This also answers a question whose file can no longer be read, but then there is nothing to record.
  const approval = await loadReadable(services, id);
  const made = approval && (await recordDecision(services, approval, { decision }));
  if (made !== undefined) emitDecision(services, made);
  return made;
}
