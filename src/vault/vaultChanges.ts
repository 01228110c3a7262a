import { join, sep } from 'node:path';
import type { OwnWrites } from '../base/ownWrites.ts';
import type { QualifiedId } from '../model/id.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import type { VaultLayout } from './layout.ts';
import { changedNames, type FilesSnapshot, type PlanSnapshot } from './vaultSnapshot.ts';
import type { PlanLocation, VaultWalk } from './walk.ts';

export interface PlanChange {
  readonly plan: PlanLocation;
  readonly change: 'created' | 'removed' | 'edited';
  /** Of an edited plan what changed, came or went; sorted. */
  readonly files: readonly PlanFile[];
}

/** What others than this process did to a vault between two looks. */
export interface VaultChanges {
  /** Sorted by id. */
  readonly plans: readonly PlanChange[];
  /** The vault's own files and links, by their paths in it; sorted. */
  readonly files: readonly string[];
  /** Where the plans are now, if all of the vault was looked at. */
  readonly walk?: VaultWalk;
}

export type Own = Pick<OwnWrites, 'wrote' | 'put' | 'took'>;

export type PlansSnapshot = ReadonlyMap<QualifiedId, PlanSnapshot>;

/** Tells what became of these plans. What this process did itself is left out. */
export function comparePlans(
  { layout, own }: { readonly layout: VaultLayout; readonly own: Own },
  before: PlansSnapshot,
  after: PlansSnapshot,
): PlanChange[] {
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort();
  return ids.flatMap((id): PlanChange[] => {
    const was = before.get(id);
    const is = after.get(id);
    if (is === undefined) return was === undefined || own.took(layout.plan(id)) ? [] : [changeOf(was, 'removed')];
    if (was === undefined) return isOwnPlan(own, layout, is) ? [] : [changeOf(is, 'created')];
    const files = changedNames(was.files, is.files).filter((file) => !isOwnFile(own, layout, is, file));
    return files.length === 0 ? [] : [{ plan: is.plan, change: 'edited', files }];
  });
}

/** As `comparePlans`, for the vault's own files. */
export function compareFiles(
  { layout, own }: { readonly layout: VaultLayout; readonly own: Own },
  before: FilesSnapshot,
  after: FilesSnapshot,
): string[] {
  return changedNames(before, after).filter((name) => {
    const now = after.get(name);
    const path = join(layout.root, name);
    if (now === undefined) return !own.took(path);
    return typeof now === 'string' ? !own.put(path) : !own.wrote(now);
  });
}

/**
 * Plans that were there and are not in this walk, but are not known to be gone either: a folder above them could not be
 * read.
 */
export function hiddenPlans(before: PlansSnapshot, walk: VaultWalk): PlansSnapshot {
  const unread = walk.diagnostics.flatMap(({ code, file }) =>
    code.startsWith('disk/') && file !== undefined ? [file] : [],
  );
  if (unread.length === 0) return new Map();
  return new Map([...before].filter(([, { plan }]) => unread.some((folder) => isBelow(folder, plan))));
}

/** The real path of a plan's folder. */
export function realFolder({ id, project, ravelDirectory }: PlanLocation): string {
  return join(ravelDirectory, id.slice(project.length + 1));
}

function isBelow(folder: string, plan: PlanLocation): boolean {
  return [plan.directory, realFolder(plan)].some((path) => path === folder || path.startsWith(folder + sep));
}

function isOwnPlan(own: Own, layout: VaultLayout, { plan, files }: PlanSnapshot): boolean {
  const marker = files.get(planFiles.marker);
  return own.put(layout.plan(plan.id)) || (marker !== undefined && own.wrote(marker));
}

function isOwnFile(own: Own, layout: VaultLayout, { plan, files }: PlanSnapshot, file: PlanFile): boolean {
  const now = files.get(file);
  return now === undefined ? own.took(join(layout.plan(plan.id), file)) : own.wrote(now);
}

function changeOf({ plan }: PlanSnapshot, change: 'created' | 'removed'): PlanChange {
  return { plan, change, files: [] };
}
