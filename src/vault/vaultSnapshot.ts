import { join } from 'node:path';
import type { FileStamps, ReadingDisk } from '../base/disk.ts';
import { isAbsent } from '../base/diskErrors.ts';
import { systemCode } from '../base/errors.ts';
import type { QualifiedId } from '../model/id.ts';
import { type PlanFile, planFiles } from '../model/plan.ts';
import type { VaultLayout } from './layout.ts';
import { mapPlans, type ScannedPlan } from './scan.ts';
import { areSameStamps } from './stampedCache.ts';
import type { PlanLocation } from './walk.ts';

/** The state of a plan's files at the last look; a file that was not there has no entry. */
export interface PlanSnapshot {
  readonly plan: PlanLocation;
  readonly files: ReadonlyMap<PlanFile, FileStamps>;
}

/** The vault's own files by their paths in the vault, each with what tells it from another. */
export type FilesSnapshot = ReadonlyMap<string, FileStamps | string>;

export interface SnapshotOptions {
  /** What stands in the folder of each plan, where a walk has just seen it. */
  readonly names?: ReadonlyMap<QualifiedId, readonly PlanFile[]>;
  readonly signal?: AbortSignal;
}

export async function snapshotPlans(
  disk: ReadingDisk,
  plans: readonly PlanLocation[],
  { names, signal }: SnapshotOptions = {},
): Promise<PlanSnapshot[]> {
  const stampFiles = async (plan: ScannedPlan): Promise<PlanSnapshot['files']> => {
    const present = names?.get(plan.id) ?? toPlanFiles(await namesIn(disk, plan.readFrom));
    const stamps = await disk.stampEach(present.map((name) => `${plan.readFrom}/${name}`));
    return new Map(present.map((name, n) => [name, stampsAt(stamps, n)]));
  };
  const files = await mapPlans(plans, stampFiles, { signal });
  return plans.map((plan, n) => ({ plan, files: files[n] ?? new Map() }));
}

/** Those of a folder's names that belong to a plan's state; its views and what editors leave there do not. */
export function toPlanFiles(names: readonly string[]): readonly PlanFile[] {
  return names.filter(isWatchedName);
}

const watchedNames: ReadonlySet<string> = new Set(Object.values(planFiles));

export function isWatchedName(name: string): name is PlanFile {
  return watchedNames.has(name);
}

/** What stands in the vault's own folder and is read from there: its registry, settings, rules, policy, experts and links. */
export async function snapshotVaultFiles(disk: ReadingDisk, layout: VaultLayout): Promise<FilesSnapshot> {
  const paths = [
    layout.identity,
    layout.settings,
    layout.projectsFile,
    layout.localProjectsFile,
    layout.routing,
    layout.policy,
  ];
  for (const name of await namesIn(disk, layout.experts))
    if (name.endsWith('.md')) paths.push(join(layout.experts, name));
  const stamps = await disk.stampEach(paths);
  const found = new Map<string, FileStamps | string>();
  for (const [n, path] of paths.entries()) {
    const own = stampsAt(stamps, n);
    if (own.some((part) => part !== 0)) found.set(nameInVault(layout, path), own);
  }
  for (const name of await namesIn(disk, layout.projects)) {
    const link = layout.project(name);
    // The walk reports entries that are not links; here it only counts that they are there.
    found.set(nameInVault(layout, link), await disk.readLink(link).catch(() => 'no link'));
  }
  return found;
}

/** What differs between two looks, by name; sorted. */
export function changedNames<Name extends string>(
  before: ReadonlyMap<Name, FileStamps | string>,
  after: ReadonlyMap<Name, FileStamps | string>,
): Name[] {
  const names = new Set([...before.keys(), ...after.keys()]);
  return [...names].filter((name) => !areEqual(before.get(name), after.get(name))).sort();
}

function areEqual(left: FileStamps | string | undefined, right: FileStamps | string | undefined): boolean {
  if (left === undefined || right === undefined || typeof left === 'string' || typeof right === 'string') {
    return left === right;
  }
  return areSameStamps(left, right);
}

function stampsAt(stamps: FileStamps, n: number): number[] {
  return Array.from({ length: 4 }, (_, part) => stamps[4 * n + part] ?? 0);
}

/** With `/`, as events name them on every system. */
function nameInVault(layout: VaultLayout, path: string): string {
  return path.slice(layout.root.length + 1).replaceAll('\\', '/');
}

/** A folder that is gone, or that cannot be read, has no names; the walk reports the second case. */
async function namesIn(disk: ReadingDisk, folder: string): Promise<string[]> {
  try {
    return (await disk.readDirectory(folder)).map(({ name }) => name).filter((name) => !name.startsWith('.'));
  } catch (error) {
    if (!isAbsent(error) && systemCode(error) === undefined) throw error;
    return [];
  }
}
