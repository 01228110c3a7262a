import { settleAll } from '../base/async.ts';
import type { Clock } from '../base/clock.ts';
import { defined } from '../base/defined.ts';
import type { ReadingDisk } from '../base/disk.ts';
import { messageOf } from '../base/errors.ts';
import { exists } from '../base/files.ts';
import type { Logger } from '../base/log.ts';
import { hasMoreFiles } from './entryThread.ts';
import type { VaultLayout } from './layout.ts';
import { type OutlineEntry, outlineOf, overviewOf, type PlanOverview } from './planOverview.ts';
import { outlineVault, overviewOfVault, type ScanPorts, type VaultScan } from './scan.ts';
import {
  type RunningScan,
  type ScanFindings,
  type ScanListeners,
  type ScanTask,
  startScanThread,
} from './scanThread.ts';
import { type Verification, verifyVault } from './verify.ts';
import { locatePlan, type PlanLocation, type VaultWalk } from './walk.ts';

export interface ScannerOptions {
  readonly disk: ReadingDisk;
  readonly layout: VaultLayout;
  readonly clock: Pick<Clock, 'wallMs'>;
  readonly log: Logger;
  /** The bundle of `scanWorker.ts`; without it every scan runs in this thread. */
  readonly program?: string;
  readonly version: string;
  /** From how many folders on a vault is scanned in a thread of its own. */
  readonly foldersMax?: number;
  /** The same for files of knowledge, all of which a verification reads. */
  readonly notesMax?: number;
}

export interface SeenPlan<T> {
  readonly plan: PlanLocation;
  readonly value: T;
}

/** A walk, and in its order what was seen of each plan. */
export interface SeenPlans<T> extends VaultWalk {
  readonly seen: readonly SeenPlan<T>[];
}

/** It takes longer to start a thread than to read as many folders, or as many entries. */
const usualFoldersMax = 200;
const usualNotesMax = 2000;

/** What a scan told, by the ids of the plans, and the mark of the cache that has the same. */
interface KnownPlans {
  readonly mark: string;
  readonly byId: ReadonlyMap<string, SeenPlan<unknown>>;
}

/**
 * Looks at all plans of a vault. A small vault is read here, a few files at a time; a large one in a thread of its own,
 * which can wait for the disk without holding up other work, and keeps its results from one scan to the next. What this
 * thread has already is not told to it again.
 */
export class VaultScanner {
  readonly #options: ScannerOptions;
  readonly #running = new Set<RunningScan>();
  /** Known to be: a vault that has shrunk is scanned right all the same. */
  #isLarge = false;
  #overviews: KnownPlans | undefined;

  constructor(options: ScannerOptions) {
    this.#options = options;
  }

