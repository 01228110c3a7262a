import type { Disk } from '../base/disk.ts';
import { planFiles } from '../model/plan.ts';
import type { CatalogRow } from './catalog.ts';
import { type PlanPlace, readPlanFiles, readPlanState } from './planStore.ts';

/** Plans read at the same time. */
const readersMax = 16;

/** What the catalogue says of these plans; a description that cannot be read is `verify`'s to report. */
export async function loadCatalogRows(disk: Disk, plans: readonly PlanPlace[]): Promise<CatalogRow[]> {
  const rows: CatalogRow[] = [];
  for (let n = 0; n < plans.length; n += readersMax) {
    const batch = plans.slice(n, n + readersMax);
    rows.push(...(await Promise.all(batch.map((plan) => loadCatalogRow(disk, plan)))));
  }
  return rows;
}

async function loadCatalogRow(disk: Disk, plan: PlanPlace): Promise<CatalogRow> {
  const { texts } = await readPlanFiles(disk, plan, [planFiles.marker]);
  const text = texts.get(planFiles.marker);
  const state = text === undefined ? undefined : readPlanState(text, { file: plan.directory, subject: plan.id }).value;
  return { plan: plan.id, ...(state !== undefined && { description: state.description }) };
}
