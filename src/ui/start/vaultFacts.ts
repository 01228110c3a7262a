import { rootPlanName } from '../../model/id.ts';
import type { PlanOutline } from '../planOutline.ts';

/** How far a vault has come; the keys are context keys below `ravel.`. */
export interface VaultFacts {
  readonly hasProject: boolean;
  /** A plan below a project's own, or something to do. */
  readonly hasWork: boolean;
}

export function vaultFacts({ nodes, projects }: PlanOutline): VaultFacts {
  let hasWork = false;
  for (const { plan, row } of nodes.values()) {
    const { ready = 0, blocked = 0, inProgress = 0, done = 0 } = row?.counts ?? {};
    hasWork ||= !plan.endsWith(`/${rootPlanName}`) || ready + blocked + inProgress + done > 0;
    if (hasWork) break;
  }
  return { hasProject: projects.size > 0, hasWork };
}
