import { planFiles } from '../model/plan.ts';
import { type ClaimVerdict, claimSchema, type Evidence } from '../model/session.ts';
import type { Proposal, ProposalFacts, Verdict } from '../model/verdict.ts';
import { isSame, type PlanRecord, recordsOf, textsOf, verdictOf } from './records.ts';
import { testResult } from './testEvidence.ts';
import { hasChange, parseUnifiedDiff, type UnifiedDiff } from './unifiedDiff.ts';

/**
 * What a session says it did, beside what code can see. In analyse-work each claim gets its verdict from the facts, whatever
 * the session wrote there; in reflect and triage no memory entry may rest on a claim that is not evidenced.
 */
export function judgeClaims(proposal: Proposal): Verdict {
  if (proposal.phase === 'analyse-work') return setVerdicts(proposal);
  if (proposal.phase === 'reflect' || proposal.phase === 'triage') return checkEntries(proposal);
  return { outcome: 'accept' };
}

function setVerdicts({ facts, proposedValues }: Proposal): Verdict {
  const diff = parseUnifiedDiff(facts.diff);
  const claims = recordsOf(proposedValues, planFiles.latestSession, 'claims');
  const verdicts = claims.map((claim) => [claim, verdictOfClaim(claim, facts, diff)] as const);
  if (verdicts.every(([claim, verdict]) => claim['verdict'] === verdict)) return { outcome: 'accept' };
  const unproven = verdicts
    .filter(([, verdict]) => verdict !== 'evidenced')
    .map(([{ id }, verdict]) => `${id} is ${verdict}`);
  const reason =
    unproven.length === 0 ? 'Every claim is evidenced.' : `Checked against the facts: ${unproven.join(', ')}.`;
  return { outcome: 'modify', reason, claimVerdicts: Object.fromEntries(verdicts.map(([{ id }, v]) => [id, v])) };
}

/** One piece that is contradicted contradicts the claim; it is evidenced when there is evidence and all of it holds. */
function verdictOfClaim(claim: PlanRecord, facts: ProposalFacts, diff: UnifiedDiff): ClaimVerdict {
  const evidence = claimSchema.safeParse(claim).data?.evidence ?? [];
  const verdicts = evidence.map((piece) => verdictOfEvidence(piece, facts, diff));
  if (verdicts.includes('contradicted')) return 'contradicted';
  return verdicts.length > 0 && verdicts.every((verdict) => verdict === 'evidenced') ? 'evidenced' : 'unsupported';
}

function verdictOfEvidence(evidence: Evidence, facts: ProposalFacts, diff: UnifiedDiff): ClaimVerdict {
  if ('test' in evidence) return testResult(evidence.test, facts.commands);
  if ('commit' in evidence) return evidencedIf(isCommit(evidence.commit, facts.commits));
  if ('file' in evidence) return evidencedIf(facts.existingFiles.has(evidence.file.replace(/^\.\//, '')));
  return evidencedIf(hasChange(diff, evidence.path, evidence.hunk));
}

function evidencedIf(holds: boolean): ClaimVerdict {
  return holds ? 'evidenced' : 'unsupported';
}

/** A short hash counts from seven digits on, as git prints it. */
function isCommit(hash: string, commits: readonly string[]): boolean {
  const wanted = hash.trim().toLowerCase();
  return /^[0-9a-f]{7,64}$/.test(wanted) && commits.some((commit) => commit.startsWith(wanted));
}

/** Claims that an entry had before belong to the session that it came from; only the newly named ones are checked. */
function checkEntries({ phase, base, proposed, baseValues, proposedValues }: Proposal): Verdict {
  const file = planFiles.memory;
  if (base.get(file) === proposed.get(file)) return { outcome: 'accept' };
  const values = proposedValues.has(planFiles.latestSession) ? proposedValues : baseValues;
  const claims = new Map(recordsOf(values, planFiles.latestSession, 'claims').map((claim) => [claim.id, claim]));
  const before = new Map(recordsOf(baseValues, file, 'entries').map((entry) => [entry.id, entry]));
  const findings = recordsOf(proposedValues, file, 'entries').flatMap((entry) => {
    const earlier = before.get(entry.id);
    if (isSame(earlier, entry)) return [];
    const old = new Set(textsOf(earlier?.['claims']));
    return textsOf(entry['claims'])
      .filter((id) => !old.has(id))
      .flatMap((id) => problemOf(entry.id, id, claims.get(id)));
  });
  return verdictOf(`The phase ${phase} put something into memory that nothing proves.`, findings);
}

function problemOf(entry: string, id: string, claim: PlanRecord | undefined): string[] {
  if (claim === undefined) return [`The entry "${entry}" rests on "${id}", which the latest session did not claim.`];
  if (claim['verdict'] === 'evidenced') return [];
  const verdict = typeof claim['verdict'] === 'string' ? claim['verdict'] : 'not checked';
  return [`The entry "${entry}" rests on "${id}", which is ${verdict}; leave it out, or record it as a decision.`];
}
