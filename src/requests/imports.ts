import { failure } from '../model/codes.ts';
import { isQualifiedId, type QualifiedId, qualifiedIdProblem, rootPlanName } from '../model/id.ts';
import type { importRequests } from '../model/requests/imports.ts';
import { recordOrigins } from '../plans/origins.ts';
import { loadPlanFiles, withPlanLock } from '../plans/proposals/planWriter.ts';
import { emitFor, type PlanServices, type PlanWriterPorts } from '../plans/services.ts';
import type { HandlersOf } from './handlers.ts';

export const importHandlers: HandlersOf<typeof importRequests> = {
  async import(context, { directory, plan, description, dryRun = false }) {
    const id = plan.includes('/') ? plan : `${plan}/${rootPlanName}`;
    if (!isQualifiedId(id))
      throw failure('plan/badId', plan, `"${plan}" names no plan: ${qualifiedIdProblem(id) ?? ''}`);
    const { services } = context;
    const { disk, layout } = services;
    // Its readers are large, and most owners never import.
    const { importPlan } = await import('../imports/importPlan.ts');
    const suffix = services.newUlid().toLowerCase();
    const job = { disk, layout, source: directory, id, description, dryRun, suffix };
    if (dryRun) return importPlan(job);
    // A root plan that gives way may be in use; and of two imports of one plan the later one must find the first.
    const make = (makeWay: () => Promise<void>) => importPlan({ ...job, makeWay });
    const { made: report, ...left } = await context.relocations.make(id, make);
    await recordImport(services, id);
    await context.catalog.refresh();
    emitFor(services, id, { type: 'plan.changed', change: 'created' });
    return { ...report, ...left };
  },
};

/** Everything that a new plan has came with the import. */
async function recordImport(services: PlanWriterPorts & Pick<PlanServices, 'log'>, plan: QualifiedId): Promise<void> {
  await withPlanLock(services, plan, async () => {
    const texts = await loadPlanFiles(services, plan);
    const changes = [...texts].map(([file, after]) => ({ file, before: null, after }));
    await recordOrigins(services, plan, { by: 'import' }, changes);
  });
}
