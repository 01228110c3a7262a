import type { ReadingDisk } from '../base/disk.ts';
import { segmentFromId } from '../model/id.ts';
import { overviewFiles } from '../model/plan.ts';
import type { VaultLayout } from './layout.ts';
import type { OutlineEntry, PlanOverview } from './planOverview.ts';
import { findOnce, type StampedCache } from './stampedCache.ts';
import { type PlanLocation, type VaultWalk, walkVault } from './walk.ts';

export interface ScanPorts {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  /** Wall time, as files are stamped with. */
  readonly wallMs: () => number;
  readonly signal?: AbortSignal;
  /** Told as soon as something is known: the whole walk first, then what was seen of the next plans. */
  readonly onSeen?: (walk: VaultWalk, from: number, seen: readonly string[]) => void;
}

/** A plan with the real path of its folder: through the link of its project each look at a file costs twice as much. */
export type ScannedPlan = Pick<PlanLocation, 'id' | 'directory'> & { readonly readFrom: string };

/** A walk, and what was seen of each plan: `seen[n]`, as JSON, is of `plans[n]`. */
export interface VaultScan extends VaultWalk {
  readonly seen: readonly string[];
}

/** Enough of every plan for a tree; the first opening of a large vault shows it before anything else is read. */
export async function outlineVault(
  ports: ScanPorts,
  outlineOf: (disk: ReadingDisk, plan: ScannedPlan) => Promise<OutlineEntry>,
): Promise<VaultScan> {
  const walk = await walkVault(ports.disk, ports.layout);
  return see(ports, walk, async (plan) => JSON.stringify(await outlineOf(ports.disk, plan)));
}

/** Enough of every plan for a row of the list. With a cache, a plan whose files are as it has them is not read again. */
export async function overviewOfVault(
  ports: ScanPorts,
  overviewOf: (ports: ScanPorts, plan: ScannedPlan, hasRunState: boolean) => Promise<PlanOverview>,
  cache?: StampedCache,
): Promise<VaultScan> {
  const { disk, layout } = ports;
  const startMs = ports.wallMs();
  const walk = await walkVault(disk, layout);
  const runStates = await runStateFiles(ports);
  const overview = async (plan: ScannedPlan): Promise<string> => {
    const ran = runStates.size > 0 && runStates.has(`${segmentFromId(plan.id)}.yaml`);
    const find = async () => JSON.stringify(await overviewOf(ports, plan, ran));
    if (cache === undefined) return find();
    const paths = overviewFiles.map((file) => `${plan.readFrom}/${file}`);
    if (ran) paths.push(layout.runState(plan.id));
    return findOnce(disk, { cache, startMs }, { key: plan.id, paths }, find);
  };
  return see(ports, walk, overview);
}

async function see(
  { signal, onSeen }: ScanPorts,
  walk: VaultWalk,
  each: (plan: ScannedPlan) => Promise<string>,
): Promise<VaultScan> {
  const onBatch = (from: number, batch: readonly string[]) => onSeen?.(walk, from, batch);
  return { ...walk, seen: await mapPlans(walk.plans, each, { signal, onBatch }) };
}

/** Plans read at the same time: all at once would run out of descriptors. */
const plansMax = 16;

/** In the order of the plans, a few at a time; `onBatch` is told of each few, which start at `from`. */
export async function mapPlans<T>(
  plans: readonly PlanLocation[],
  each: (plan: ScannedPlan) => Promise<T>,
  {
    signal,
    onBatch,
  }: { readonly signal?: AbortSignal | undefined; readonly onBatch?: (from: number, batch: readonly T[]) => void },
): Promise<T[]> {
  const seen: T[] = [];
  for (let n = 0; n < plans.length; n += plansMax) {
    signal?.throwIfAborted();
    const batch = await Promise.all(plans.slice(n, n + plansMax).map((plan) => each(toScanned(plan))));
    seen.push(...batch);
    onBatch?.(n, batch);
  }
  return seen;
}

function toScanned({ id, directory, project, ravelDirectory }: PlanLocation): ScannedPlan {
  return { id, directory, readFrom: `${ravelDirectory}/${id.slice(project.length + 1)}` };
}

/** Few plans of a large vault ever ran, so the folder is read once instead of asking for each. */
async function runStateFiles({ disk, layout }: ScanPorts): Promise<ReadonlySet<string>> {
  try {
    return new Set((await disk.readDirectory(layout.plans)).map(({ name }) => name));
  } catch {
    // Without the folder no plan ran. If it cannot be read, the owner's start has failed on it already.
    return new Set();
  }
}
