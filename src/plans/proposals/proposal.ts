import { defined } from '../../base/defined.ts';
import { judgeProposal } from '../../gates/gates.ts';
import type { EventBody } from '../../model/event.ts';
import type { QualifiedId, Ulid } from '../../model/id.ts';
import type { PlanFile, PlanTexts } from '../../model/plan.ts';
import type { ParsedFile, Proposal, Verdict } from '../../model/verdict.ts';
import { parseYaml } from '../../yaml/yaml.ts';

/** A proposal as the caller has it: texts only. */
export interface ProposalTexts extends Omit<Proposal, 'baseValues' | 'proposedValues'> {
  /** Files that the phase is not given but a gate must know: the claims that an entry of the memory rests on. */
  readonly consulted?: PlanTexts;
}

/**
 * The combined result of all gates: every rejection, and the first verdict of each other kind that is not a plain
 * accept.
 */
export interface Judgement {
  readonly events: readonly EventBody[];
  readonly rejected?: { readonly reason: string; readonly findings: readonly string[]; readonly retryable: boolean };
  readonly approval?: Extract<Verdict, { outcome: 'needs-approval' }>;
  readonly modification?: Extract<Verdict, { outcome: 'modify' }>;
}

/** Judges a proposal by every gate. Each verdict is an event; a gate that throws refuses. */
export function judge(texts: ProposalTexts, subject: QualifiedId, session: Ulid): Judgement {
  const baseTexts = new Map([...(texts.consulted ?? []), ...texts.base]);
  const baseValues = parseAll(baseTexts, subject);
  // What the session left alone is parsed once.
  const changed = new Map([...texts.proposed].filter(([file, text]) => text !== baseTexts.get(file)));
  const proposedValues = parseAll(changed, subject);
  for (const [file, parsed] of baseValues) {
    if (texts.proposed.has(file) && !changed.has(file)) proposedValues.set(file, parsed);
  }
  const proposal: Proposal = { ...texts, baseValues, proposedValues };
  const results = judgeProposal(proposal);
  const verdicts = results.map((result) => result.verdict);
  const rejections = verdicts.filter((verdict) => verdict.outcome === 'reject');
  const approval = verdicts.find((verdict) => verdict.outcome === 'needs-approval');
  const modification = verdicts.find((verdict) => verdict.outcome === 'modify');
  return {
    events: results.map(({ gate, verdict }) => ({
      type: 'gate.judged' as const,
      session,
      gate,
      outcome: verdict.outcome,
      ...('reason' in verdict && { reason: verdict.reason }),
      ...(verdict.outcome === 'reject' && { findings: verdict.findings }),
      ...(verdict.outcome === 'accept' && verdict.notes !== undefined && { findings: verdict.notes }),
    })),
    ...(rejections.length > 0 && {
      rejected: {
        reason: rejections.map((verdict) => verdict.reason).join('; '),
        findings: rejections.flatMap((verdict) => verdict.findings),
        retryable: rejections.every((verdict) => verdict.retryable),
      },
    }),
    ...defined({ approval, modification }),
  };
}

function parseAll(texts: PlanTexts, subject: QualifiedId): Map<PlanFile, ParsedFile> {
  const values = new Map<PlanFile, ParsedFile>();
  for (const [file, text] of texts) {
    if (!file.endsWith('.yaml')) continue;
    const { value, diagnostics } = parseYaml(text, { file, subject });
    values.set(file, { value, problems: diagnostics.map((problem) => problem.message) });
  }
  return values;
}
