import { dirname } from 'node:path';
import { defined } from '../../base/defined.ts';
import { toDiskError } from '../../base/diskErrors.ts';
import { ensureDirectory, exists, removeTree } from '../../base/files.ts';
import type { SessionOutcome } from '../../harness/adapter.ts';
import type { AnswerWord, Decision } from '../../model/approval.ts';
import type { PhaseEnd } from '../../model/event.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import { isCodePhase, isPhase, isReasoningPhase, nextPhase, type Phase } from '../../model/phase.ts';
import { planFiles } from '../../model/plan.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { loadRunState, type Running, type RunState, updateRunState } from '../../vault/runState.ts';
import type { VaultPorts } from '../../vault/vaultPorts.ts';
import { closeToolRequests, loadUndamaged, openApproval, removeApproval } from '../approvals/approvals.ts';
import { commitDecision } from '../approvals/decisionCommits.ts';
import { emitDecision, recordDecision } from '../approvals/decisions.ts';
import { type ApprovalQuestion, type PhaseOfSession, requestOf } from '../approvals/phaseQuestion.ts';
import { dropGrants } from '../approvals/toolGrants.ts';
import { bestEffort } from '../bestEffort.ts';
import { forgetLeft, recordLeft } from '../commits/leftSource.ts';
import { type ApplyResult, applyPhase, resumeCopyBack } from '../proposals/applyPhase.ts';
import { type FinishVerdict, redoLastCall } from '../proposals/callJournal.ts';
import { assertPlanThere } from '../proposals/copyBack.ts';
import { refreshViews } from '../proposals/renewViews.ts';
import { describeUnattributed, nothingLeft, unattributedQuestion } from '../proposals/unattributed.ts';
import { emitFor, type PlanServices, type PlanWriterPorts, timestamp } from '../services.ts';
import type { SessionEnded } from '../sessions/sessionRun.ts';
import type { StagingPaths, Transaction } from '../transaction.ts';

export interface Concluded {
  readonly end: PhaseEnd;
  readonly next: Phase;
  readonly summary: string;
  /** The question to a person, if the phase ended as waiting. */
  readonly approval?: Ulid;
}

export interface Conclusion {
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly verdict: FinishVerdict | undefined;
  /** How the process ended; absent if only the rest of an accepted phase is carried out. */
  readonly outcome?: SessionEnded;
}

/** Carries out what came of a session: its proposal is applied, or its phase ends in one of the other three ways. */
export async function concludePhase(services: PlanServices, conclusion: Conclusion): Promise<Concluded> {
  const { transaction, verdict, outcome } = conclusion;
  await closeToolRequests(services, transaction.session);
  if (outcome?.uncovered !== undefined) {
    const { message: reason } = outcome.uncovered;
    await endUnfinished(services, transaction, { end: 'failed', reason });
    return { end: 'failed', next: transaction.phase, summary: reason };
  }
  if (verdict === undefined) {
    // A session cannot finish without its plan, so that is the reason, whatever its process reported.
    await assertPlanThere(services, transaction.plan);
    const { end, reason } = endWithoutVerdict(outcome);
    await endUnfinished(services, transaction, { end, reason });
    return { end, next: transaction.phase, summary: reason };
  }
  switch (verdict.kind) {
    case 'accepted':
    case 'givenUp':
      return applyVerdict(services, conclusion, verdict);
    case 'waiting': {
      const question = await questionOf(services, conclusion, verdict);
      const approval = await openQuestion(services, transaction, question);
      return { end: 'waiting', next: transaction.phase, summary: question.reason, approval };
    }
    case 'refused':
    case 'failed': {
      await endUnfinished(services, transaction, { end: 'failed', reason: verdict.reason });
      return { end: 'failed', next: transaction.phase, summary: verdict.reason };
    }
  }
}

async function questionOf(
  services: PlanWriterPorts & Pick<PlanServices, 'git'>,
  { transaction, paths }: Conclusion,
  { approval: kind, reason }: Extract<FinishVerdict, { kind: 'waiting' }>,
): Promise<ApprovalQuestion> {
  if (kind !== 'unattributed-change') return { kind, reason, details: { question: reason } };
  return unattributedQuestion(await describeUnattributed(services, transaction, paths)) ?? nothingLeft;
}

