import type { QualifiedId } from '../model/id.ts';
import type { Phase } from '../model/phase.ts';
import { planFiles } from '../model/plan.ts';
import { loadPlanTexts } from '../vault/planStore.ts';
import { saveViews } from '../vault/views.ts';
import { bestEffort } from './bestEffort.ts';
import { emitFor, type PlanServices } from './services.ts';

/**
 * Regenerates the views that people read in Obsidian; one that a person edited is left alone, and they are told. One that
 * cannot be written is a warning: no phase rests on it.
 */
export function refreshViews(
  services: Pick<PlanServices, 'disk' | 'clock' | 'layout' | 'emit'>,
  plan: QualifiedId,
  phase: Phase,
): Promise<void> {
  return bestEffort(services, plan, async () => {
    const directory = services.layout.plan(plan);
    const texts = await loadPlanTexts(services.disk, directory, Object.values(planFiles));
    const { diagnostics } = await saveViews(services.disk, directory, texts, { plan, phase });
    for (const problem of diagnostics) emitFor(services, plan, { type: 'diagnostic', diagnostic: problem });
  });
}
