import { resolvePlan } from '../access/openApi.ts';
import type { QualifiedId, Ulid } from '../model/id.ts';
import { reasoningPhases } from '../model/phase.ts';
import type { Api } from '../model/protocol.ts';

/** Plans that a command shows if none is named. */
const plansShown = 20;
/** Sessions that are looked through for them. */
const sessionsSeen = 500;

/** A plan with the newest session that a phase of it had. */
export interface RecentPlan {
  readonly plan: QualifiedId;
  readonly session: Ulid;
}

/** The plans that ran last, the newest first, by the sessions that left a transcript; those that are gone are left out. */
async function recentPlans(api: Api): Promise<RecentPlan[]> {
  const [{ sessions }, { plans }] = await Promise.all([
    api.request('sessions', { limit: sessionsSeen }),
    api.request('outline', {}),
  ]);
  const there = new Set(plans.map(({ plan }) => plan));
  const newest = new Map<QualifiedId, Ulid>();
  for (const { plan, phase, session } of sessions) {
    if (plan !== undefined && there.has(plan) && reasoningPhases.some((one) => one === phase) && !newest.has(plan))
      newest.set(plan, session);
  }
  return [...newest].slice(0, plansShown).map(([plan, session]) => ({ plan, session }));
}

/** What a command without a plan is about: the only plan, or several that ran last. */
export async function plansOf(api: Api, named: string | undefined): Promise<QualifiedId | readonly RecentPlan[]> {
  if (named !== undefined) return resolvePlan(api, named);
  const { plans } = await api.request('outline', {});
  return plans.length > 1 ? recentPlans(api) : resolvePlan(api, undefined);
}
