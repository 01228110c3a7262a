import { defined } from '../base/defined.ts';
import { type Diagnostic, isRavelError } from '../base/errors.ts';
import { approvalPage, approvalRow } from '../decisions/approvalPage.ts';
import { loadPending } from '../decisions/approvalService.ts';
import { type Approval, compareAge, isDeferred, isVaultApproval } from '../model/approval.ts';
import type { QualifiedId } from '../model/id.ts';
import type { approvalRequests } from '../model/requests/approvals.ts';
import { listApprovals, loadApproval } from '../plans/approvals/approvals.ts';
import { loadDecision } from '../plans/approvals/decisions.ts';
import { pausedRunOf } from '../plans/phases/cycleRun.ts';
import { loadRunState } from '../vault/runState.ts';
import { assertOwner, type HandlersOf, type RequestContext } from './handlers.ts';

export const approvalHandlers: HandlersOf<typeof approvalRequests> = {
  async approvals({ services, directory }, { plan, kind, deferred = false }) {
    const of = plan === undefined ? undefined : (await directory.find(plan)).id;
    const approvals: Approval[] = [];
    const diagnostics: Diagnostic[] = [];
    const nowMs = services.clock.wallMs();
    let left = 0;
    for (const id of await listApprovals(services)) {
      try {
        const approval = await loadApproval(services, id);
        if (approval === undefined || (await loadDecision(services, id)) !== undefined) continue;
        if (of !== undefined && approval.plan !== of) continue;
        if (kind !== undefined && approval.kind !== kind) continue;
        if (!deferred && isDeferred(approval, nowMs)) left += 1;
        else approvals.push(approval);
      } catch (error) {
        // One that cannot be read hides none of the others.
        if (!isRavelError(error, 'approval/unreadable')) throw error;
        diagnostics.push(error.diagnostic);
      }
    }
    return { approvals: approvals.sort(compareAge).map(approvalRow), ...(left > 0 && { deferred: left }), diagnostics };
  },

  async approval({ services, vaultApprovals }, { approval: id }) {
    const approval = await loadPending(services, id);
    const now = isVaultApproval(approval.kind) ? await vaultApprovals[approval.kind].describe(approval) : undefined;
    return approvalPage(approval, services.layout.approval(approval.id), now);
  },

  async defer(context, { approval, days }) {
    assertOwner(context);
    return context.approvals.defer(approval, days);
  },

  async decide(context, given) {
    assertOwner(context);
    const { decision, did, report, next: own } = await context.approvals.decide(given);
    // What was decided let the phase finish or begin again: the run that it had stopped is what goes on.
    const isFree = own === 'run' || report?.end === 'finished';
    const next = isFree && (await hasPausedRun(context, decision.plan)) ? 'resume' : own;
    return {
      ...{ approval: decision.id, decision: given.decision, did },
      ...defined({ plan: decision.plan, report, next }),
    };
  },
};

async function hasPausedRun(
  { services }: Pick<RequestContext, 'services'>,
  plan: QualifiedId | undefined,
): Promise<boolean> {
  return plan !== undefined && pausedRunOf(await loadRunState(services, plan)) !== undefined;
}
