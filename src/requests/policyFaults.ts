import type { Diagnostic } from '../base/errors.ts';
import { faultsOf, type PolicyPage } from '../plans/policyStore.ts';
import type { PlanServices } from '../plans/services.ts';
import { loadExperts } from '../vault/expertStore.ts';
import type { PlanOverview } from '../vault/planOverview.ts';
import type { SeenPlan } from '../vault/vaultScanner.ts';
import type { PlanLocation } from '../vault/walk.ts';
import type { RequestContext } from './handlers.ts';

/**
 * What is wrong with policies that cannot be used, those of the vault, of its projects and of its plans, and which rules of
 * the vault and of projects are for actors that there are not.
 */
export async function policyFaults(
  { services, scanner }: Pick<RequestContext, 'services' | 'scanner'>,
  signal: AbortSignal,
): Promise<readonly Diagnostic[]> {
  const { seen, plans } = await scanner.overviews(signal);
  const ofPlans = await planPolicyFaults(services, seen);
  const pages = await services.policies.sharedPages(plans);
  return [...pages.flatMap(faultsOf), ...[...ofPlans.values()].flat(), ...(await idleActors(services, pages, plans))];
}

/** Rules for actors that the vault does not have. */
export async function idleActors(
  { disk, layout }: Pick<PlanServices, 'disk' | 'layout'>,
  pages: readonly PolicyPage[],
  plans: readonly Pick<PlanLocation, 'id' | 'project'>[],
): Promise<readonly Diagnostic[]> {
  if (pages.every(({ compiled }) => compiled === undefined)) return [];
  const { findIdleActors } = await import('../plans/policyActors.ts');
  const { experts } = await loadExperts(disk, layout);
  return findIdleActors(pages, { plans, experts: experts.map(({ actor }) => actor) });
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
