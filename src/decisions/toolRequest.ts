import { type Decision, opensNetwork, type PhaseApproval } from '../model/approval.ts';
import { type AskedUse, saveToolAnswer } from '../plans/approvals/toolGrants.ts';
import type { VaultPorts } from '../vault/vaultPorts.ts';
import type { DecisionResult } from './decisionHandler.ts';

/** Lets a session do something once, or tells it why not; the session finds the answer when it asks again. */
export async function grantRequest(services: VaultPorts, decision: Decision & PhaseApproval): Promise<DecisionResult> {
  await saveToolAnswer(services, decision, decision.details as AskedUse);
  if (decision.decision === 'reject') return { did: 'The session is told so when it asks again.' };
  const how = opensNetwork(decision.details) ? ', with the network open' : '';
  return { did: `The session can do exactly this, once${how}; it is told so when it asks again.` };
}
