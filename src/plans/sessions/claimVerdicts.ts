import { planFiles } from '../../model/plan.ts';
import { type ClaimVerdict, sessionRecordSchema } from '../../model/session.ts';
import { editYaml, readYaml } from '../../yaml/yaml.ts';
import type { StagedEdits } from '../proposals/callJournal.ts';
import type { ProposalTexts } from '../proposals/proposal.ts';
import type { Transaction } from '../transaction.ts';

/** The record of a session with the verdict of code at each of its claims. */
export function withClaimVerdicts(
  texts: ProposalTexts['proposed'],
  claimVerdicts: Readonly<Record<string, ClaimVerdict>>,
  transaction: Transaction,
): StagedEdits {
  const file = planFiles.latestSession;
  const text = texts.get(file);
  const place = { file, subject: transaction.plan };
  if (text === undefined) return new Map();
  const claims = readYaml(sessionRecordSchema, text, place).value?.claims ?? [];
  const edits = claims.flatMap((claim, index) => {
    const verdict = claimVerdicts[claim.id];
    return verdict === undefined ? [] : [{ op: 'set' as const, path: ['claims', index, 'verdict'], value: verdict }];
  });
  return edits.length === 0 ? new Map() : new Map([[file, editYaml(text, edits, place)]]);
}
