import type { Decision, PhaseApproval } from '../../model/approval.ts';
import type { PermitArgs } from '../../model/verbs.ts';
import { saveGrant } from '../approvals/toolGrants.ts';
import type { PlanServices } from '../services.ts';
import type { Effected } from './effect.ts';

/** What a session may do once, or what it is told instead; its session finds that when it asks again. */
export async function grantRequest(services: PlanServices, decision: Decision & PhaseApproval): Promise<Effected> {
  await saveGrant(services, decision, decision.details as PermitArgs);
  const did =
    decision.decision === 'reject'
      ? 'The session is told so when it asks again.'
      : 'The session may do exactly this, once; it is told so when it asks again.';
  return { did };
}
