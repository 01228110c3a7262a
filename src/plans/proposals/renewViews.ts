import type { Diagnostic } from '../../base/errors.ts';
import type { QualifiedId } from '../../model/id.ts';
import { planFiles } from '../../model/plan.ts';
import { readPhase, readPlanFiles } from '../../vault/planStore.ts';
import { saveViews } from '../../vault/views.ts';
import { bestEffort } from '../bestEffort.ts';
import { emitFor, type PlanServices, type PlanWriterPorts } from '../services.ts';
import { withPlanLock } from './planWriter.ts';

/**
 * Brings the views that people read in Obsidian up to date with the plan's files. The phase is what `phase.md` says, and
 * the plan's lock is held from reading to writing, so that no view can say what was true before. Returns `view/edited`
 * for views that a person edited, which are left alone. What cannot be read has no view.
 */
export function renewViews(ports: PlanWriterPorts, plan: QualifiedId): Promise<readonly Diagnostic[]> {
  const directory = ports.layout.plan(plan);
  return withPlanLock(ports, plan, async () => {
    const { texts } = await readPlanFiles(ports.disk, { id: plan, directory }, Object.values(planFiles));
    const word = texts.get(planFiles.phase);
    const phase = word === undefined ? undefined : readPhase(word, { file: directory, subject: plan }).value;
    if (phase === undefined || !texts.has(planFiles.marker)) return [];
    return (await saveViews(ports.disk, directory, texts, { plan, phase })).diagnostics;
  });
}

/** As `renewViews`, for a phase, which does not depend on it: what keeps a view from being written is a warning. */
export function refreshViews(services: PlanWriterPorts & Pick<PlanServices, 'emit'>, plan: QualifiedId): Promise<void> {
  return bestEffort(services, plan, async () => {
    for (const problem of await renewViews(services, plan)) {
      emitFor(services, plan, { type: 'diagnostic', diagnostic: problem });
    }
  });
}
