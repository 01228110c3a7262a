import { saveCatalog } from '../vault/catalog.ts';
import { loadCatalogRows } from '../vault/catalogRows.ts';
import { loadExperts } from '../vault/expertStore.ts';
import type { PlanDirectory } from './planDirectory.ts';
import type { PlanServices } from './services.ts';

/** Walks the vault anew and writes its catalogue. Returns how many plans there are. */
export async function refreshCatalog(
  { disk, layout }: Pick<PlanServices, 'disk' | 'layout'>,
  directory: PlanDirectory,
): Promise<number> {
  const { plans } = await directory.rescan();
  const { experts } = await loadExperts(disk, layout);
  await saveCatalog(disk, layout, {
    plans: await loadCatalogRows(disk, plans),
    experts: experts.map(({ actor, expert }) => ({ actor, description: expert.description })),
  });
  return plans.length;
}
