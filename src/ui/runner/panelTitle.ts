import { projectOf, type QualifiedId, rootPlanName } from '../../model/id.ts';
import { plainLabel } from '../plainLabel.ts';

/** A plan in the few letters of a tab: its own name, or its project's for the plan at its top. */
export function panelTitle(plan: QualifiedId): string {
  const name = plan.split('/').at(-1) ?? plan;
  return plainLabel(name === rootPlanName ? projectOf(plan) : name);
}