async function applyVerdict(
  services: PlanServices,
  { transaction, paths }: Conclusion,
  verdict: Extract<FinishVerdict, { kind: 'accepted' | 'givenUp' }>,
): Promise<Concluded> {
  const job = { transaction, paths, verdict };
  await redoLastCall(services.disk, paths, services.layout.session(transaction.session));
  await updateRunState(services, transaction.plan, ({ running, ...old }) => ({
    ...old,
    ...(running !== undefined && { running: { ...running, step: 'applying' as const } }),
  }));
  const resumed = await resumeCopyBack(services, job);
  const result = resumed ?? (await applyPhase(services, job));
  return settleApply(services, { transaction, paths, verdict }, result);
}

/** After a copy-back: the run state says that the phase is over, and only then staging goes. */
async function settleApply(
  services: PlanWriterPorts & Pick<PlanServices, 'newUlid' | 'emit' | 'git'>,
  {
    transaction,
    paths,
    verdict,
  }: { readonly transaction: Transaction; readonly paths: StagingPaths; readonly verdict: FinishVerdict },
  result: ApplyResult,
): Promise<Concluded> {
  const { plan, phase, session } = transaction;
  if (result.outcome === 'question') {
    const approval = await openQuestion(services, transaction, result);
    return { end: 'waiting', next: phase, summary: result.reason, approval };
  }
  const next = (await phaseWord(services, plan)) ?? nextPhase(phase, true);
  const summary = summaryOf(verdict);
  const at = timestamp(services);
  // Grants must end, so this comes before the phase counts as over.
  await dropGrants(services, plan);
  // The commits that follow belong to this phase: a crash from here on is recovered by making them.
  const running = isCodePhase(next)
    ? { running: { phase: next, step: 'committing' as const, session, startedAt: at } }
    : {};
  await updateRunState(services, plan, ({ running: _running, answers: _answers, ...old }) => ({
    ...old,
    ...running,
    last: { phase, session, end: 'finished', at, summary },
  }));
  await Promise.all([
    bestEffort(services, plan, () => removeTree(services.disk, paths.root)),
    phase === 'work' ? bestEffort(services, plan, () => forgetLeft(services, plan, session)) : undefined,
    refreshViews(services, plan),
  ]);
  emitFor(services, plan, { type: 'phase.ended', phase, end: 'finished', next, session, summary });
  return { end: 'finished', next, summary };
}

function summaryOf(verdict: FinishVerdict): string {
  if (verdict.kind === 'accepted') {
    const { outcome, summary } = verdict.finish;
    return outcome === 'blocked' ? `Blocked: ${summary}` : summary;
  }
  return 'reason' in verdict ? verdict.reason : '';
}

async function phaseWord(services: VaultPorts, plan: QualifiedId): Promise<Phase | undefined> {
  const texts = await loadPlanTexts(services.disk, services.layout.plan(plan), [planFiles.phase]);
  const word = texts.get(planFiles.phase)?.trim() ?? '';
  return isPhase(word) ? word : undefined;
}

/** A session that exits without an accepted finish has failed, whatever its exit code. */
function endWithoutVerdict(outcome: SessionOutcome | undefined): { end: 'interrupted' | 'failed'; reason: string } {
  if (outcome === undefined) return { end: 'interrupted', reason: 'the session never started' };
  const tail = outcome.stderrTail.trim();
  const stderr = tail === '' ? '' : `; the end of its standard error: ${tail.slice(-500)}`;
  const code = outcome.exitCode === undefined ? '' : ` with code ${outcome.exitCode}`;
  switch (outcome.end) {
    case 'stopped':
      return { end: 'interrupted', reason: outcome.watchdogReason ?? 'it was stopped' };
    case 'lost':
      return { end: 'interrupted', reason: 'the session was gone, and nothing says how it ended' };
    case 'timeLimit':
      return { end: 'interrupted', reason: 'the session reached its time limit' };
    case 'byteLimit':
      return { end: 'failed', reason: 'the session wrote more output than its limit allows' };
    case 'costLimit':
      return { end: 'interrupted', reason: 'the session reached its cost limit' };
    case 'crashed':
      return { end: 'failed', reason: `the harness crashed${code}${stderr}` };
    case 'exited':
      return { end: 'failed', reason: `the session ended${code} without an accepted finish_phase${stderr}` };
  }
}

