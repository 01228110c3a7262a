import { defined } from '../../base/defined.ts';
import type { PlanTexts } from '../../model/plan.ts';
import type { ComparedFile, SnapshotRow } from '../../model/requests/snapshots.ts';
import { loadPlanFiles } from '../../plans/proposals/planWriter.ts';
import type { PlanLocation } from '../../vault/walk.ts';
import { withMessagesOf } from './rollback.ts';
import {
  findSnapshot,
  idOfTexts,
  listSnapshots,
  type SnapshotServices,
  snapshotFiles,
  snapshotTexts,
} from './snapshots.ts';

/** The states of a plan, newest first; the one that it is in is marked. */
export async function listStates(
  services: SnapshotServices,
  location: PlanLocation,
  limit: number,
): Promise<readonly SnapshotRow[]> {
  const snapshots = await listSnapshots(services, location, limit);
  const [newest] = snapshots;
  if (newest === undefined) return [];
  const now = idOfTexts(await loadPlanFiles(services, location.id), newest.id);
  return snapshots.map(({ id, commit, at, title }) => ({ id, commit, at, title, isNow: id === now }));
}

/** The files in which a snapshot differs from another one, or what going back to it would change in the plan as it is. */
export async function compareStates(
  services: SnapshotServices,
  location: PlanLocation,
  name: string,
  other: string | undefined,
): Promise<{ readonly snapshot: string; readonly with?: string; readonly files: readonly ComparedFile[] }> {
  const snapshot = await findSnapshot(services, location, name);
  const base = other === undefined ? undefined : await findSnapshot(services, location, other);
  const before =
    base === undefined ? await loadPlanFiles(services, location.id) : await snapshotTexts(services, location, base);
  const texts = await snapshotTexts(services, location, snapshot);
  const after = base === undefined ? withMessagesOf(before, texts, location) : texts;
  return { snapshot: snapshot.id, ...defined({ with: base?.id }), files: differences(before, after) };
}

function differences(before: PlanTexts, after: PlanTexts): ComparedFile[] {
  return snapshotFiles.flatMap((file) => {
    const [was, is] = [before.get(file), after.get(file)];
    return was === is ? [] : [{ file, ...defined({ before: was, after: is }) }];
  });
}