  /** Enough for a tree; quicker than `overviews` if nothing was ever read. */
  async outlines(signal?: AbortSignal): Promise<SeenPlans<OutlineEntry>> {
    if (!(await this.#needsThread(signal))) return parsed(await outlineVault(this.#ports(signal), outlineOf));
    return this.#seenInThread('outline', signal, () => outlineVault(this.#ports(signal), outlineOf));
  }

  async overviews(signal?: AbortSignal): Promise<SeenPlans<PlanOverview>> {
    const here = () => overviewOfVault(this.#ports(signal), overviewOf);
    return (await this.#needsThread(signal)) ? this.#seenInThread('overview', signal, here) : parsed(await here());
  }

  /** Checks everything; tells how many plans are done. */
  async verify(onProgress: (done: number, total: number) => void, signal?: AbortSignal): Promise<Verification> {
    const { disk, layout } = this.#options;
    const here = () => verifyVault(disk, layout, { onProgress, signal });
    if (!(await this.isLarge(signal))) return here();
    return (await this.#inThread('verify', { signal, onProgress })) ?? here();
  }

  /** Waits for threads that still write their cache. */
  async stop(): Promise<void> {
    await settleAll([...this.#running].map(({ gone }) => gone));
  }

  #ports(signal: AbortSignal | undefined): ScanPorts {
    const { disk, layout, clock } = this.#options;
    return { disk, layout, wallMs: () => clock.wallMs(), ...defined({ signal }) };
  }

  async #needsThread(signal: AbortSignal | undefined): Promise<boolean> {
    signal?.throwIfAborted();
    const { program, disk, layout, foldersMax = usualFoldersMax } = this.#options;
    if (program === undefined) return false;
    // If a thread was once worth it there is a cache, and no need to count.
    this.#isLarge ||= (await exists(disk, layout.overviews)) || (await hasMoreFolders(disk, layout, foldersMax));
    return this.#isLarge;
  }

  /** Whether to verify it takes a thread. */
  async isLarge(signal?: AbortSignal): Promise<boolean> {
    return (await this.#needsThread(signal)) || (await this.#hasManyEntries());
  }

  async #hasManyEntries(): Promise<boolean> {
    const { program, disk, layout, notesMax = usualNotesMax } = this.#options;
    return program !== undefined && (await hasMoreFiles(disk, [{ readFrom: layout.knowledge }], notesMax));
  }

  async #seenInThread<T>(
    task: ScanTask,
    signal: AbortSignal | undefined,
    here: () => Promise<VaultScan>,
  ): Promise<SeenPlans<T>> {
    const { layout } = this.#options;
    const plans: PlanLocation[] = [];
    const seen: SeenPlan<T>[] = [];
    const known = task === 'overview' ? this.#overviews : undefined;
    const onPlans: ScanListeners['onPlans'] = (lines, projects) => {
      for (const line of lines) {
        const [id, parent] = line;
        const ravelDirectory = projects[id.slice(0, id.indexOf('/'))] ?? '';
        const before = known?.byId.get(id);
        const isThere = before?.plan.ravelDirectory === ravelDirectory && before.plan.parent === (parent ?? undefined);
        const plan = isThere ? before.plan : locatePlan(layout, { id, ravelDirectory, parent: parent ?? undefined });
        const isKnown = line.length === 2;
        plans.push(plan);
        seen.push(
          isThere && isKnown ? (before as SeenPlan<T>) : { plan, value: (isKnown ? before?.value : line[2]) as T },
        );
      }
    };
    const onCached = (mark: string) => {
      if (task === 'overview') this.#overviews = { mark, byId: new Map(seen.map((one) => [one.plan.id, one])) };
    };
    const findings = await this.#inThread(task, { signal, onPlans, onCached }, known?.mark);
    return findings === undefined ? parsed(await here()) : { plans, seen, diagnostics: findings.diagnostics };
  }

  /** Undefined if a thread cannot do it, which is logged; the caller then does it here. */
  async #inThread(task: ScanTask, listeners: ScanListeners, had?: string): Promise<ScanFindings | undefined> {
    const { program = '', layout, version, clock, log } = this.#options;
    try {
      const scan = startScanThread(
        program,
        { task, root: layout.root, version, nowMs: clock.wallMs(), had },
        listeners,
      );
      this.#running.add(scan);
      void scan.gone.then(() => this.#running.delete(scan));
      return await scan.findings;
    } catch (error) {
      listeners.signal?.throwIfAborted();
      log.warn('no thread could scan the vault, so it is scanned here', { task, error: messageOf(error) });
      return undefined;
    }
  }
}

function parsed<T>({ plans, diagnostics, seen }: VaultScan): SeenPlans<T> {
  const together = plans.map((plan, n): SeenPlan<T> => ({ plan, value: JSON.parse(seen[n] ?? 'null') }));
  return { plans, diagnostics, seen: together };
}

/** Counts folders below the projects until there are more than `max`; what cannot be read counts for nothing. */
async function hasMoreFolders(disk: ReadingDisk, layout: VaultLayout, max: number): Promise<boolean> {
  let count = 0;
  let pending = (await namesIn(disk, layout.projects, 'symlink')).map((name) => layout.project(name));
  while (pending.length > 0) {
    count += pending.length;
    if (count > max) return true;
    const found = await Promise.all(
      pending.map(async (folder) => (await namesIn(disk, folder, 'directory')).map((name) => `${folder}/${name}`)),
    );
    pending = found.flat();
  }
  return false;
}

async function namesIn(disk: ReadingDisk, folder: string, kind: 'symlink' | 'directory'): Promise<string[]> {
  try {
    return (await disk.readDirectory(folder)).filter((entry) => entry.kind === kind).map(({ name }) => name);
  } catch {
    // The walk tells of it.
    return [];
  }
}
