import { messageOf } from '../base/errors.ts';
import { codes } from '../model/codes.ts';
import type { Proposal, Verdict } from '../model/verdict.ts';
import { judgeClaims } from './claims.ts';
import { judgeCommitSpec } from './commitSpec.ts';
import { judgeDependencies } from './dependencies.ts';
import { judgeDreamLossless } from './dreamLossless.ts';
import { type Gate, type GateName, type GateResult, gateNames } from './gate.ts';
import { judgeIds } from './ids.ts';
import { judgePaths } from './paths.ts';
import { judgeSchema } from './schema.ts';
import { judgeSecrets } from './secrets.ts';
import { judgeVerbs } from './verbs.ts';

export const gates: Readonly<Record<GateName, Gate>> = {
  schema: judgeSchema,
  paths: judgePaths,
  verbs: judgeVerbs,
  ids: judgeIds,
  dependencies: judgeDependencies,
  dreamLossless: judgeDreamLossless,
  commitSpec: judgeCommitSpec,
  claims: judgeClaims,
  secrets: judgeSecrets,
};

/**
 * What every gate says of a proposal, in the order in which they run. All of them are asked, so that a session can fix
 * everything at once. A gate that throws refuses: a defect of ours must not let anything through.
 */
export function judgeProposal(
  proposal: Proposal,
  table: Readonly<Record<GateName, Gate>> = gates,
): readonly GateResult[] {
  return gateNames.map((gate) => ({ gate, verdict: judge(gate, table[gate], proposal) }));
}

function judge(name: GateName, gate: Gate, proposal: Proposal): Verdict {
  try {
    return gate(proposal);
  } catch (error) {
    const { retryable, help } = codes['gate/threw'];
    const reason = `The gate ${name} failed: ${messageOf(error)}.`;
    return { outcome: 'reject', reason, findings: [reason, help], retryable };
  }
}
