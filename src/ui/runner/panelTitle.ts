import { projectOf, type QualifiedId, rootPlanName } from '../../model/id.ts';
import { sanitizeLabel } from '../sanitizeLabel.ts';

/** A plan in the few letters of a tab: its own name, or its project's for the plan at its top. */
export function panelTitle(plan: QualifiedId): string {
  const name = plan.split('/').at(-1) ?? plan;
  return sanitizeLabel(name === rootPlanName ? projectOf(plan) : name);
}
