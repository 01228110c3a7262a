import { join } from 'node:path';
import type { ReadingDisk } from '../base/disk.ts';
import { ifThere } from '../base/diskErrors.ts';
import { ensureDirectory, exists, isTemporaryName, readTextIfExists, removeTree, writeAtomic } from '../base/files.ts';
import { idFromSegment, isQualifiedId, type QualifiedId, segmentFromId } from '../model/id.ts';
import type { VaultLayout } from './layout.ts';
import type { ReadingPorts, VaultPorts } from './vaultPorts.ts';

/**
 * The index of what is under way: a file for each plan, there before the run state says so and removed after all that
 * follows from its end. An owner that starts looks at these plans first; that a plan is not in it proves nothing.
 */
export async function recordUnderWay({ disk, layout }: VaultPorts, plan: QualifiedId): Promise<void> {
  const file = layout.underWayOf(plan);
  if (await exists(disk, file)) return;
  await ensureDirectory(disk, layout.underWay, 0o700);
  await writeAtomic(disk, file, `${plan}\n`, { permissions: 0o600 });
}

export async function forgetUnderWay({ disk, layout }: VaultPorts, plan: QualifiedId): Promise<void> {
  const file = layout.underWayOf(plan);
  if (await exists(disk, file)) await removeTree(disk, file);
}

/** The plans in the index, in order; undefined if there is none. A file that names no plan is passed over. */
export async function listUnderWay({ disk, layout }: ReadingPorts): Promise<QualifiedId[] | undefined> {
  const entries = await ifThere(layout.underWay, () => disk.readDirectory(layout.underWay));
  if (entries === undefined) return undefined;
  const names = entries.map(({ name }) => name).filter((name) => !isTemporaryName(name));
  const plans = await Promise.all(names.map((name) => planNamed(disk, layout, name)));
  return plans.filter((plan) => plan !== undefined).sort();
}

/** The file name of a plan far down is shortened; the file then contains the whole id. */
async function planNamed(disk: ReadingDisk, layout: VaultLayout, name: string): Promise<QualifiedId | undefined> {
  const named = idFromSegment(name);
  if (named !== undefined) return named;
  // A file that cannot be read names no plan; the look at all run states finds it.
  const text = await readTextIfExists(disk, join(layout.underWay, name)).catch(() => undefined);
  const id = text?.trim() ?? '';
  return isQualifiedId(id) && segmentFromId(id) === name ? id : undefined;
}
