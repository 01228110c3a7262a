import type { QualifiedId } from '../model/id.ts';
import { assertPlanThere } from './copyBack.ts';
import { isAttributed } from './planWriter.ts';
import type { PlanServices } from './services.ts';
import { changedNames, hashFolder } from './transaction.ts';

/**
 * Names in the plan's folder that changed since the session started without a verb that accounts for it (design 4,
 * step 4). It could be a person's editor or the session's own shell: nobody can tell, so a person is asked. Throws
 * `plan/gone` where there is no plan any more.
 */
export async function unattributedChanges(
  services: Pick<PlanServices, 'disk' | 'clock' | 'processes' | 'layout'>,
  plan: QualifiedId,
  directory: string,
  before: Readonly<Record<string, string>>,
): Promise<string[]> {
  await assertPlanThere(services, plan);
  const after = await hashFolder(services.disk, directory);
  const unattributed: string[] = [];
  for (const name of changedNames(before, after)) {
    const hashes = { before: before[name], after: after[name] };
    if (!(await isAttributed(services, plan, name, hashes))) unattributed.push(name);
  }
  return unattributed;
}
