import type { Diagnostic } from '../base/errors.ts';
import type { PlanServices } from '../plans/services.ts';
import type { PlanOverview } from '../vault/planOverview.ts';
import type { SeenPlan } from '../vault/vaultScanner.ts';
import type { RequestContext } from './handlers.ts';

/** What is wrong with policies that cannot be used: those of the vault, of its projects and of its plans. */
export async function policyFaults(
  { services, scanner }: Pick<RequestContext, 'services' | 'scanner'>,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const { seen, plans } = await scanner.overviews(signal);
  const ofPlans = await planPolicyFaults(services, seen);
  return [...(await services.policies.sharedFaults(plans)), ...[...ofPlans.values()].flat()];
}

/** By the plan; only plans that have a policy of their own are looked at. */
export async function planPolicyFaults(
  { policies }: Pick<PlanServices, 'policies'>,
  seen: readonly SeenPlan<PlanOverview>[],
): Promise<ReadonlyMap<string, readonly Diagnostic[]>> {
  const found = new Map<string, readonly Diagnostic[]>();
  for (const { plan, value } of seen) {
    if (value.hasPolicy === true) found.set(plan.id, await policies.planFaults(plan));
  }
  return found;
}
