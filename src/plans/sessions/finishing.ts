import { defined } from '../../base/defined.ts';
import { secretFindings } from '../../gates/secrets/secretFindings.ts';
import { secretReason } from '../../gates/secrets.ts';
import type { DreamMap } from '../../model/memory.ts';
import { planFiles } from '../../model/plan.ts';
import type { FinishArgs } from '../../model/sessionTools.ts';
import type { ProposalFacts } from '../../model/verdict.ts';
import { loadPlanTexts } from '../../vault/planStore.ts';
import { type CallRecord, type FinishVerdict, noEdits, type StagedEdits } from '../proposals/callJournal.ts';
import { type Judgement, judge, type ProposalTexts } from '../proposals/proposal.ts';
import { unattributedChanges } from '../proposals/unattributed.ts';
import { emitFor, type PlanServices, writesByItself } from '../services.ts';
import { loadBase, loadStaged, type StagingPaths, type Transaction } from '../transaction.ts';
import { withClaimVerdicts } from './claimVerdicts.ts';
import { manualDreamMap } from './manualFolder.ts';

/** Facts about the source for these texts of the plan. */
export type GatherFacts = (proposed: ProposalTexts['proposed']) => Promise<ProposalFacts>;

/** A session that asks to end its phase, with all that it did. */
export interface FinishingSession {
  readonly services: PlanServices;
  readonly transaction: Transaction;
  readonly paths: StagingPaths;
  readonly facts: GatherFacts;
  readonly calls: readonly CallRecord[];
  readonly dreamMap: DreamMap;
}

/** What becomes of a phase that its session calls finished, and what that changes in the staged copies. */
export async function judgeFinish(
  session: FinishingSession,
  finish: FinishArgs,
): Promise<{ readonly verdict: FinishVerdict; readonly edits: StagedEdits }> {
  const { services, transaction } = session;
  if (finish.outcome === 'needs-input') {
    // The answer is given in a file that the vault commits.
    const findings = await secretsIn(services, 'summary', finish.summary);
    if (findings.length > 0) {
      const rejected = { reason: secretReason, findings, retryable: true };
      return { verdict: decide(session, finish, { events: [], rejected }), edits: noEdits };
    }
    return { verdict: { kind: 'waiting', approval: 'needs-input', reason: finish.summary }, edits: noEdits };
  }
  const texts = await gatherProposal(session, finish);
  const judgement = judge(texts, transaction.plan, transaction.session);
  for (const event of judgement.events) emitFor(services, transaction.plan, event);
  const verdict = decide(session, finish, judgement);
  if (verdict.kind !== 'accepted' || judgement.modification === undefined) return { verdict, edits: noEdits };
  return { verdict, edits: withClaimVerdicts(texts.proposed, judgement.modification.claimVerdicts, transaction) };
}

/** What of a text may be a secret, but for what the settings allow; it is called by `name`. */
export async function secretsIn(
  { settings, storedSecrets }: Pick<PlanServices, 'settings' | 'storedSecrets'>,
  name: string,
  text: string,
): Promise<readonly string[]> {
  const allowed = new Set(settings.gates['allowed-secrets']);
  return secretFindings([{ name, text }], { before: new Set(), allowed, stored: await storedSecrets() });
}

async function gatherProposal(session: FinishingSession, finish: FinishArgs): Promise<ProposalTexts> {
  const { services, transaction, paths, facts, calls, dreamMap } = session;
  const { phase, plan, task } = transaction;
  const base = await loadBase(services.disk, paths, phase);
  const proposed = await loadStaged(services.disk, paths, phase);
  const isPerson = transaction.harness === 'person';
  const unattributed = writesByItself(services, transaction)
    ? await unattributedChanges(services, plan, services.layout.plan(plan), transaction.folder)
    : [];
  return {
    phase,
    outcome: finish.outcome,
    summary: finish.summary,
    base,
    proposed,
    verbsUsed: calls.flatMap(({ verb, args }) => (verb === undefined ? [] : [{ verb, args }])),
    unattributed,
    dreamMap: isPerson && phase === 'dream' ? manualDreamMap(base, proposed) : dreamMap,
    consulted: await loadPlanTexts(services.disk, services.layout.plan(plan), [planFiles.latestSession]),
    facts: await facts(proposed),
    ...defined({ task }),
  };
}

function decide(
  { services, transaction, calls }: FinishingSession,
  finish: FinishArgs,
  judgement: Judgement,
): FinishVerdict {
  if (judgement.rejected !== undefined) {
    const { findings, retryable, reason } = judgement.rejected;
    const text = [reason, ...findings.map((finding) => `- ${finding}`)].join('\n');
    const attempts = calls.filter((record) => record.finish?.kind === 'refused').length + 1;
    const allowed = services.settings.gates['finish-attempts'];
    // A person is told as often as it takes.
    const isPerson = transaction.harness === 'person';
    if (isPerson || (retryable && attempts < allowed)) return { kind: 'refused', reason: text };
    if (transaction.phase === 'dream' && retryable) return { kind: 'givenUp', reason: text };
    return { kind: 'failed', reason: text };
  }
  if (judgement.approval !== undefined) {
    return { kind: 'waiting', approval: judgement.approval.kind, reason: judgement.approval.reason };
  }
  return { kind: 'accepted', finish };
}
