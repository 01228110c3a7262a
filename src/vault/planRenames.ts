import { ifThere, leadsNowhere } from '../base/diskErrors.ts';
import { ensureDirectory, exists, readTextIfExists, writeAtomic } from '../base/files.ts';
import { parseJson } from '../base/json.ts';
import { isQualifiedId, projectOf, type QualifiedId } from '../model/id.ts';
import { planFiles } from '../model/plan.ts';
import type { VaultPorts } from './vaultPorts.ts';

/** A plan, or a project, and what it is called since; the plans below it are called after it. */
export interface PlanRename {
  readonly from: string;
  readonly to: string;
}

/** The newest that are kept in `runtime/renames.json`. */
const renamesMax = 10_000;

/** Durable once it resolves; again, as after a crash, it changes nothing. */
export async function recordRename({ disk, layout }: VaultPorts, { from, to }: PlanRename): Promise<void> {
  const known = await loadRenames({ disk, layout });
  const last = known.at(-1);
  if (from === to || (last?.from === from && last.to === to)) return;
  await ensureDirectory(disk, layout.runtime, 0o700);
  await writeAtomic(disk, layout.renames, `${JSON.stringify([...known, { from, to }].slice(-renamesMax))}\n`);
}

/**
 * The present name of an actor that was called `id` when that name was written down, such as in a message: `id` itself
 * while it exists, otherwise the name that the renames since, in their order, gave it. Undefined for a plan that was
 * removed. A plan whose project is linked and out of reach keeps its name: it can be there when its disk comes back.
 */
export async function presentName(ports: VaultPorts, id: QualifiedId): Promise<QualifiedId | undefined> {
  if (id.startsWith('expert:') || (await isThere(ports, id))) return id;
  let name: string = id;
  for (const rename of await loadRenames(ports)) {
    const renamed = renamedBy(rename, name);
    if (renamed === undefined) continue;
    name = renamed;
    if (isQualifiedId(name) && (await isThere(ports, name))) return name;
  }
  return isQualifiedId(name) && (await isOutOfReach(ports, projectOf(name))) ? name : undefined;
}

/**
 * By a name that was written down: that name and all that the renames since may have made of it, whether they are in use or
 * not. Where the name was given to a second plan after the first was renamed, the names of both.
 */
export async function loadLaterNames(ports: VaultPorts): Promise<(name: string) => ReadonlySet<string>> {
  const renames = await loadRenames(ports);
  const known = new Map<string, ReadonlySet<string>>();
  return (name) => {
    const found = known.get(name) ?? laterNames(renames, name);
    known.set(name, found);
    return found;
  };
}

function laterNames(renames: readonly PlanRename[], name: string): ReadonlySet<string> {
  const names = new Set([name]);
  for (const rename of renames) {
    for (const one of [...names]) {
      const renamed = renamedBy(rename, one);
      if (renamed !== undefined) names.add(renamed);
    }
  }
  return names;
}

function renamedBy({ from, to }: PlanRename, name: string): string | undefined {
  if (name === from) return to;
  return name.startsWith(`${from}/`) ? to + name.slice(from.length) : undefined;
}

function isThere({ disk, layout }: VaultPorts, plan: QualifiedId): Promise<boolean> {
  return exists(disk, `${layout.plan(plan)}/${planFiles.marker}`);
}

async function isOutOfReach({ disk, layout }: VaultPorts, project: string): Promise<boolean> {
  const link = layout.project(project);
  if (!(await exists(disk, link))) return false;
  return (await ifThere(link, () => disk.stat(link), leadsNowhere)) === undefined;
}

/** Oldest first. A damaged file counts as an empty one: names are then taken as they are. */
async function loadRenames({ disk, layout }: VaultPorts): Promise<readonly PlanRename[]> {
  const value = parseJson((await readTextIfExists(disk, layout.renames)) ?? '[]');
  return Array.isArray(value) ? value.filter(isRename) : [];
}

function isRename(value: unknown): value is PlanRename {
  if (typeof value !== 'object' || value === null) return false;
  const { from, to } = value as Partial<Record<keyof PlanRename, unknown>>;
  return typeof from === 'string' && typeof to === 'string';
}