/** Ends an unfinished phase: the plan is unchanged, the session's work is kept, and a person decides how to go on. */
export async function endUnfinished(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit' | 'git'>,
  { plan, phase, session }: PhaseOfSession,
  ended: { readonly end: 'interrupted' | 'failed'; readonly reason: string },
): Promise<void> {
  const at = timestamp(services);
  const { end, reason } = ended;
  await recordSource(services, { plan, phase, session });
  await updateRunState(services, plan, ({ running, waiting: _waiting, ...old }) => ({
    ...old,
    interrupted: { phase, session, reason, failed: end === 'failed', at, ...howItRan(running) },
    ...(isReasoningPhase(phase) && { last: { phase, session, end, at, summary: reason } }),
  }));
  await bestEffort(services, plan, () => archiveStaging(services, { plan, phase, session }));
  emitFor(services, plan, { type: 'phase.ended', phase, end, next: phase, session, summary: reason });
}

/** What work changed in the source can be put back, file by file; a phase ends without that as well. */
async function recordSource(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit' | 'git'>,
  { plan, phase, session }: PhaseOfSession,
): Promise<void> {
  if (phase === 'work') await bestEffort(services, plan, () => recordLeft(services, plan, session));
}

/** A retry runs the phase as the first try did, unless it is told otherwise: a scenario stays one. */
function howItRan(running: Running | undefined): Pick<Running, 'harness' | 'scenario'> {
  return {
    ...defined({ harness: running?.harness, scenario: running?.scenario }),
  };
}

/** Moves staging under `interrupted/`, where it stays until it is retried or grows old. */
export async function archiveStaging(services: VaultPorts, { plan, phase, session }: PhaseOfSession): Promise<void> {
  if (!isReasoningPhase(phase)) return;
  const from = services.layout.stagingOf(plan, phase, session);
  const to = services.layout.interruptedOf(plan, phase, session);
  if (!(await exists(services.disk, from))) return;
  await ensureDirectory(services.disk, dirname(to));
  try {
    await services.disk.rename(from, to);
  } catch (error) {
    throw toDiskError(error, from, 'write');
  }
}

/** Opens an approval and leaves the phase waiting: nothing is merged, `phase.md` stands, staging is kept. */
export async function openQuestion(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'newUlid' | 'emit' | 'git'>,
  { plan, phase, session }: PhaseOfSession,
  question: ApprovalQuestion,
): Promise<Ulid> {
  const { kind, reason } = question;
  await recordSource(services, { plan, phase, session });
  const approval = await openApproval(services, requestOf({ plan, phase, session }, question));
  await updateRunState(services, plan, ({ running, ...old }) => ({
    ...old,
    waiting: { phase, session, approval, kind, reason, ...howItRan(running) },
    ...(isReasoningPhase(phase) && {
      last: { phase, session, end: 'waiting' as const, at: timestamp(services), summary: reason },
    }),
  }));
  emitFor(services, plan, { type: 'phase.ended', phase, end: 'waiting', next: phase, session, summary: reason });
  return approval;
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
  await removeApproval(services, waiting.approval);
  if (made !== undefined) await commitDecision(services, made);
}

/** What a person did with the phase is their answer to what it asked, unless they had decided that. */
async function recordAnswer(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit' | 'person'>,
  id: Ulid,
  decision: AnswerWord,
): Promise<Decision | undefined> {
  // This also answers a question whose file can no longer be read, but then there is nothing to record.
  const approval = await loadUndamaged(services, id);
  const made = approval && (await recordDecision(services, approval, { decision }));
  if (made !== undefined) emitDecision(services, made);
  return made;
}
